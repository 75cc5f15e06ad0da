/**
 * Prints responses in the chosen format. All formats but tables have the API's own values. A terminal gets neither
 * escape sequences nor invisible characters, unless they are asked for.
 */

import { csvTextOf, quotedCell } from '@bourse/text/csv.ts'
import type { TimeStyle } from '@bourse/text/formats/moments.ts'
import { printable, visibleJson } from '@bourse/text/plain-text.ts'
import { type CellStyle, plainStyle } from './cells.ts'
import type { Format } from './formats.ts'
import { columnOf, type RowShape, rowTypeOf } from './rows/columns.ts'
import { recordOf } from './rows/records.ts'
import { type Column, type Table, tableOf } from './rows/table.ts'
import { typeAt, valueAt } from './rows/value-types.ts'
import type { Terminal } from './terminal.ts'
import { usageProblem } from './usage.ts'

/** Writes a value as YAML. */
export type ToYaml = (value: unknown, options: { readonly isRaw: boolean }) => string

/** The format options. */
export type OutputOptions = {
  readonly format: Format
  /** Absent means the default columns of the noun. */
  readonly columns: readonly string[] | undefined
  readonly header: boolean
  /** Whether text is printed unchanged, also to a terminal. */
  readonly raw: boolean
  /** Absent means ages on a terminal, and UTC elsewhere. */
  readonly times?: TimeStyle | undefined
  /** Whether tables have the values of the API. */
  readonly exact?: boolean | undefined
  readonly toYaml?: ToYaml | undefined
}

/** A list of the API. */
export type List = {
  readonly object: 'list'
  readonly data: readonly unknown[]
  readonly has_more: boolean
  readonly cursor?: string
  /** The flag that continues with the cursor. */
  readonly more_flag?: string
}

type OutputRow = Readonly<Record<string, unknown>>

/** The options of the command line that say how rows are printed. */
export type GivenOptions = {
  readonly output?: string
  /** The format of the environment or the profile, where no flag gives one. */
  readonly usualOutput?: string
  readonly json?: boolean
  readonly columns?: string
  readonly header?: boolean
  readonly raw?: boolean
  readonly utc?: boolean
  readonly local?: boolean
  readonly exact?: boolean
  readonly toYaml?: ToYaml
}

/** Reads the format options of a command that prints rows of this shape. Refuses those that these do not have. */
export function outputFor(shape: RowShape, options: GivenOptions): OutputOptions {
  const output = readOutputOptions(options)
  requirePrintable(output, shape)
  return output
}

/** Reads the format options. */
export function readOutputOptions(options: GivenOptions): OutputOptions {
  const format = options.json ? 'json' : ((options.output ?? options.usualOutput ?? 'table') as Format)
  const columns = options.columns?.split(',').map((column) => column.trim())
  if (columns && format !== 'table' && format !== 'csv') {
    throw usageProblem(
      '--columns applies only to tables and csv.',
      'JSON and YAML are always complete. Use a JSON tool to select members.',
    )
  }
  const { utc, local, exact = false, toYaml } = options
  if (utc && local) throw usageProblem('Give either --utc or --local.')
  const times = utc ? 'utc' : local ? 'local' : undefined
  return { format, columns, header: options.header ?? true, raw: options.raw ?? false, times, exact, toYaml }
}

/**
 * Refuses options with which rows of a shape cannot be printed. A command calls it before it sends or changes anything:
 * its answer may be a secret that is shown once.
 */
export function requirePrintable(options: OutputOptions, shape: RowShape): void {
  const type = rowTypeOf(shape)
  for (const name of options.columns ?? []) columnOf(name, type)
  if (options.format === 'yaml' && !options.toYaml) throw withoutYaml()
  if (options.format === 'id' && !typeAt(type, 'id') && !typeAt(type, 'name')) throw withoutId()
}

/** How values are shown in tables. Moments have an age where the time of the server is known. */
export function styleOf(
  { width }: Pick<Terminal, 'width'>,
  { times, exact = false }: OutputOptions,
  known: Partial<Pick<CellStyle, 'now' | 'names'>> = {},
): CellStyle {
  const usual = width === undefined || exact ? 'utc' : 'age'
  return { ...plainStyle, times: times ?? usual, exact, ...known }
}

/** Prints a list. */
export function printList(
  terminal: Terminal,
  options: OutputOptions,
  { more_flag = 'starting-after', ...list }: List,
  shape: RowShape,
  style: CellStyle = styleOf(terminal, options),
): void {
  if (options.format === 'json' || options.format === 'yaml') return void terminal.data(wholeText(list, options))
  if (options.format !== 'table') {
    const lines = linesOf(terminal, options, list.data, { shape, style })
    if (lines !== '') terminal.data(lines)
    return
  }
  if (list.data.length > 0) {
    const { text, dropped } = tableText(terminal, options, list.data, { shape, style })
    terminal.data(text)
    noteDropped(terminal, dropped)
  }
  if (list.data.length === 0) terminal.note(shape.empty ?? 'There are no rows.')
  if (!list.has_more) return
  const flags = list.cursor === undefined ? '--all, or a higher --limit' : `--${more_flag} ${list.cursor}`
  terminal.note(terminal.dim(`more: ${flags}`))
}

