/** The orders of the account: open and past. */
import type { Order } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { type EachResult, runEach } from '../../live/each.ts'
import { useExample } from '../../live/example.ts'
import { ListView } from '../../live/lists/list-view.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { useAction, useList } from '../../live/queries.ts'
import { useAddress } from '../../ui/address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { FailedList } from '../../ui/error-text.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { allOr, Select } from '../../ui/select.tsx'
import { say } from '../../ui/toasts.tsx'
import { skuName } from '../sku.rules.ts'
import { cancelOrder } from './cancelling.ts'
import { isOpen, openStates } from './order.rules.ts'
import { orderColumns } from './order-columns.tsx'

const views = { open: 'Open', past: 'Past', all: 'All' }
const pastStates = ['filled', 'cancelled', 'rejected'] as const
/** Milliseconds after which the list is read again: a fill of a part of an order emits no event. */
const readAgain = 5_000

/** The state of the page. Pages of deployments and procurements link to their orders. */
const defaults = {
  view: 'open',
  side: '',
  sku: '',
  pool: '',
  managed: '',
  deployment: '',
  procurement: '',
  sort: '',
}

/** The page. */
export function OrdersPage() {
  const [address, setAddress] = useAddress(defaults)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isCancelling, setCancelling] = useState(false)
  const navigate = useNavigate()
  const now = useNow()
  const { view, side, sku, pool, managed, deployment, procurement } = address
  const states = view === 'all' ? undefined : view === 'past' ? pastStates : openStates
  const isOfOne = deployment + procurement !== ''
  const include_managed = managed === '1' || isOfOne ? true : undefined
  const filters = { state: states, side, sku, pool, deployment, procurement, include_managed }
  const list = useList('list_orders', filters, view === 'past' ? {} : { every: readAgain })
  const open = list.rows.filter((order) => chosen.has(order.id) && isOpen(order))
  return (
    <Page
      title="Orders"
      help={
        <>
          An order trades at once with what the book has, and then rests where you let it. A resting buy holds its worst
          case, a resting sell its nodes, until it is filled, cancelled or its window has passed.
        </>
      }
      guide="/docs/concepts/market"
      actions={
        <>
          <Button kind="danger" disabled={open.length === 0} onClick={() => setCancelling(true)}>
            Cancel
          </Button>
          <Link to="/ticket" className={buttonClass('primary')}>
            New order
          </Link>
        </>
      }
    >
      <OrderFilters {...{ address, setAddress }} />
      <ListView
        name="Orders"
        list={list}
        columns={orderColumns(now)}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/orders/$id', params: { id } })}
        selection={{ keys: chosen, onChange: setChosen }}
        empty={<NoOrders isFiltered={side + sku + pool !== '' || isOfOne} view={view} />}
      />
      <CancelOrders
        orders={open}
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        onDone={() => setChosen(new Set())}
      />
    </Page>
  )
}

type Address = typeof defaults
type FiltersProps = { address: Address; setAddress: (change: Partial<Address>) => void }

function OrderFilters({ address, setAddress }: FiltersProps) {
  const { view, side, sku, pool, managed, deployment, procurement } = address
  const skus = useList('list_skus', {})
  const pools = useList('list_pools', {})
  const named = (pairs: readonly (readonly [string, string])[]) => ({ '': 'All', ...Object.fromEntries(pairs) })
  return (
    <div className="row">
      <Select label="Show" value={view} onChange={(next) => setAddress({ view: next })} options={views} />
      <Select
        label="Side"
        value={side}
        onChange={(next) => setAddress({ side: next })}
        options={allOr(['buy', 'sell'])}
      />
      <Select
        label="SKU"
        value={sku}
        onChange={(next) => setAddress({ sku: next })}
        options={named(skus.rows.map((one) => [one.id, skuName(one)]))}
      />
      <Select
        label="Pool"
        value={pool}
        onChange={(next) => setAddress({ pool: next })}
        options={named(pools.rows.map(({ id, name }) => [id, name]))}
      />
      {deployment + procurement === '' ? null : (
        <Button onClick={() => setAddress({ deployment: '', procurement: '' })}>
          Only of one {deployment ? 'deployment' : 'procurement'}: show all
        </Button>
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={managed === '1'}
          onChange={({ target }) => setAddress({ managed: target.checked ? '1' : '' })}
        />
        Also of procurements and deployments
      </label>
    </div>
  )
}

function NoOrders({ isFiltered, view }: { isFiltered: boolean; view: string }) {
  const sku = useExample('sku')
  return (
    <Empty
      title={view === 'open' ? 'No open order' : 'No order'}
      command={`bourse orders buy ${sku} --nodes 2 --window 'tomorrow 9am +6h'`}
      action={
        <Link to="/ticket" className={buttonClass('primary')}>
          New order
        </Link>
      }
    >
      {isFiltered ? 'None fits these filters. ' : ''}
      {view === 'open'
        ? 'Nothing waits on an order book. Orders that were filled at once are under "Past".'
        : 'Orders appear here as soon as they are placed, from here or by a program.'}
    </Empty>
  )
}

type CancelProps = { orders: readonly Order[]; isOpen: boolean; onClose: () => void; onDone: () => void }

const nouns: readonly Noun[] = ['order', 'balance', 'hold', 'orderbook', 'estimate', 'budget']

/**
 * Cancels orders, one request for each; fills before that stand. What fails is named and can be tried again, and the
 * others count. While it is open it keeps the orders that were chosen: a list no longer has those that have ended.
 */
export function CancelOrders({ orders, isOpen: isShown, onClose, onDone }: CancelProps) {
  const counted = (count: number) => (count === 1 ? 'one order' : `${count} orders`)
  const cancel = useAction((all: readonly Order[]) => runEach(all, ({ id }) => cancelOrder(id)), {
    nouns,
    onDone: ({ done, failed }) => {
      if (done.length > 0) say(`Cancelled ${counted(done.length)}.`)
      setFailures(failed)
      setChosen(failed.map(({ item }) => item))
      if (failed.length > 0) return
      onDone()
      onClose()
    },
  })
  const [failures, setFailures] = useState<EachResult<Order>['failed']>([])
  const [chosen, setChosen] = useState<readonly Order[]>()
  if (isShown === (chosen === undefined)) {
    setChosen(isShown ? orders : undefined)
    setFailures([])
  }
  const count = counted(chosen?.length ?? 0)
  return (
    <ConfirmDialog
      title={`Cancel ${count}?`}
      action={`Cancel ${count}`}
      isOpen={isShown}
      onClose={onClose}
      onConfirm={() => cancel.run(chosen ?? [])}
      isBusy={cancel.isRunning}
      error={failures.length === 1 ? failures[0]?.error : undefined}
    >
      <p>What is filled stays yours, or stays sold. What is held for the rest is free again at once.</p>
      <NotCancelled failures={failures} />
    </ConfirmDialog>
  )
}

/** Which orders were not cancelled. Why a single one was not is said below, with what to do about it. */
function NotCancelled({ failures }: { failures: EachResult<Order>['failed'] }) {
  const [only, ...others] = failures
  if (!only) return null
  if (others.length === 0) {
    return (
      <p className="bad">
        <span className="mono">{only.item.id}</span> was not cancelled:
      </p>
    )
  }
  return (
    <div role="alert">
      <p className="bad">{failures.length} orders were not cancelled:</p>
      <FailedList failed={failures} nameOf={({ id }) => <span className="mono">{id}</span>} />
    </div>
  )
}
