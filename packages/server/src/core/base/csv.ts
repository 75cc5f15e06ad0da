/** Lists as comma-separated values (RFC 4180). Not this file’s work: which lists offer them (the contract). */

/** A header line and one line for each row. Absent values are empty, objects and lists are JSON. Lines end in CRLF. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