/** Prints rows one by one as they arrive, with a header before the first. */
export function rowPrinter(
  terminal: Terminal,
  options: OutputOptions,
  shape: RowShape,
  style: CellStyle = styleOf(terminal, options),
): (row: unknown) => void {
  let header = options.header
  let before: ReadonlyMap<string, number> | undefined
  const format = options.format === 'json' ? 'jsonl' : options.format
  return (row) => {
    if (format === 'table') {
      const { text, dropped, widths } = tableText(terminal, { ...options, header }, [row], { shape, style, before })
      terminal.data(text)
      if (before === undefined) noteDropped(terminal, dropped)
      before = widths ?? before
    } else terminal.data(linesOf(terminal, { ...options, format, header }, [row], { shape, style }))
    header = false
  }
}

function noteDropped({ note, dim }: Terminal, dropped: readonly string[]): void {
  if (dropped.length > 0) note(dim(`not shown, for lack of width: ${dropped.join(', ')}`))
}

/** Prints one object, with all members unless columns are given. */
export function printObject(
  terminal: Terminal,
  options: OutputOptions,
  value: OutputRow,
  shape: RowShape,
  style: CellStyle = styleOf(terminal, options),
): void {
  const { format, columns } = options
  if (format === 'json' || format === 'yaml') return void terminal.data(wholeText(value, options))
  const present = shape.members.filter((name) => name !== 'object' && name in value)
  if (format !== 'table') {
    return void terminal.data(linesOf(terminal, options, [value], { shape: { ...shape, columns: present }, style }))
  }
  // Not cut to the terminal's width, because it may contain a token.
  const type = rowTypeOf(shape)
  const shown = (columns ?? present).map((name) => columnOf(name, type))
  terminal.data(recordOf({ value, type, columns: shown }, { style, dim: terminal.dim }))
}

/** A whole value as JSON or YAML. */
export function wholeText(value: unknown, options: OutputOptions): string {
  if (options.format !== 'yaml') return jsonOf(value, options, options.format === 'jsonl' ? undefined : 2)
  return yamlText(value, options)
}

function yamlText(value: unknown, { toYaml, raw }: OutputOptions): string {
  if (!toYaml) throw withoutYaml()
  return toYaml(value, { isRaw: raw })
}

function withoutYaml(): Error {
  return usageProblem('This command has no YAML.', 'Use -o json.')
}

type ShownRows = {
  readonly shape: RowShape
  readonly style: CellStyle
  readonly before?: ReadonlyMap<string, number> | undefined
}

function linesOf(
  terminal: Terminal,
  options: OutputOptions,
  rows: readonly unknown[],
  { shape, style }: ShownRows,
): string {
  // Other programs get the text as it is; a terminal would act on it.
  const shown = terminal.width === undefined || options.raw ? String : printable
  switch (options.format) {
    case 'jsonl':
      return rows.map((row) => jsonOf(row, options)).join('\n')
    case 'yaml':
      return rows.map((row) => `---\n${yamlText(row, options)}`).join('\n')
    case 'id':
      return rows.map((row) => shown(idOf(row))).join('\n')
    case 'csv':
      return csvOf(rows, { shape, columns: columnsOf(options, shape), header: options.header, shown })
    default:
      return tableText(terminal, options, rows, { shape, style }).text
  }
}

function columnsOf({ columns }: OutputOptions, shape: RowShape): Column[] {
  const type = rowTypeOf(shape)
  return (columns ?? shape.columns).map((name) => columnOf(name, type))
}

/** A table, or a record for each row where the terminal is too narrow for one. */
function tableText(
  { width, dim }: Terminal,
  options: OutputOptions,
  rows: readonly unknown[],
  { shape, style, before }: ShownRows,
): Pick<Table, 'text' | 'dropped'> & Partial<Table> {
  const type = rowTypeOf(shape)
  const columns = columnsOf(options, shape)
  const droppable = options.columns === undefined ? (shape.droppable ?? columns.slice(2).toReversed().map(nameOf)) : []
  const table = tableOf({ rows, type, columns }, { header: options.header, width, droppable, before, style, dim })
  if (table) return table
  const records = rows.map((row) => recordOf({ value: row as OutputRow, type, columns }, { style, dim }))
  return { text: records.join('\n\n'), dropped: [] }
}

function nameOf({ name }: Column): string {
  return name
}

function idOf(row: unknown): string {
  const { id, name } = row as { id?: string; name?: string }
  const found = id ?? name
  if (found === undefined) throw withoutId()
  return found
}

function withoutId(): Error {
  return usageProblem('These rows have neither id nor name.', 'Use -o json.')
}

function jsonOf(value: unknown, { raw }: OutputOptions, indent?: number): string {
  const text = JSON.stringify(value, null, indent)
  return raw ? text : visibleJson(text)
}

type Csv = {
  readonly shape: RowShape
  readonly columns: readonly Column[]
  readonly header: boolean
  readonly shown: (text: string) => string
}

function csvOf(rows: readonly unknown[], { shape, columns, header, shown }: Csv): string {
  const type = rowTypeOf(shape)
  const lineOf = (values: readonly unknown[]) => values.map((value) => csvCell(value, shown)).join(',')
  const lines = rows.map((row) => lineOf(columns.map(({ name }) => valueAt(row, name, type))))
  return [...(header ? [lineOf(columns.map(nameOf))] : []), ...lines].join('\n')
}

/** A cell as the server writes it. Lines end as in every other output. */
function csvCell(value: unknown, shown: (text: string) => string): string {
  return quotedCell(shown(csvTextOf(value)))
}
