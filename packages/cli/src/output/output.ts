/** Prints answers in the format that was asked for. JSON is the API's own, unchanged. */

import { valueAt } from './cells.ts'
import { recordOf, tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'
import { usageProblem } from './usage.ts'

export const formats = ['table', 'json', 'jsonl', 'csv', 'id'] as const
export type Format = (typeof formats)[number]

/** How answers are printed. */
export type Look = {
  readonly format: Format
  /** Absent: those that the noun is best known by. */
  readonly columns: readonly string[] | undefined
  readonly header: boolean
}

/** A list as the API gives it. */
export type List = {
  readonly object: 'list'
  readonly data: readonly unknown[]
  readonly has_more: boolean
  readonly cursor?: string
}

/** What rows look like: every member that the contract knows, and the columns by which they are best known. */
export type Shape = { readonly members: readonly string[]; readonly columns: readonly string[] }

type Row = Readonly<Record<string, unknown>>

/** Reads the format options. */
export function readLook(options: { output?: string; json?: boolean; columns?: string; header?: boolean }): Look {
  const format = options.json ? 'json' : ((options.output ?? 'table') as Format)
  const columns = options.columns?.split(',').map((column) => column.trim())
  if (columns && format !== 'table' && format !== 'csv') {
    throw usageProblem('--columns goes with tables and csv.', 'JSON is always whole: pick from it with a JSON tool.')
  }
  return { format, columns, header: options.header ?? true }
}

/** Prints a list. */
export function printList(terminal: Terminal, look: Look, list: List, shape: Shape): void {
  if (look.format === 'json') return void terminal.data(JSON.stringify(list, null, 2))
  const lines = linesOf(terminal, look, list.data, shape)
  if (lines !== '') terminal.data(lines)
  if (look.format !== 'table') return
  if (list.data.length === 0) terminal.note('Nothing there.')
  if (list.has_more) terminal.note(`There is more: add --all, a higher --limit, or --starting-after ${list.cursor}`)
}

/** Prints rows as they come, each by itself; the first one brings the header. */
export function rowPrinter(terminal: Terminal, look: Look, shape: Shape): (row: unknown) => void {
  let header = look.header
  return (row) => {
    const format = look.format === 'json' ? 'jsonl' : look.format
    terminal.data(linesOf(terminal, { ...look, format, header }, [row], shape))
    header = false
  }
}

/** Prints one object, all of it unless columns were asked for. */
export function printObject(terminal: Terminal, look: Look, value: Row, shape: Shape): void {
  terminal.data(objectText(terminal, look, value, shape))
}

function objectText(terminal: Terminal, look: Look, value: Row, shape: Shape): string {
  const { format, columns, header } = look
  if (format === 'json') return JSON.stringify(value, null, 2)
  const present = shape.members.filter((name) => name !== 'object' && name in value)
  if (format !== 'table') return linesOf(terminal, look, [value], { ...shape, columns: present })
  // Not cut to the terminal's width: it may hold a token.
  return recordOf(value, checked(columns ?? present, shape), { header, width: undefined, dim: terminal.dim })
}

function linesOf(terminal: Terminal, look: Look, rows: readonly unknown[], shape: Shape): string {
  const columns = checked(look.columns ?? shape.columns, shape)
  switch (look.format) {
    case 'jsonl':
      return rows.map((row) => JSON.stringify(row)).join('\n')
    case 'id':
      return rows.map(idOf).join('\n')
    case 'csv':
      return csvOf(rows, columns, look.header)
    default: {
      const { width, dim } = terminal
      const mayDrop = look.columns === undefined
      return rows.length === 0 ? '' : tableOf(rows, columns, { header: look.header, width, mayDrop, dim })
    }
  }
}

function idOf(row: unknown): string {
  const { id, name } = row as { id?: string; name?: string }
  const found = id ?? name
  if (found === undefined) throw usageProblem('What is listed here has neither id nor name.', 'Use -o json.')
  return found
}

/** Refuses columns that rows never have: a slip of the pen would look like missing values. */
function checked(columns: readonly string[], { members }: Shape): readonly string[] {
  const wrong = columns.find((column) => !members.includes(column.split('.')[0] as string))
  if (wrong === undefined) return columns
  throw usageProblem(`There is no column "${wrong}".`, `Columns: ${members.join(', ')}; inner ones as sku.alias.`)
}

function csvOf(rows: readonly unknown[], columns: readonly string[], header: boolean): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(valueAt(row, column))).join(','))
  return [...(header ? [columns.map(csvCell).join(',')] : []), ...lines].join('\n')
}

/** RFC 4180, but lines end like those of every other output. Objects and lists are JSON, so that nothing is lost. */
function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
