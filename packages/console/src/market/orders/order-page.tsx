/** One order: why it rests, its fills, its price against the market's, and its events. */
import type { Order } from '@bourse/sdk'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { events } from '../../generated/rows/events.ts'
import { orders } from '../../generated/rows/market.ts'
import { useNow } from '../../live/clock.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { Details } from '../../live/lists/details.tsx'
import { Actor, actorText } from '../../live/names/named.tsx'
import { useList } from '../../live/queries.ts'
import { filledColumn, placedByColumn } from '../../market/orders/order-columns.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeLines } from '../../ui/code-lines.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading, Page } from '../../ui/page.tsx'
import { asCurl, asSdk } from '../../ui/requests.rules.ts'
import { Table } from '../../ui/table.tsx'
import { TicketBeside, useTicketBeside } from '../ticket/ticket-beside.tsx'
import { isOpen, orderTitle, ruleText, windowOf } from './order.rules.ts'
import { AgainstMarket, Explanation, Fills, OrderBadge, readAgain, useOrder } from './order-parts.tsx'
import { againTicket, amendTicket } from './order-tickets.rules.ts'
import { CancelOrders } from './orders-page.tsx'

/** The page. */
export function OrderPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: order, error } = useOrder(id)
  const [isCancelling, setCancelling] = useState(false)
  const now = useNow()
  const title = order ? orderTitle(order) : id
  return (
    <Page
      title={title}
      parent={{ to: '/orders', title: 'Orders' }}
      help={`An order fills at its limit price or better, in one or many trades. One that is amended keeps what is
        filled, and its place among equal prices if it only asks for less.`}
      guide="/docs/concepts/market"
      actions={order ? <Actions order={order} now={now} onCancel={() => setCancelling(true)} /> : null}
    >
      <ErrorText error={error} />
      {!order && !error ? <Loading /> : null}
      {order ? (
        <>
          <Details columns={facts} row={order} />
          {order.state === 'filled' ? null : (
            <section className="card" aria-label="Explanation">
              <h2>{isOpen(order) ? 'Why it rests' : 'Why it ended'}</h2>
              <Explanation id={id} isResting={isOpen(order)} />
            </section>
          )}
          <AllFills order={order} />
          <OrderEvents id={id} />
          <CodeLines ways={asProgram(id)} />
          <CancelOrders
            orders={[order]}
            isOpen={isCancelling}
            onClose={() => setCancelling(false)}
            onDone={() => undefined}
          />
        </>
      ) : null}
    </Page>
  )
}

type OrderActionsProps = { order: Order; now: number; onCancel: () => void }

/** What can be done with the order; other terms for it, and the same once more, are filled in beside it. */
function Actions({ order, now, onCancel }: OrderActionsProps) {
  const { trade, ...beside } = useTicketBeside()
  const begin = () => trade(isOpen(order) ? amendTicket(order, now) : againTicket(order, now))
  return (
    <>
      {order.managed_by ? null : <Button onClick={begin}>{isOpen(order) ? 'Amend' : 'Order again'}</Button>}
      {isOpen(order) ? (
        <Button kind="danger" onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
      <TicketBeside {...beside} />
    </>
  )
}

const facts = columnsOf(orders, [
  { of: 'state', cell: (order) => <OrderBadge order={order} /> },
  { of: 'cancel_reason', title: 'Ended because', isOptional: true },
  filledColumn,
  { of: 'filled_average_price_dollars_per_node_hour', cell: (order) => <AgainstMarket order={order} /> },
  'limit_price_dollars_per_node_hour',
  'held_dollars',
  { id: 'from', title: 'From', as: 'moment', value: (order) => windowOf(order).start },
  { id: 'until', title: 'Until', as: 'moment', value: (order) => windowOf(order).end },
  { id: 'length', title: 'Length', as: 'seconds', value: (order) => windowOf(order).end - windowOf(order).start },
  { id: 'rule', title: 'Rule', value: ruleText },
  'pool',
  'workspace',
  { of: 'created_at', title: 'Placed', as: 'moment' },
  placedByColumn,
  'id',
])

/** All fills; the order itself has only the newest. While it is open they are read again: a part emits no event. */
function AllFills({ order }: { order: Order }) {
  const list = useList('list_order_fills', { id: order.id }, isOpen(order) ? { every: readAgain } : {})
  return (
    <section className="card" aria-label="Fills">
      <h2>Fills</h2>
      <ErrorText error={list.error} />
      <Fills fills={list.rows} more={list.more} />
    </section>
  )
}

const eventColumns = columnsOf(events, [
  'occurred_at',
  'action',
  { id: 'actor', title: 'By', value: ({ actor }) => actorText(actor), cell: ({ actor }) => <Actor {...actor} /> },
])

function OrderEvents({ id }: { id: string }) {
  const { rows, error, more } = useList('list_events', { target: id })
  return (
    <section className="card" aria-label="Events">
      <h2>Events</h2>
      <ErrorText error={error} />
      <Table name="Events" columns={eventColumns} rows={rows} keyOf={({ id: event }) => event} more={more} />
    </section>
  )
}

function asProgram(id: string): Readonly<Record<string, string>> {
  return {
    CLI: `bourse orders explain ${id}`,
    curl: asCurl({ method: 'GET', path: `/preview/v2/explain/orders/${id}` }, location.origin),
    SDK: asSdk('orders.explain', id),
  }
}
