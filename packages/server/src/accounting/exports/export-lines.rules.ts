/** Writes rows of exports as lines of CSV (RFC 4180) or JSON. Numbers keep all of their digits in both. */
import { type Column, type ExportRow, remembering } from './columns.rules.ts'

/** Writes rows as lines. */
export type LineWriter = {
  /** What comes before the first row. */
  readonly head: string
  line(row: ExportRow): string
}

/** Writes lines of comma-separated values. */
export function csvWriter(columns: readonly Column[]): LineWriter {
  const cells = columns.map((column) => ({
    name: column.name,
    print: isNumber(column) ? asItIs : remembering(cellOf),
  }))
  return {
    head: `${columns.map(({ name }) => name).join(',')}\r\n`,
    line: (row) => {
      let line = ''
      let comma = ''
      for (const { name, print } of cells) {
        const value = row[name]
        line += value === null || value === undefined ? comma : comma + print(value)
        comma = ','
      }
      return `${line}\r\n`
    },
  }
}

/** Writes each row as a JSON object. Columns without a value are null. */
export function jsonWriter(columns: readonly Column[]): LineWriter {
  const members = columns.map((column) => ({
    name: column.name,
    key: `${JSON.stringify(column.name)}:`,
    print: isNumber(column) ? asItIs : remembering((value) => JSON.stringify(value)),
  }))
  return {
    head: '',
    line: (row) => {
      let line = ''
      let comma = '{'
      for (const { name, key, print } of members) {
        const value = row[name]
        line += comma + key + (value === null || value === undefined ? 'null' : print(value))
        comma = ','
      }
      return `${line}}\n`
    },
  }
}

function isNumber({ type }: Column): boolean {
  return type === 'decimal' || type === 'seconds'
}

function asItIs(value: string): string {
  return value
}

const needsCare = /^[=+\-@\t\r]|[",\r\n]/
const formula = /^[=+\-@\t\r]/
const numeric = /^[+-]?\d+(\.\d+)?$/

/** Text that a spreadsheet would run as a formula gets an apostrophe in front, which makes it plain text there. */
function cellOf(value: string): string {
  if (!needsCare.test(value)) return value
  const text = formula.test(value) && !numeric.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
