/** Prints responses in the chosen format. JSON is the API's own, unchanged. */

import { valueAt } from './cells.ts'
import { recordOf, tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { usageProblem } from './usage.ts'

export const formats = ['table', 'json', 'jsonl', 'csv', 'id'] as const
export type Format = (typeof formats)[number]

/** The format options. */
export type OutputOptions = {
  readonly format: Format
  /** Absent means the default columns of the noun. */
  readonly columns: readonly string[] | undefined
  readonly header: boolean
}

/** A list of the API. */
export type List = {
  readonly object: 'list'
  readonly data: readonly unknown[]
  readonly has_more: boolean
  readonly cursor?: string
}

/** The members of rows in the contract, and the default columns. */
export type Shape = { readonly members: readonly string[]; readonly columns: readonly string[] }

type Row = Readonly<Record<string, unknown>>

/** Reads the format options. */
export function readOutputOptions(options: {
  output?: string
  json?: boolean
  columns?: string
  header?: boolean
}): OutputOptions {
  const format = options.json ? 'json' : ((options.output ?? 'table') as Format)
  const columns = options.columns?.split(',').map((column) => column.trim())
  if (columns && format !== 'table' && format !== 'csv') {
    throw usageProblem(
      '--columns applies only to tables and csv.',
      'JSON is always complete. Use a JSON tool to select members.',
    )
  }
  return { format, columns, header: options.header ?? true }
}

/** Prints a list. */
export function printList(terminal: Terminal, options: OutputOptions, list: List, shape: Shape): void {
  if (options.format === 'json') return void terminal.data(JSON.stringify(list, null, 2))
  const lines = linesOf(terminal, options, list.data, shape)
  if (lines !== '') terminal.data(lines)
  if (options.format !== 'table') return
  if (list.data.length === 0) terminal.note('Nothing there.')
  if (list.has_more)
    terminal.note(`There are more rows: add --all, a higher --limit, or --starting-after ${list.cursor}`)
}

/** Prints rows one by one as they arrive, with a header before the first. */
export function rowPrinter(terminal: Terminal, options: OutputOptions, shape: Shape): (row: unknown) => void {
  let header = options.header
  return (row) => {
    const format = options.format === 'json' ? 'jsonl' : options.format
    terminal.data(linesOf(terminal, { ...options, format, header }, [row], shape))
    header = false
  }
}

/** Prints one object, with all members unless columns are given. */
export function printObject(terminal: Terminal, options: OutputOptions, value: Row, shape: Shape): void {
  terminal.data(objectText(terminal, options, value, shape))
}

function objectText(terminal: Terminal, options: OutputOptions, value: Row, shape: Shape): string {
  const { format, columns, header } = options
  if (format === 'json') return JSON.stringify(value, null, 2)
  const present = shape.members.filter((name) => name !== 'object' && name in value)
  if (format !== 'table') return linesOf(terminal, options, [value], { ...shape, columns: present })
  // Not cut to the terminal's width, because it may contain a token.
  return recordOf(value, checked(columns ?? present, shape), { header, width: undefined, dim: terminal.dim })
}

function linesOf(terminal: Terminal, options: OutputOptions, rows: readonly unknown[], shape: Shape): string {
  const columns = checked(options.columns ?? shape.columns, shape)
  switch (options.format) {
    case 'jsonl':
      return rows.map((row) => JSON.stringify(row)).join('\n')
    case 'id':
      return rows.map(idOf).join('\n')
    case 'csv':
      return csvOf(rows, columns, options.header)
    default: {
      const { width, dim } = terminal
      const can_drop_columns = options.columns === undefined
      return rows.length === 0 ? '' : tableOf(rows, columns, { header: options.header, width, can_drop_columns, dim })
    }
  }
}

function idOf(row: unknown): string {
  const { id, name } = row as { id?: string; name?: string }
  const found = id ?? name
  if (found === undefined) throw usageProblem('These rows have neither id nor name.', 'Use -o json.')
  return found
}

/** Refuses unknown columns, because a misspelled one would look like missing values. */
function checked(columns: readonly string[], { members }: Shape): readonly string[] {
  const wrong = columns.find((column) => !members.includes(column.split('.')[0] as string))
  if (wrong === undefined) return columns
  throw usageProblem(
    `There is no column "${wrong}".`,
    `Columns: ${members.join(', ')}. Write nested ones as sku.alias.`,
  )
}

function csvOf(rows: readonly unknown[], columns: readonly string[], header: boolean): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(valueAt(row, column))).join(','))
  return [...(header ? [columns.map(csvCell).join(',')] : []), ...lines].join('\n')
}

/** RFC 4180, except that lines end as in every other output. Objects and lists are JSON, so nothing is lost. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
