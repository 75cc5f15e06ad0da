/** A list that events keep up to date: its table, or what to say where it is empty. */
import type { ReactNode } from 'react'
import { useAddress } from '../ui/address.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Freshness } from '../ui/freshness.tsx'
import { Loading } from '../ui/page.tsx'
import { type Column, type Selection, Table } from '../ui/table.tsx'
import type { LiveList } from './queries.ts'

type ListViewProps<T> = {
  name: string
  list: LiveList<T>
  columns: readonly Column<T>[]
  keyOf: (row: T) => string
  /** What is shown where there is no row. Default: the table without rows. */
  empty?: ReactNode
  onOpen?: (row: T) => void
  selection?: Selection
  /** The name of the sort in the address, where a page has several lists. */
  sortName?: string
}

/** The list. Its sort is part of the address. */
export function ListView<T>({ list, empty, sortName = 'sort', ...table }: ListViewProps<T>) {
  const [address, setAddress] = useAddress({ [sortName]: '' })
  if (list.error && list.rows.length === 0) return <ErrorText error={list.error} />
  if (list.isPending) return <Loading />
  // A page may be empty although rows follow, because the server looks at a bounded number of rows for the filters.
  if (list.rows.length === 0 && !list.more.hasMore && empty !== undefined) return empty
  return (
    <>
      <ErrorText error={list.error} />
      <Table
        {...table}
        rows={list.rows}
        sort={address[sortName] ?? ''}
        onSort={(sort) => setAddress({ [sortName]: sort })}
        more={list.more}
        note={<Freshness updatedAt={list.updatedAt} count={list.rows.length} hasMore={list.more.hasMore} />}
      />
    </>
  )
}
