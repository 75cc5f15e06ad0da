/**
 * Formats rows as a table: as wide as necessary, and never wider than the terminal. Where the room is short, text is
 * cut and headers are wrapped, then columns are left out. Times, money, numbers, ids and states are never cut.
 */
import { dollarsOf } from '@bourse/text/formats/amounts.ts'
import { type CellStyle, linesOf } from '../cells.ts'
import { cut, padded, widthOf } from '../widths.ts'
import { displayedType, type ObjectType, type ValueType, valueAt } from './value-types.ts'

/** A column: the dotted path of its values, and their type. */
export type Column = { readonly name: string; readonly type: ValueType }

/** The rows that are shown, the type of a row, and the columns. */
export type TableRows = {
  readonly rows: readonly unknown[]
  readonly type: ValueType
  readonly columns: readonly Column[]
}

/** The options of a table. */
export type TableOptions = {
  readonly header: boolean
  /** The width of the terminal. Undefined where the output is not a terminal; then nothing is cut. */
  readonly width: number | undefined
  /** The columns that may be left out, the first one first. */
  readonly droppable?: readonly string[]
  /** The widths of columns in the lines before, where rows are printed one by one. */
  readonly before?: ReadonlyMap<string, number> | undefined
  readonly style: CellStyle
  readonly dim: (text: string) => string
}

/** A table, the columns that are not in it, and the widths of the others. */
export type Table = {
  readonly text: string
  readonly dropped: readonly string[]
  readonly widths: ReadonlyMap<string, number>
}

type Drawn = Column & {
  readonly header: string
  readonly cells: readonly (readonly string[])[]
  readonly before: number
}

/** The least width of a column whose text is cut, and the most lines of a cell. */
const shortest = 16
const tallest = 8

/** Formats a table. Undefined where not even the columns fit that may not be left out. */
export function tableOf({ rows, type, columns }: TableRows, options: TableOptions): Table | undefined {
  const { width, header, style, before } = options
  const drawn = columns.map((column) => ({
    ...drawColumn(column, rows, type, style),
    before: before?.get(column.name) ?? 0,
  }))
  if (width === undefined) return tableWith(drawn, drawn.map(naturalWidth(header)), options)
  const droppable = (options.droppable ?? []).filter((name) => drawn.some((column) => column.name === name))
  const dropped = new Set<string>()
  const widths = () =>
    fit(
      drawn.filter(({ name }) => !dropped.has(name)),
      { width, header },
    )
  for (const name of droppable) {
    if (widths()) break
    dropped.add(name)
  }
  // A wide column that was left out last can make room for narrow ones.
  for (const name of droppable.filter((one) => dropped.has(one)).toReversed()) {
    dropped.delete(name)
    if (!widths()) dropped.add(name)
  }
  const kept = drawn.filter(({ name }) => !dropped.has(name))
  const found = fit(kept, { width, header })
  if (!found || kept.length === 0) return undefined
  const left = drawn.filter(({ name }) => dropped.has(name))
  return { ...tableWith(kept, found, options), dropped: left.map(({ name }) => name) }
}

function tableWith(columns: readonly Drawn[], widths: readonly number[], options: TableOptions): Table {
  const named = columns.map(({ name }, index) => [name, widths[index] ?? 0] as const)
  return { text: textOf(columns, widths, options), dropped: [], widths: new Map(named) }
}

function drawColumn(
  column: Column,
  rows: readonly unknown[],
  type: ValueType,
  style: CellStyle,
): Omit<Drawn, 'before'> {
  const values = rows.map((row) => valueAt(row, column.name, type))
  const cells = values.map((value) => shortened(linesOf(value, column.type, style), style.exact))
  const header = headerOf(column, style.exact)
  if (column.type.kind !== 'money' || style.exact) return { ...column, header, cells }
  // Amounts below each other have the same number of decimals.
  const decimals = cells.map(([text = '']) => (text.split('.')[1] ?? '').length)
  const most = Math.max(2, ...decimals)
  const aligned = values.map((value) => (typeof value === 'string' ? [dollarsOf(value, most)] : ['-']))
  return { ...column, header, cells: aligned }
}

