/** The orders of the account: open and past. */
import type { Order } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type EachResult, runEach } from '../../live/each.ts'
import { useExample } from '../../live/example.ts'
import { checkFilter, choiceFilter, type FilterControl, readFilter } from '../../live/lists/filters.tsx'
import { ListPage } from '../../live/lists/list-page.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { useAction, useList } from '../../live/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { FailedList } from '../../ui/error-text.tsx'
import { say } from '../../ui/toasts.tsx'
import { skuName } from '../sku.rules.ts'
import { cancelOrder } from './cancelling.ts'
import { isOpen, openStates } from './order.rules.ts'
import { orderColumns } from './order-columns.tsx'

const views = { open: 'Open', past: 'Past', all: 'All' }
const pastStates = ['filled', 'cancelled', 'rejected'] as const
/** Milliseconds after which the list is read again: a fill of a part of an order emits no event. */
const readAgain = 5_000

/** A filter that only links set: it can be taken away. */
function onlyOf(noun: string): FilterControl {
  return ({ value, onChange }) =>
    value === '' ? null : <Button onClick={() => onChange('')}>Only of one {noun}: show all</Button>
}

const filters = {
  view: choiceFilter('Show', views),
  side: choiceFilter('Side', ['buy', 'sell']),
  sku: readFilter('SKU', () => namedBy(useList('list_skus', {}).rows, skuName)),
  pool: readFilter('Pool', () => namedBy(useList('list_pools', {}).rows, ({ name }) => name)),
  deployment: onlyOf('deployment'),
  procurement: onlyOf('procurement'),
  managed: checkFilter('Also of procurements and deployments'),
}

function namedBy<T extends { id: string }>(rows: readonly T[], nameOf: (row: T) => string) {
  return { '': 'All', ...Object.fromEntries(rows.map((row) => [row.id, nameOf(row)])) }
}

function queryOf({ view, managed, deployment = '', procurement = '', ...rest }: Readonly<Record<string, string>>) {
  const state = view === 'all' ? undefined : view === 'past' ? pastStates : openStates
  const isManaged = managed === '1' || deployment + procurement !== ''
  return { ...rest, deployment, procurement, state, include_managed: isManaged ? true : undefined }
}

function useCommand(): string {
  return `bourse orders buy ${useExample('sku')} --nodes 2 --window 'tomorrow 9am +6h'`
}

/** The page. */
export function OrdersPage() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isCancelling, setCancelling] = useState(false)
  const openOf = (rows: readonly Order[]) => rows.filter((order) => chosen.has(order.id) && isOpen(order))
  return (
    <ListPage
      title="Orders"
      help={`An order trades at once with what the book has, and then rests where you let it. A resting buy holds its
        worst case, a resting sell its nodes, until it is filled, cancelled or its window has passed.`}
      guide="/docs/concepts/market"
      name="Orders"
      operation="list_orders"
      every={({ view }) => (view === 'past' ? undefined : readAgain)}
      columns={orderColumns}
      page="/orders/$id"
      filters={filters}
      defaults={{ view: 'open' }}
      query={queryOf}
      selection={{ keys: chosen, onChange: setChosen }}
      actions={({ rows }) => (
        <>
          <Button kind="danger" disabled={openOf(rows).length === 0} onClick={() => setCancelling(true)}>
            Cancel
          </Button>
          <Link to="/ticket" className={buttonClass('primary')}>
            New order
          </Link>
        </>
      )}
      above={({ rows }) => (
        <CancelOrders
          orders={openOf(rows)}
          isOpen={isCancelling}
          onClose={() => setCancelling(false)}
          onDone={() => setChosen(new Set())}
        />
      )}
      empty={{
        title: 'No open order',
        unmatched: 'No order',
        useCommand,
        text: 'Nothing waits on an order book. Orders that were filled at once are under "Past".',
      }}
    />
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
      action={chosen?.length === 1 ? 'Cancel the order' : `Cancel ${count}`}
      keep={chosen?.length === 1 ? 'Keep it' : 'Keep them'}
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
