/**
 * A page or a tab with one list: filters and what is open are part of the address, above it is what creates a row, and
 * where there is none, what to do about it.
 */
import type { Item } from '@bourse/sdk'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode, Suspense } from 'react'
import { useAddress } from '../../ui/address.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { nounOf } from '../nouns.rules.ts'
import type { ListFilters, ListName } from '../operations.ts'
import { type LiveList, useList } from '../queries.ts'
import type { FilterControl } from './filters.tsx'
import { idOf, ListView, type ListViewProps } from './list-view.tsx'

/** The controls of filters: by parameters of the operation, or by names of their own with what is sent for them. */
type Filtering<N extends ListName> =
  | { filters?: { readonly [F in keyof ListFilters<N>]?: FilterControl }; query?: undefined }
  | {
      filters: Readonly<Record<string, FilterControl>>
      query: (given: Readonly<Record<string, string>>) => ListFilters<N>
    }

/** What creates a row: a button, and the dialog that it opens. */
type Creation = {
  readonly label: string
  readonly dialog: (close: () => void, open: (id: string) => void) => ReactNode
}

type ListTabProps<N extends ListName> = Filtering<N> &
  Pick<ListViewProps<Item<N>>, 'name' | 'columns' | 'keyOf' | 'page' | 'onOpen' | 'selection'> & {
    operation: N
    /** Filters that nobody changes. */
    fixed?: ListFilters<N>
    every?: number
    create?: Creation
    /** The dialog of a row. */
    opened?: (row: Item<N>, close: () => void) => ReactNode
    /** What is shown where there is no row and no filter. */
    empty?: ReactNode | ((create: ReactNode) => ReactNode)
    /** Further actions, beside what creates a row. */
    actions?: ReactNode
    /** Between the filters and the list. */
    above?: (list: LiveList<Item<N>>) => ReactNode
    /** Further dialogs. */
    children?: ReactNode
  }

type PageProps = { title: string; help: ReactNode; guide: string }

/** A page with one list. */
export function ListPage<N extends ListName>({ title, help, guide, ...props }: PageProps & ListTabProps<N>) {
  const { button, filters, content } = useListParts(props)
  return (
    <Page
      title={title}
      help={help}
      guide={guide}
      actions={
        <>
          {props.actions}
          {button}
        </>
      }
    >
      {filters.length > 0 ? <search className="row no-print">{filters}</search> : null}
      {content}
    </Page>
  )
}

/** A tab with one list. */
export function ListTab<N extends ListName>(props: ListTabProps<N>) {
  const { button, filters, content } = useListParts(props)
  return (
    <div className="stack">
      <div className="row no-print">
        {button}
        {props.actions}
        {filters}
      </div>
      {content}
    </div>
  )
}

type AddressOfList = { readonly open: string; readonly create: string; readonly [filter: string]: string }

/** The parts of a list, which a page and a tab arrange. */
function useListParts<N extends ListName>(props: ListTabProps<N>) {
  const { operation, filters = {}, query, fixed, every, create, opened, empty, above, children, ...view } = props
  const controls = Object.entries(filters as Readonly<Record<string, FilterControl>>)
  const none = Object.fromEntries(controls.map(([filter]) => [filter, '']))
  const [address, setAddress] = useAddress<AddressOfList>({ open: '', create: '', ...none })
  const navigate = useNavigate()
  const given = Object.fromEntries(controls.map(([filter]) => [filter, address[filter] ?? '']))
  const sent = { ...fixed, ...(query ? query(given) : given) } as ListFilters<N>
  const list = useList(operation, sent, every === undefined ? {} : { every })
  const row = opened && list.rows.find((one) => idOf(one) === address.open)
  const { page } = view
  const open = (id: string) => {
    if (page) void navigate({ to: page, params: { id } })
    else setAddress({ create: '', open: id }, { push: true })
  }
  const onOpen = view.onOpen ?? (opened && ((one: Item<N>) => open(idOf(one))))
  const button = create && (
    <Button kind="primary" onClick={() => setAddress({ create: '1' })}>
      {create.label}
    </Button>
  )
  const isFiltered = Object.values(given).some((value) => value !== '')
  const noRow = isFiltered ? (
    <NoMatch noun={nounOf(operation)} onClear={() => setAddress(none)} />
  ) : typeof empty === 'function' ? (
    empty(button)
  ) : (
    empty
  )
  return {
    button,
    filters: controls.map(([filter, Control]) => (
      <Control key={filter} value={given[filter] ?? ''} onChange={(value) => setAddress({ [filter]: value })} />
    )),
    content: (
      <>
        {above?.(list)}
        <ListView<Item<N>> {...view} list={list} onOpen={onOpen} empty={noRow} />
        <Suspense>
          {row ? <Fragment key={idOf(row)}>{opened?.(row, () => setAddress({ open: '' }))}</Fragment> : null}
          {address.create === '' ? null : create?.dialog(() => setAddress({ create: '' }), open)}
        </Suspense>
        {children}
      </>
    ),
  }
}

/** What a list says that has no row for its filters. */
function NoMatch({ noun, onClear }: { noun: string; onClear: () => void }) {
  return (
    <Empty title={`No ${noun.replaceAll('_', ' ')}`} action={<Button onClick={onClear}>Show all</Button>}>
      None fits these filters.
    </Empty>
  )
}
