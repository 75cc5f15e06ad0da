/** Lists as comma-separated values (RFC 4180), for those who ask. Not this file’s work: which lists (the contract). */

/** Rows under a line of names; what is not there is empty, objects and lists stand as JSON. Lines end in CRLF. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
