/** Writes rows of exports as lines of CSV (RFC 4180) or JSON. Numbers keep all of their digits in both. */
import type { Column, ExportRow } from './focus.rules.ts'

/** Writes rows as lines. */
export type LineWriter = {
  /** What comes before the first row. */
  readonly head: string
  line(row: ExportRow): string
}

/** Writes lines of comma-separated values. */
export function csvWriter(columns: readonly Column[]): LineWriter {
  return {
    head: `${columns.map(({ name }) => name).join(',')}\r\n`,
    line: (row) => {
      let line = ''
      for (let i = 0; i < columns.length; i++) {
        const { name, is_number } = columns[i] as Column
        const value = row[name]
        if (i > 0) line += ','
        if (value !== null && value !== undefined) line += is_number ? value : cellOf(value)
      }
      return `${line}\r\n`
    },
  }
}

/** Writes each row as a JSON object. Columns without a value are null. */
export function jsonWriter(columns: readonly Column[]): LineWriter {
  const names = columns.map(({ name }) => JSON.stringify(name))
  return {
    head: '',
    line: (row) => {
      let line = '{'
      for (let i = 0; i < columns.length; i++) {
        const { name, is_number } = columns[i] as Column
        const value = row[name] ?? null
        line += `${i > 0 ? ',' : ''}${names[i]}:${is_number && value !== null ? value : JSON.stringify(value)}`
      }
      return `${line}}\n`
    },
  }
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
