/** Formats tables and records: as wide as necessary, and never wider than the terminal. */
import { cellOf, valueAt } from './cells.ts'

/** The options of a table. */
export type TableOptions = {
  readonly header: boolean
  /** The width of the terminal. Undefined where the output is not a terminal; then nothing is cut. */
  readonly width: number | undefined
  /** Whether columns on the right may be omitted where the terminal is too narrow. */
  readonly can_drop_columns?: boolean
  readonly dim: (text: string) => string
}

/** Formats rows under a header, with two spaces between columns. Ids are never cut, so that they can be copied. */
export function tableOf(rows: readonly unknown[], columns: readonly string[], options: TableOptions): string {
  const { header, width, can_drop_columns = false, dim } = options
  const names = columns.map(headerOf)
  const cells = rows.map((row) => columns.map((column) => cellOf(valueAt(row, column), lastName(column))))
  const all = header ? [names, ...cells] : cells
  const widest = columns.map((_, index) => Math.max(0, ...all.map((line) => lengthOf(line[index] ?? ''))))
  const least = columns.map((column, index) => (/(^|[._])id$/.test(column) ? widest[index] : 8) ?? 8)
  const shown = width !== undefined && can_drop_columns ? countThatFits(widest, least, width) : columns.length
  const widths = width === undefined ? widest : fit(widest.slice(0, shown), least, width)
  const lines = all.map((line) =>
    widths
      .map((room, index) => pad(line[index] ?? '', room))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => (header && index === 0 ? dim(line) : line)).join('\n')
}

/** Formats one object with a line for each member. */
export function recordOf(
  value: Readonly<Record<string, unknown>>,
  columns: readonly string[],
  { dim }: TableOptions,
): string {
  const widest = Math.max(...columns.map(lengthOf))
  return columns
    .map((column) => `${dim(column.padEnd(widest))}  ${cellOf(valueAt(value, column), lastName(column))}`)
    .join('\n')
}

/** The header of a column, with short units. Every kind of schedule has the same header. */
function headerOf(column: string): string {
  const short = column
    .replaceAll('_preview_', '')
    .replace(/(_price)?_dollars_per_node_hour$/, '_$/node-h')
    .replace(/_dollars$/, '_$')
    .replace('allocation_schedule_delta', 'schedule')
  return short.replaceAll('_', ' ').toUpperCase()
}

/** The number of columns that fit when each is cut as far as possible; at least one. */
function countThatFits(widest: readonly number[], least: readonly number[], room: number): number {
  const smallest = widest.map((width, index) => Math.min(width, least[index] ?? 0))
  let count = widest.length
  while (count > 1 && totalOf(smallest.slice(0, count)) > room) count -= 1
  return count
}

/** Narrows the widest columns that may be cut until all fit, if possible. */
function fit(widest: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...widest]
  for (let over = totalOf(widths) - room; over > 0; over = totalOf(widths) - room) {
    const spare = widths.map((width, index) => width - (least[index] ?? 0))
    const most = Math.max(...spare)
    const index = spare.indexOf(most)
    if (most <= 0) break
    widths[index] = (widths[index] ?? 0) - Math.min(over, Math.max(1, Math.ceil(most / 2)))
  }
  return widths
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + 2, -2)
}

function pad(cell: string, width: number): string {
  const letters = [...cell]
  if (letters.length > width) return `${letters.slice(0, Math.max(0, width - 1)).join('')}…`
  return cell + ' '.repeat(width - letters.length)
}

function lengthOf(text: string): number {
  return [...text].length
}

function lastName(column: string): string {
  return column.split('.').at(-1) as string
}
