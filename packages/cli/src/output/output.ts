/**
 * Prints responses in the chosen format. JSON has the API's own values. A terminal gets neither escape sequences nor
 * invisible characters, unless they are asked for.
 */

import { csvTextOf, quotedCell } from '@bourse/server/core/base/csv.ts'
import { valueAt } from './cells.ts'
import { printable, visibleJson } from './plain-text.ts'
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
  /** Whether text is printed unchanged, also to a terminal. */
  readonly raw: boolean
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
  raw?: boolean
}): OutputOptions {
  const format = options.json ? 'json' : ((options.output ?? 'table') as Format)
  const columns = options.columns?.split(',').map((column) => column.trim())
  if (columns && format !== 'table' && format !== 'csv') {
    throw usageProblem(
      '--columns applies only to tables and csv.',
      'JSON is always complete. Use a JSON tool to select members.',
    )
  }
  return { format, columns, header: options.header ?? true, raw: options.raw ?? false }
}

/** Prints a list. */
export function printList(terminal: Terminal, options: OutputOptions, list: List, shape: Shape): void {
  if (options.format === 'json') return void terminal.data(jsonOf(list, options, 2))
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
  if (format === 'json') return jsonOf(value, options, 2)
  const present = shape.members.filter((name) => name !== 'object' && name in value)
  if (format !== 'table') return linesOf(terminal, options, [value], { ...shape, columns: present })
  // Not cut to the terminal's width, because it may contain a token.
  return recordOf(value, checked(columns ?? present, shape), { header, width: undefined, dim: terminal.dim })
}

function linesOf(terminal: Terminal, options: OutputOptions, rows: readonly unknown[], shape: Shape): string {
  const columns = checked(options.columns ?? shape.columns, shape)
  // Other programs get the text as it is; a terminal would act on it.
  const shown = terminal.width === undefined || options.raw ? String : printable
  switch (options.format) {
    case 'jsonl':
      return rows.map((row) => jsonOf(row, options)).join('\n')
    case 'id':
      return rows.map((row) => shown(idOf(row))).join('\n')
    case 'csv':
      return csvOf(rows, columns, { header: options.header, shown })
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

function jsonOf(value: unknown, { raw }: OutputOptions, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  return raw ? text : visibleJson(text)
}

function csvOf(
  rows: readonly unknown[],
  columns: readonly string[],
  { header, shown }: { header: boolean; shown: (text: string) => string },
): string {
  const lineOf = (values: readonly unknown[]) => values.map((value) => csvCell(value, shown)).join(',')
  const lines = rows.map((row) => lineOf(columns.map((column) => valueAt(row, column))))
  return [...(header ? [lineOf(columns)] : []), ...lines].join('\n')
}

/** A cell as the server writes it. Lines end as in every other output. */
function csvCell(value: unknown, shown: (text: string) => string): string {
  return quotedCell(shown(csvTextOf(value)))
}
