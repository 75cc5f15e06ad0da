/** One order: why it rests, its fills, its price against the market's, and its events. */
import type { Event, Order } from '@bourse/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useNow } from '../../live/clock.ts'
import { useList } from '../../live/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CodeLines } from '../../ui/code-lines.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Facts, Loading, Page } from '../../ui/page.tsx'
import { asCurl, asSdk } from '../../ui/requests.rules.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Copyable, Duration, Moment, Money } from '../../ui/values.tsx'
import { skuName } from '../sku.rules.ts'
import { againTicket, amendTicket, filledPercent, isOpen, ruleText, windowOf } from './order.rules.ts'
import { AgainstMarket, Explanation, Fills, OrderBadge, readAgain, useOrder } from './order-parts.tsx'
import { CancelOrders } from './orders-page.tsx'

/** The page. */
export function OrderPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data: order, error } = useOrder(id)
  const [isCancelling, setCancelling] = useState(false)
  const now = useNow()
  const title = order ? `${order.side === 'buy' ? 'Buy' : 'Sell'} ${windowOf(order).nodes} × ${skuName(order.sku)}` : id
  return (
    <Page
      title={title}
      help={
        <>
          An order fills at its limit price or better, in one or many trades. To change one, it is cancelled and its
          rest is placed again, behind all others at its price.
        </>
      }
      guide="/docs/concepts/market"
      actions={order ? <Actions order={order} now={now} onCancel={() => setCancelling(true)} /> : null}
    >
      <ErrorText error={error} />
      {!order && !error ? <Loading /> : null}
      {order ? (
        <>
          <OrderFacts order={order} />
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

type ActionsProps = { order: Order; now: number; onCancel: () => void }

function Actions({ order, now, onCancel }: ActionsProps) {
  const navigate = useNavigate()
  if (!isOpen(order)) {
    return (
      <Link to="/ticket" search={againTicket(order)} className={buttonClass()}>
        Order again
      </Link>
    )
  }
  const ticket = amendTicket(order, now)
  return (
    <>
      {ticket ? (
        <Button onClick={() => void navigate({ to: '/ticket', search: ticket })}>Amend</Button>
      ) : (
        <span className="quiet">What is open has no single number of nodes: cancel it and order anew.</span>
      )}
      <Button kind="danger" onClick={onCancel}>
        Cancel
      </Button>
    </>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const { start, end } = windowOf(order)
  const { created_by: by, managed_by: manager, cancel_reason: reason } = order
  return (
    <Facts
      facts={[
        ['State', <OrderBadge key="state" order={order} />],
        ...(reason ? [['Ended because', reason.replaceAll('_', ' ')] as const] : []),
        ['Filled', `${filledPercent(order)} %`],
        ['Average price', <AgainstMarket key="average" order={order} />],
        ['Limit', <Money key="limit" dollars={order.limit_price_dollars_per_node_hour} />],
        ['Held', <Money key="held" dollars={order.held_dollars} />],
        ['From', <Moment key="from" at={start} />],
        ['Until', <Moment key="until" at={end} />],
        ['Length', <Duration key="length" seconds={end - start} />],
        ['Rule', ruleText(order)],
        ['Pool', order.pool?.name ?? '–'],
        ['Workspace', order.workspace.name],
        ['Placed', <Moment key="placed" at={order.created_at} />],
        ['Placed by', manager?.name ?? by.name ?? by.email ?? by.type],
        ['Id', <Copyable key="id" text={order.id} />],
      ]}
    />
  )
}

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

const eventColumns: readonly Column<Event>[] = [
  {
    id: 'occurred_at',
    title: 'When',
    value: ({ occurred_at }) => occurred_at,
    cell: ({ occurred_at }) => <Moment at={occurred_at} />,
  },
  { id: 'action', title: 'Action', value: ({ action }) => action, cell: ({ action }) => action },
  { id: 'actor', title: 'By', value: ({ actor }) => actor.type, cell: ({ actor }) => actor.type },
]

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
