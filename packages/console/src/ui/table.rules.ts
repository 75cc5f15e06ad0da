/** Order, beginning and export of rows. Pure. */
import { csvLines } from '@bourse/text/csv.ts'

/** What a cell is sorted and exported by. */
export type CellValue = string | number | boolean | null | undefined

/** A column of a table of rows. */
export type SortableColumn<T> = { readonly id: string; readonly value: (row: T) => CellValue }

/** The sort of a table: the id of a column, with a minus for descending; empty for the order of the server. */
export function sorted<T>(rows: readonly T[], columns: readonly SortableColumn<T>[], sort: string): readonly T[] {
  const column = columns.find(({ id }) => id === sort.replace(/^-/, ''))
  if (!column) return rows
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => sign * compare(column.value(a), column.value(b)))
}

/** The sort after the heading of a column was pressed: ascending, descending, then none. */
export function nextSort(sort: string, id: string): string {
  if (sort === id) return `-${id}`
  return sort === `-${id}` ? '' : id
}

/** Nothing comes last; numbers, also those in texts, by their size. */
function compare(a: CellValue, b: CellValue): number {
  if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b))
  const x = Number(a)
  const y = Number(b)
  if (a !== '' && b !== '' && Number.isFinite(x) && Number.isFinite(y)) return x - y
  return String(a).localeCompare(String(b), 'en', { numeric: true })
}

function isNothing(value: CellValue): boolean {
  return value === null || value === undefined
}

/** Rows as CSV. */
export function csvOf<T>(rows: readonly T[], columns: readonly (SortableColumn<T> & { title: string })[]): string {
  return csvLines([columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ value }) => value(row)))])
}

/** The first of many, and how many others there are. */
export function cut<T>(items: readonly T[], most: number): { readonly shown: readonly T[]; readonly more: number } {
  return { shown: items.slice(0, most), more: Math.max(0, items.length - most) }
}

/**
 * The keys of rows that have come since others were shown, so that a table can point to them. None where all are
 * others: then it shows another list.
 */
export function freshKeys(before: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  if (!keys.some((key) => before.has(key))) return new Set()
  // Rows after the last known one are the next part of the list, or older ones.
  const last = keys.findLastIndex((key) => before.has(key))
  return new Set(keys.slice(0, last).filter((key) => !before.has(key)))
}
