/** Lists as comma-separated values (RFC 4180). */

/** A header line and one line for each row. Absent values are empty, objects and lists are JSON. Lines end in CRLF. */
export function csvOf(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  return csvLines([columns, ...rows.map((row) => columns.map((column) => row[column]))])
}

/** Lines of values. */
export function csvLines(lines: readonly (readonly unknown[])[]): string {
  return lines.map((values) => `${values.map(cellOf).join(',')}\r\n`).join('')
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
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[=+\-@\t\r]/.test(value) && !number.test(value) ? `'${value}` : value
}

/** A cell with quotes where it needs them. */
export function quotedCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const number = /^[+-]?\d+(\.\d+)?$/
