/** A map of cells: rows of things, columns of time. Colours, selection and keys. Pure. */
import { isMidnight } from '../../ui/values.rules.ts'

/** A cell of a row: its window, the value of its colour, and what it says. */
export type HeatCell = {
  readonly start_at: number
  readonly end_at: number
  /** Null where there is nothing: it has no colour. */
  readonly value: number | null
  readonly text: string
}
/** A row. */
export type HeatRow = { readonly key: string; readonly title: string; readonly cells: readonly HeatCell[] }
/** Where a cell is. */
export type CellAt = { readonly row: number; readonly column: number }
/** Cells of one row, from one to another, in either direction. */
export type Selected = CellAt & { readonly to: number }

/** How many shades there are. */
export const shades = 6

/** What the first and the last shade stand for. */
export type ValueRange = { readonly low: number; readonly high: number }

/** The least range as a part of the middle value: a few cents are all one shade. */
const leastRange = 0.2

/** The least and the greatest value of cells, further apart where they are close; undefined where none has one. */
export function valueRange(rows: readonly HeatRow[]): ValueRange | undefined {
  const values = rows.flatMap(({ cells }) => cells.flatMap(({ value }) => (value === null ? [] : [value])))
  if (values.length === 0) return undefined
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  const middle = (least + greatest) / 2
  const half = Math.max(greatest - least, middle * leastRange) / 2
  return { low: middle - half, high: middle + half }
}

/** The shade of a value, from 1 for the least to the last for the greatest; 0 for nothing. */
export function shadeOf(value: number | null, range: ValueRange | undefined) {
  if (value === null || range === undefined) return 0
  if (range.high === range.low) return 3
  return 1 + Math.min(shades - 1, Math.floor(((value - range.low) / (range.high - range.low)) * shades))
}

/** The window of selected cells; undefined where a row has none of them. */
export function selectedWindow(
  rows: readonly HeatRow[],
  { row, column, to }: Selected,
): { readonly key: string; readonly start: number; readonly end: number } | undefined {
  const chosen = rows[row]
  const first = chosen?.cells[Math.min(column, to)]
  const last = chosen?.cells[Math.max(column, to)]
  return chosen && first && last ? { key: chosen.key, start: first.start_at, end: last.end_at } : undefined
}

/** The cell that a key of arrows leads to; undefined for another key. It stays inside. */
export function cellAfter(key: string, { row, column }: CellAt, rows: readonly HeatRow[]): CellAt | undefined {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key]
  const columns = (rows[row]?.cells.length ?? 1) - 1
  if (key === 'Home') return { row, column: 0 }
  if (key === 'End') return { row, column: columns }
  if (!step) return undefined
  const [down = 0, right = 0] = step
  return {
    row: Math.max(0, Math.min(rows.length - 1, row + down)),
    column: Math.max(0, Math.min(columns, column + right)),
  }
}

/**
 * The columns that have a label of time: the first one, and each at a full quarter of the day. Where a day begins close
 * to the first one, its label stays and the first gives way.
 */
export function labelledColumns(
  cells: readonly HeatCell[],
): readonly { readonly column: number; readonly at: number }[] {
  const first = cells[0]
  if (!first) return []
  const isRound = ({ start_at }: HeatCell) => {
    return cells.length > 60 ? isMidnight(start_at) : new Date(start_at * 1_000).getHours() % 6 === 0
  }
  const round = cells.flatMap((cell, column) => (column > 0 && isRound(cell) ? [{ column, at: cell.start_at }] : []))
  const isDayNear = round.some(({ column, at }) => column < firstLabelColumns && isMidnight(at))
  const later = round.filter(({ column, at }) => column >= firstLabelColumns || (isDayNear && isMidnight(at)))
  return isDayNear ? later : [{ column: 0, at: first.start_at }, ...later]
}

/** The first label is a date and a time: so many columns wide. */
const firstLabelColumns = 5
