/** A list that events keep up to date: its table, or what to say where it is empty. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { type PageAddress, useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Loaded } from '../../ui/loaded.tsx'
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
  return (
    <Rows list={list} empty={empty}>
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
    </Rows>
  )
}

type RowsProps<T> = { list: LiveList<T>; empty?: ReactNode; children: ReactNode }

/** The rows of a list as they are drawn, once they are read, or what is said where there is none. */
function Rows<T>({ list: { rows, isPending, error, more }, empty, children }: RowsProps<T>) {
  // A page may be empty although rows follow, because the server looks at a bounded number of rows for the filters.
  const isEmpty = rows.length === 0 && !more.hasMore && empty !== undefined
  return <Loaded of={{ data: isPending ? undefined : rows, error }}>{() => (isEmpty ? empty : children)}</Loaded>
}

type CardsProps<T> = Omit<RowsProps<T>, 'children'> & { card: (row: T) => ReactNode }

/** A list of few rows, each of which has more to say than a line: a card for each. */
export function CardsView<T>({ list, card, empty }: CardsProps<T>) {
  return (
    <Rows list={list} empty={empty}>
      <div className="grid">
        {list.rows.map((row) => (
          <Fragment key={idOf(row)}>{card(row)}</Fragment>
        ))}
      </div>
      {list.more.hasMore ? <Button onClick={list.more.again ?? list.more.load}>Show more</Button> : null}
    </Rows>
  )
}

/** The id of a row. */
export function idOf(row: unknown): string {
  return (row as { readonly id: string }).id
}