function shortened(lines: string[], isExact: boolean): string[] {
  if (isExact || lines.length <= tallest) return lines
  return [...lines.slice(0, tallest - 1), `… ${lines.length - tallest + 1} more`]
}

/** The header of a column. Units that the values show are left out. */
function headerOf({ name, type }: Column, isExact: boolean): string {
  const shown = (displayedType(type) ?? type) as ValueType
  const of = shown.kind === 'list' ? shown.of : shown
  const hasUnit = !isExact && (of.kind === 'money' || (of.kind === 'number' && of.of !== undefined))
  const short = name
    .replaceAll('_preview_', '')
    .replace('allocation_schedule_delta', 'schedule')
    .replace(/(_price)?_dollars_per_node_hour$/, '_$/node-h')
    .replace(hasUnit ? /_(dollars|bytes|milliseconds|ms|seconds|(?<!node_)minutes|percent|bps)$/ : /$^/, '')
  return short.replaceAll('_', ' ').toUpperCase()
}

function isRight({ type }: Column): boolean {
  const shown = displayedType(type) ?? type
  return shown.kind === 'money' || shown.kind === 'number'
}

/** Whether the values of a type may be cut. */
function isCut(type: ValueType): boolean {
  if (displayedType(type)?.kind === 'number') return false
  switch (type.kind) {
    case 'list':
      return isCut(type.of)
    case 'object':
      return !type.isWindow && !isReference(type)
    case 'map':
      return type.of.kind !== 'list'
    default:
      return type.kind === 'text' || type.kind === 'any'
  }
}

/** Whether an object is shown as its id. */
function isReference({ members }: ObjectType): boolean {
  return members.has('id') && !members.has('name') && !members.has('alias')
}

function naturalWidth(hasHeader: boolean) {
  return ({ header, cells, before }: Drawn) => Math.max(hasHeader ? widthOf(header) : 0, contentWidth(cells), before)
}

function contentWidth(cells: Drawn['cells']): number {
  return cells.reduce((most, lines) => lines.reduce((widest, line) => Math.max(widest, widthOf(line)), most), 0)
}

/** The widths with which the columns fit; undefined where they do not. */
function fit(columns: readonly Drawn[], { width, header }: { width: number; header: boolean }): number[] | undefined {
  const natural = columns.map(naturalWidth(header))
  if (totalOf(natural) <= width) return natural
  const least = columns.map((column) => leastWidth(column, header))
  if (totalOf(least) > width) return undefined
  const widths = [...natural]
  for (let over = totalOf(widths) - width; over > 0; over = totalOf(widths) - width) {
    const spare = widths.map((one, index) => one - (least[index] ?? 0))
    const most = Math.max(...spare)
    const index = spare.indexOf(most)
    widths[index] = (widths[index] ?? 0) - Math.min(over, Math.max(1, Math.ceil(most / 2)))
  }
  return widths
}

/** The width with the header wrapped at each word, and text cut as far as possible. */
function leastWidth({ header, cells, type }: Drawn, hasHeader: boolean): number {
  const content = isCut(type) ? Math.min(shortest, contentWidth(cells)) : contentWidth(cells)
  const word = hasHeader ? Math.max(0, ...header.split(' ').map(widthOf)) : 0
  return Math.max(content, word)
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + 2, -2)
}

function textOf(columns: readonly Drawn[], widths: readonly number[], { header, dim }: TableOptions): string {
  const sides = columns.map((column) => (isRight(column) ? 'right' : 'left'))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => padded(cut(cell, widths[index] ?? 0), widths[index] ?? 0, sides[index] ?? 'left'))
      .join('  ')
      .trimEnd()
  const block = (cells: readonly (readonly string[])[], atBottom = false) => {
    const height = Math.max(...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, row) =>
      line(cells.map((lines) => lines[atBottom ? row - height + lines.length : row] ?? '')),
    )
  }
  const headers = columns.map((column, index) => wrapped(column.header, widths[index] ?? 0))
  const count = columns[0]?.cells.length ?? 0
  const body = Array.from({ length: count }, (_, row) => block(columns.map(({ cells }) => cells[row] ?? [])))
  return [...(header ? block(headers, true).map(dim) : []), ...body.flat()].join('\n')
}

/** The words of a header in lines of a width. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
