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
import type { ListFilters, ListName } from '../operations.ts'
import { type LiveList, useList } from '../queries.ts'
import type { FilterControl } from './filters.tsx'
import { CardsView, idOf, ListView, type ListViewProps } from './list-view.tsx'

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

/** What belongs into a list without rows, and what to do about it; the command may name what is there. */
type EmptyText = {
  readonly title: string
  /** The title where only the filters leave nothing. Default: the same. */
  readonly unmatched?: string
  readonly text: ReactNode
} & ({ readonly command?: string; readonly useCommand?: undefined } | { readonly useCommand: () => string })

/** A table of rows, or a card for each. */
type ListLook<T> =
  | (Pick<ListViewProps<T>, 'name' | 'columns' | 'keyOf' | 'page' | 'onOpen' | 'selection'> & { card?: undefined })
  | { card: (row: T) => ReactNode; keyOf?: undefined; page?: undefined; onOpen?: undefined }

export type ListTabProps<N extends ListName> = Filtering<N> &
  ListLook<Item<N>> & {
    operation: N
    /** What filters begin with. Default: nothing. */
    defaults?: Readonly<Record<string, string>>
    /** Filters that nobody changes. */
    fixed?: ListFilters<N>
    /** Milliseconds after which it is read again; it may depend on the filters. */
    every?: number | ((given: Readonly<Record<string, string>>) => number | undefined)
    create?: Creation
    /** The dialog of a row. */
    opened?: (row: Item<N>, close: () => void) => ReactNode
    /** What is said where there is no row. Default: the table without rows. */
    empty?: EmptyText
    /** Further actions, beside what creates a row. */
    actions?: ReactNode | ((list: LiveList<Item<N>>) => ReactNode)
    /** Between the filters and the list. */
    above?: (list: LiveList<Item<N>>) => ReactNode
    /** Below the list; it gets what was sent. */
    below?: (sent: ListFilters<N>) => ReactNode
    /** Further dialogs. */
    children?: ReactNode
  }

type ListPageProps = { title: string; help: ReactNode; guide: string }

/** A page with one list. */
export function ListPage<N extends ListName>({ title, help, guide, ...props }: ListPageProps & ListTabProps<N>) {
  const { actions, button, filters, content } = useListParts(props, true)
  return (
    <Page
      title={title}
      help={help}
      guide={guide}
      actions={
        <>
          {actions}
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
  const { actions, button, filters, content } = useListParts(props, false)
  return (
    <div className="stack">
      <div className="row no-print">
        {filters.length > 0 ? <search className="row">{filters}</search> : null}
        <div className="row end">
          {actions}
          {button}
        </div>
      </div>
      {content}
    </div>
  )
}

type AddressOfList = { readonly open: string; readonly create: string; readonly [filter: string]: string }

/** The parts of a list, which a page and a tab arrange. */
function useListParts<N extends ListName>(props: ListTabProps<N>, isPage: boolean) {
  const {
    operation,
    filters = {},
    defaults,
    query,
    fixed,
    every,
    create,
    opened,
    empty,
    actions,
    above,
    below,
    children,
    ...view
  } = props
  const controls = Object.entries(filters as Readonly<Record<string, FilterControl>>)
  const none = Object.fromEntries(controls.map(([filter]) => [filter, defaults?.[filter] ?? '']))
  const [address, setAddress] = useAddress<AddressOfList>({ open: '', create: '', ...none })
  const navigate = useNavigate()
  const given = Object.fromEntries(controls.map(([filter]) => [filter, address[filter] ?? '']))
  const sent = { ...fixed, ...(query ? query(given) : given) } as ListFilters<N>
  const pace = typeof every === 'function' ? every(given) : every
  const list = useList(operation, sent, pace === undefined ? {} : { every: pace })
  const { page, keyOf = idOf } = view
  const row = opened && list.rows.find((one) => keyOf(one) === address.open)
  const open = (id: string) => {
    if (page) void navigate({ to: page, params: { id } })
    else setAddress({ create: '', open: id }, { push: true })
  }
  const onOpen = view.onOpen ?? (opened && ((one: Item<N>) => open(keyOf(one))))
  const button = create && <CreateButton label={create.label} onPress={() => setAddress({ create: '1' })} />
  const isFiltered = controls.some(([filter]) => given[filter] !== none[filter])
  const noRow = isFiltered ? (
    <NoMatch
      title={empty?.unmatched ?? empty?.title ?? 'Nothing found'}
      hasDefaults={defaults !== undefined}
      onClear={() => setAddress(none)}
    />
  ) : (
    empty && <NoRow {...empty} action={isPage ? button : undefined} />
  )
  return {
    actions: typeof actions === 'function' ? actions(list) : actions,
    button,
    filters: controls.map(([filter, Control]) => (
      <Control key={filter} value={given[filter] ?? ''} onChange={(value) => setAddress({ [filter]: value })} />
    )),
    content: (
      <>
        {above?.(list)}
        {view.card ? (
          <CardsView<Item<N>> list={list} card={view.card} empty={noRow} />
        ) : (
          <ListView<Item<N>> {...view} list={list} onOpen={onOpen} empty={noRow} />
        )}
        {below?.(sent)}
        <Suspense>
          {row ? <Fragment key={keyOf(row)}>{opened?.(row, () => setAddress({ open: '' }))}</Fragment> : null}
          {address.create === '' ? null : create?.dialog(() => setAddress({ create: '' }), open)}
        </Suspense>
        {children}
      </>
    ),
  }
}

function CreateButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button kind="primary" onClick={onPress}>
      {label}
    </Button>
  )
}

/** What a list says that has no row. */
function NoRow({ title, text, action, unmatched: _, ...given }: EmptyText & { action: ReactNode }) {
  const props = { title, action, children: text }
  return given.useCommand ? <NoRowYet {...props} useCommand={given.useCommand} /> : <Empty {...props} {...given} />
}

type NoRowYetProps = { title: string; action: ReactNode; children: ReactNode; useCommand: () => string }

function NoRowYet({ useCommand, ...props }: NoRowYetProps) {
  return <Empty {...props} command={useCommand()} />
}

type NoMatchProps = { title: string; hasDefaults: boolean; onClear: () => void }

/** What a list says that has no row for its filters. Without them some rows may still be left out by defaults. */
function NoMatch({ title, hasDefaults, onClear }: NoMatchProps) {
  return (
    <Empty title={title} action={<Button onClick={onClear}>{hasDefaults ? 'Clear the filters' : 'Show all'}</Button>}>
      None fits these filters.
    </Empty>
  )
}
