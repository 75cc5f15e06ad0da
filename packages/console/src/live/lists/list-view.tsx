/** A list that events keep up to date: its table, or what to say where it is empty. */
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type PageAddress, useAddress } from '../../ui/address.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Loading } from '../../ui/page.tsx'
import { type Column, type Selection, Table } from '../../ui/table.tsx'
import type { LiveList } from '../queries.ts'

/** The address of the page of one resource. */
export type ItemPage = Extract<PageAddress, `${string}/$id`>

export type ListViewProps<T> = {
  name: string
  list: LiveList<T>
  columns: readonly Column<T>[]
  /** What tells rows apart. Default: their ids. */
  keyOf?: (row: T) => string
  /** What is shown where there is no row. Default: the table without rows. */
  empty?: ReactNode
  /** The page that a row leads to. */
  page?: ItemPage | undefined
  onOpen?: ((row: T) => void) | undefined
  selection?: Selection | undefined
  /** The name of the sort in the address, where a page has several lists. */
  sortName?: string
}

/** The list. Its sort is part of the address. */
export function ListView<T>({
  list,
  empty,
  page,
  onOpen,
  sortName = 'sort',
  keyOf = idOf,
  ...table
}: ListViewProps<T>) {
  const [address, setAddress] = useAddress({ [sortName]: '' })
  const navigate = useNavigate()
  if (list.error && list.rows.length === 0) return <ErrorText error={list.error} />
  if (list.isPending) return <Loading />
  // A page may be empty although rows follow, because the server looks at a bounded number of rows for the filters.
  if (list.rows.length === 0 && !list.more.hasMore && empty !== undefined) return empty
  const opening = page && {
    onOpen: (row: T) => void navigate({ to: page, params: { id: keyOf(row) } }),
    linkOf: (row: T, name: ReactNode) => (
      <Link to={page} params={{ id: keyOf(row) }}>
        {name}
      </Link>
    ),
  }
  return (
    <>
      <ErrorText error={list.error} />
      <Table
        {...table}
        {...(onOpen ? { onOpen } : opening)}
        keyOf={keyOf}
        rows={list.rows}
        sort={address[sortName] ?? ''}
        onSort={(sort) => setAddress({ [sortName]: sort })}
        more={list.more}
        note={<Freshness updatedAt={list.updatedAt} count={list.rows.length} hasMore={list.more.hasMore} />}
      />
    </>
  )
}

/** The id of a row. */
export function idOf(row: unknown): string {
  return (row as { readonly id: string }).id
}
