/**
 * Columns by the names of the members of a row: title, format, alignment, sort and export follow from the contract.
 * What is special about one is said where it is special. Pure.
 */
import type { Answer, Item, OperationName } from '@bourse/sdk'
import type { ReactNode } from 'react'
import type { CellValue } from '../../ui/table.rules.ts'
import type { Column } from '../../ui/table.tsx'
import { type ColumnKind, kinds, type ShownValue } from './kinds.rules.ts'

type Fits<V, K extends ColumnKind> = NonNullable<V> extends ShownValue<K> ? K : never
/** The members of rows with their kinds and titles. A kind that does not suit the member does not compile. */
type Fields<T> = {
  readonly [M in keyof T]?: readonly [kind: { [K in ColumnKind]: Fits<T[M], K> }[ColumnKind], title: string]
}

/** Rows of an operation as the generated files describe them; `of`: of a list in its rows. */
type Described = { readonly operation: OperationName; readonly of?: string; readonly fields: object }
type ListedItem<R extends Described> = [Item<R['operation']>] extends [never]
  ? Answer<R['operation']>
  : Item<R['operation']>
type Inner<T, M> = M extends keyof T ? (NonNullable<T[M]> extends readonly (infer E)[] ? E : never) : never
/** The type of a row. */
export type RowOf<R extends Described> = R['of'] extends string ? Inner<ListedItem<R>, R['of']> : ListedItem<R>

type Looks<T> = {
  readonly title?: string
  readonly cell?: (row: T) => ReactNode
  readonly isNumber?: boolean
  readonly isName?: boolean
  readonly isOptional?: boolean
  readonly isExtra?: boolean
  /** What is shown where there is no value. Default: a dash. */
  readonly none?: string
}
/** A member with something special about it. */
type Special<T, F> = Looks<T> & {
  readonly of: keyof F & string
  readonly as?: ColumnKind
  readonly value?: (row: T) => CellValue
}
/** A column of no member: its value, shown by its kind. Without a value it is not sorted, such as buttons. */
type Own<T> = Looks<T> & {
  readonly id: string
  readonly title: string
  readonly value?: (row: T) => CellValue
  readonly as?: ColumnKind
}
type ColumnEntry<T, F> = (keyof F & string) | Special<T, F> | Own<T>

/** What the cells of each kind hold. */
export type Cells = { readonly [K in ColumnKind]: (value: ShownValue<K>) => ReactNode }

/** What makes columns, with cells that hold this. */
export function columnsWith(cells: Cells) {
  return {
    /** The columns of rows, in their order, and those that are shown only when they are chosen. */
    columnsOf<const R extends Described>(
      rows: R & { readonly fields: Fields<RowOf<R>> },
      shown: readonly ColumnEntry<RowOf<R>, R['fields']>[],
      extra: readonly ColumnEntry<RowOf<R>, R['fields']>[] = [],
    ): readonly Column<RowOf<R>>[] {
      const columnOf = (entry: ColumnEntry<RowOf<R>, R['fields']>) => columnIn(rows.fields, entry, cells as AnyCells)
      return [...shown.map(columnOf), ...extra.map((entry) => ({ ...columnOf(entry), isExtra: true }))]
    },
    /** Columns of rows that the contract does not describe, such as those that a page has put together. */
    ownColumns<T>(shown: readonly Own<T>[]): readonly Column<T>[] {
      return shown.map((entry) => ownColumn(entry, cells as AnyCells))
    },
  }
}

/** Cells by kinds that are known only at run time. The types of the columns say which value goes with which kind. */
type AnyCells = Readonly<Record<ColumnKind, (value: unknown) => ReactNode>>

function columnIn<T, F>(fields: object, entry: ColumnEntry<T, F>, cells: AnyCells): Column<T> {
  if (typeof entry === 'object' && 'id' in entry) return ownColumn(entry, cells)
  const { of: name, ...special } = typeof entry === 'object' ? entry : { of: entry }
  const [kind, title] = (fields as Readonly<Record<string, readonly [ColumnKind, string]>>)[name] ?? ['text', name]
  const looks = { id: name, title, isName: kind === 'name', ...special }
  return special.value ? ownColumn(looks, cells) : memberColumn({ as: kind, ...looks }, cells)
}

function memberColumn<T>(
  { id, cell, as: kind, none = '–', ...looks }: Own<T> & { as: ColumnKind },
  cells: AnyCells,
): Column<T> {
  const read = (row: T) => (row as Readonly<Record<string, unknown>>)[id]
  const { isNumber, value } = kinds[kind]
  return {
    isNumber,
    ...looks,
    id,
    value: (row) => (isNothing(read(row)) ? undefined : value(read(row))),
    cell: (row) => (isNothing(read(row)) ? none : cell ? cell(row) : cells[kind](read(row))),
  }
}

function ownColumn<T>(
  { id, value = () => '', cell, as: kind = 'text', none = '–', ...looks }: Own<T>,
  cells: AnyCells,
): Column<T> {
  const drawn = (given: CellValue) => (isNothing(given) || given === '' ? none : cells[kind](given))
  return { isNumber: kinds[kind].isNumber, ...looks, id, value, cell: cell ?? ((row) => drawn(value(row))) }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
