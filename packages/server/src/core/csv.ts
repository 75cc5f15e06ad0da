/** Lists as comma-separated values (RFC 4180), for those who ask. Not this file’s work: which lists (the contract). */

/** Rows under a line of names; what is not there is empty, objects and lists stand as JSON. Lines end in CRLF. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** Whether a client would rather have CSV than JSON: it names the type, and does not like JSON as much or more. */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const liked = new Map(accept.split(',').map(rangeOf))
  const json = liked.get('application/json') ?? liked.get('application/*') ?? liked.get('*/*') ?? 0
  return (liked.get('text/csv') ?? 0) > json
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function rangeOf(part: string): [type: string, quality: number] {
  const [type = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
  const value = quality === undefined ? 1 : Number(quality)
  return [type, Number.isNaN(value) ? 0 : value]
}
