/**
 * Columns by the names of the members of a row: title, format, alignment, sort and export follow from the contract.
 * What is special about one is said where it is special.
 */
import type { Answer, Item, OperationName } from '@bourse/sdk'
import type { ReactNode } from 'react'
import type { CellValue } from '../../ui/table.rules.ts'
import type { Column } from '../../ui/table.tsx'
import { formats, type Kind, type Shown } from './formats.tsx'

type Fits<V, K extends Kind> = NonNullable<V> extends Shown<K> ? K : never
/** The members of rows with their kinds and titles. A kind that does not suit the member does not compile. */
type Fields<T> = { readonly [M in keyof T]?: readonly [kind: { [K in Kind]: Fits<T[M], K> }[Kind], title: string] }

/** Rows of an operation as the generated files describe them; `of`: of a list in its rows. */
type Described = { readonly operation: OperationName; readonly of?: string; readonly fields: object }
type Listed<R extends Described> = [Item<R['operation']>] extends [never]
  ? Answer<R['operation']>
  : Item<R['operation']>
type Inner<T, M> = M extends keyof T ? (NonNullable<T[M]> extends readonly (infer E)[] ? E : never) : never
/** The type of a row. */
export type RowOf<R extends Described> = R['of'] extends string ? Inner<Listed<R>, R['of']> : Listed<R>

type Looks<T> = {
  readonly title?: string
  readonly cell?: (row: T) => ReactNode
  readonly isNumber?: boolean
  readonly isName?: boolean
  /** What is shown where there is no value. Default: a dash. */
  readonly none?: string
}
/** A member with something special about it. */
type Special<T, F> = Looks<T> & {
  readonly of: keyof F & string
  readonly as?: Kind
  readonly value?: (row: T) => CellValue
}
/** A column of no member: its value, shown by its kind. Without a value it is not sorted, such as buttons. */
type Own<T> = Looks<T> & {
  readonly id: string
  readonly title: string
  readonly value?: (row: T) => CellValue
  readonly as?: Kind
}
type Entry<T, F> = (keyof F & string) | Special<T, F> | Own<T>

/** The columns of rows, in their order, and those that are shown only when they are chosen. */
export function columnsOf<const R extends Described>(
  rows: R & { readonly fields: Fields<RowOf<R>> },
  shown: readonly Entry<RowOf<R>, R['fields']>[],
  extra: readonly Entry<RowOf<R>, R['fields']>[] = [],
): readonly Column<RowOf<R>>[] {
  const columnOf = (entry: Entry<RowOf<R>, R['fields']>) => {
    if (typeof entry === 'object' && 'id' in entry) return ownColumn(entry)
    const { of: name, ...special } = typeof entry === 'object' ? entry : { of: entry }
    const [kind, title] = (rows.fields as Readonly<Record<string, readonly [Kind, string]>>)[name] as readonly [
      Kind,
      string,
    ]
    const as = special.value ? 'text' : kind
    return memberColumn({ id: name, title, as, isName: kind === 'name', ...special })
  }
  return [...shown.map(columnOf), ...extra.map((entry) => ({ ...columnOf(entry), isExtra: true }))]
}

/** Columns of rows that the contract does not describe, such as those that a page has put together. */
export function ownColumns<T>(shown: readonly Own<T>[]): readonly Column<T>[] {
  return shown.map(ownColumn)
}

function memberColumn<T>({ id, value, cell, as: kind = 'text', none = '–', ...looks }: Own<T>): Column<T> {
  if (value) return ownColumn({ id, value, as: kind, none, ...looks, ...(cell ? { cell } : {}) })
  const read = (row: T) => (row as Readonly<Record<string, unknown>>)[id]
  const format = formats[kind]
  return {
    isNumber: format.isNumber,
    ...looks,
    id,
    value: (row) => (isNothing(read(row)) ? undefined : format.value(read(row))),
    cell: (row) => (isNothing(read(row)) ? none : cell ? cell(row) : format.cell(read(row))),
  }
}

function ownColumn<T>({ id, value = () => '', cell, as: kind = 'text', none = '–', ...looks }: Own<T>): Column<T> {
  const { isNumber, cell: shown } = formats[kind]
  const drawn = (given: CellValue) => (isNothing(given) || given === '' ? none : shown(given))
  return { isNumber, ...looks, id, value, cell: cell ?? ((row) => drawn(value(row))) }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
