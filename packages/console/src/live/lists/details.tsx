/** One resource as a property table, by the same columns as its list. */
import { Facts } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'

/** Titles with their values; optional ones only where there is a value. */
export function Details<T>({ columns, row }: { columns: readonly Column<T>[]; row: T }) {
  const shown = columns.filter(({ isOptional, value }) => !isOptional || hasValue(value(row)))
  return <Facts facts={shown.map(({ title, cell }) => [title, cell(row)])} />
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
