/** Lists as comma-separated values (RFC 4180). Not this file’s work: which lists offer them (the contract). */

/** A header line and one line for each row. Absent values are empty, objects and lists are JSON. Lines end in CRLF. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

function cellOf(value: unknown): string {
  return quotedCell(csvTextOf(value))
}

/**
 * The text of a cell. Text that a spreadsheet would run as a formula gets an apostrophe in front, which makes it plain
 * text there. Numbers, also those in strings such as amounts, stay numbers.
 */
export function csvTextOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+\-@\t\r]/.test(text) && !number.test(text) ? `'${text}` : text
}

/** A cell with quotes where it needs them. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const number = /^[+-]?\d+(\.\d+)?$/
