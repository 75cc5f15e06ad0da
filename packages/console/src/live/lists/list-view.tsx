/** A list that events keep up to date: its table, or what to say where it is empty. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { type PageAddress, useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Loading } from '../../ui/page.tsx'
import { type Column, type Selection, Table } from '../../ui/table.tsx'
import type { LiveList } from '../queries.ts'

/** The address of the page of one resource. */
export type ItemAddress = Extract<PageAddress, `${string}/$id`>

export type ListViewProps<T> = {
  name: string
  list: LiveList<T>
  columns: readonly Column<T>[]
  /** What tells rows apart. Default: their ids. */
  keyOf?: (row: T) => string
  /** What is shown where there is no row. Default: the table without rows. */
  empty?: ReactNode
  /** The page that a row leads to. */
  page?: ItemAddress | undefined
  onOpen?: ((row: T) => void) | undefined
  selection?: Selection | undefined
  /** The name of the sort in the address, where a page has several lists. */
  sortName?: string
}

/** How rows are opened that have a page of their own: by a link around their name, or anywhere in the row. */
export function useOpening<T>(page: ItemAddress | undefined, keyOf: (row: T) => string = idOf) {
  const navigate = useNavigate()
  if (page === undefined) return {}
  return {
    onOpen: (row: T) => void navigate({ to: page, params: { id: keyOf(row) } }),
    linkOf: (row: T, name: ReactNode) => (
      <Link to={page} params={{ id: keyOf(row) }}>
        {name}
      </Link>
    ),
  }
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
  const opening = useOpening(page, keyOf)
  if (list.error && list.rows.length === 0) return <ErrorText error={list.error} />
  if (list.isPending) return <Loading />
  // A page may be empty although rows follow, because the server looks at a bounded number of rows for the filters.
  if (list.rows.length === 0 && !list.more.hasMore && empty !== undefined) return empty
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

type CardsProps<T> = { list: LiveList<T>; card: (row: T) => ReactNode; empty?: ReactNode }

/** A list of few rows, each of which has more to say than a line: a card for each. */
export function CardsView<T>({ list, card, empty }: CardsProps<T>) {
  if (list.isPending) return list.error ? <ErrorText error={list.error} /> : <Loading />
  if (list.rows.length === 0 && !list.more.hasMore && empty !== undefined) return empty
  return (
    <>
      <ErrorText error={list.error} />
      <div className="grid">
        {list.rows.map((row) => (
          <Fragment key={idOf(row)}>{card(row)}</Fragment>
        ))}
      </div>
      {list.more.hasMore ? <Button onClick={list.more.again ?? list.more.load}>Show more</Button> : null}
    </>
  )
}

/** The id of a row. */
export function idOf(row: unknown): string {
  return (row as { readonly id: string }).id
}
