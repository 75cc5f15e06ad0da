/** What was placed last: its fills as they come, why the rest of it rests, and what can be done with it. */
import type { Instance, Order, OrderId } from '@bourse/sdk'
import { durationText } from '@bourse/text/formats/short.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { client } from '../../live/client.ts'
import { useNow } from '../../live/clock.ts'
import { useItem, useList, useRead } from '../../live/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Facts, Loading } from '../../ui/page.tsx'
import { momentText, windowText } from '../../ui/values.rules.ts'
import { Copyable, Money } from '../../ui/values.tsx'
import { boughtOf, filledPercent, isOpen, orderTitle, windowOf } from '../orders/order.rules.ts'
import { Explanation, Fills, OrderBadge, useOrder } from '../orders/order-parts.tsx'
import { extendingTicket, sellingTicket } from '../orders/order-tickets.rules.ts'
import type { Placed } from './placing.ts'
import styles from './ticket.module.css'
import { emptyTicket, estimateBody, type Ticket } from './ticket.rules.ts'

type ReceiptProps = {
  placed: Placed
  /** Whether a limit was set; otherwise it is the worst price that the order traded at. */
  hasLimit: boolean
  /** Fills the ticket in for what comes next. */
  onNext: (ticket: Partial<Ticket>) => void
  onClose: () => void
}

/** The receipt, until it is closed. */
export function Receipt({ placed: { order: id, instances, failure }, ...rest }: ReceiptProps) {
  return (
    <>
      {id === undefined ? null : <PlacedOrder id={id} instances={instances} {...rest} />}
      {failure ? (
        <>
          <p className="warn">
            {instances.length === 1
              ? 'One instance was created and stays.'
              : `${instances.length} instances were created and stay.`}{' '}
            The next one was refused:
          </p>
          <ErrorText error={failure} />
        </>
      ) : null}
    </>
  )
}

type PlacedOrderProps = Omit<ReceiptProps, 'placed'> & { id: OrderId; instances: readonly Instance[] }

function PlacedOrder({ id, instances, hasLimit, onNext, onClose }: PlacedOrderProps) {
  const { data: order, error } = useOrder(id)
  const receipt = useRef<HTMLElement>(null)
  const isShown = order !== undefined
  // The keys of the page go on from here, and not from the field that the order was typed into.
  useEffect(() => {
    if (isShown) receipt.current?.focus()
  }, [isShown])
  if (!order) return error ? <ErrorText error={error} /> : <Loading />
  const { start, end } = windowOf(order)
  const price = order.filled_average_price_dollars_per_node_hour
  // Each instance has an order of its own, for one node; what they share is shown once.
  const isOne = instances.length < 2
  const all = isOne ? order : { ...order, total: { ...order.total, node_count: instances.length } }
  return (
    <section ref={receipt} tabIndex={-1} className={`card ${styles.receipt}`} aria-label="Placed order">
      <div className="row">
        <h2>
          <Link {...(isOne ? { to: '/orders/$id', params: { id } } : { to: '/orders', search: { view: 'all' } })}>
            <bdi>{orderTitle(all)}</bdi>
          </Link>
        </h2>
        {isOne ? <OrderBadge order={order} /> : null}
        <Button kind="plain" onClick={onClose}>
          Close
        </Button>
      </div>
      <Facts
        facts={[
          ['Window', `${windowText(start, end)} (${durationText(end - start)})`],
          ['Times in', localZone()],
          ...(isOne ? [['Filled', `${filledPercent(order)} %`] as const] : []),
          ...(price === null || !isOne ? [] : [['Average price', <Money key="price" dollars={price} />] as const]),
          ...(hasLimit
            ? [['Limit', <Money key="limit" dollars={order.limit_price_dollars_per_node_hour} />] as const]
            : []),
          ...(isOpen(order) ? [['Held', <Money key="held" dollars={order.held_dollars} />] as const] : []),
        ]}
      />
      {instances.map((instance) => (
        <StartedInstance key={instance.id} started={instance} />
      ))}
      <Fork order={order} instances={instances.length} onNext={onNext} />
      {order.state === 'filled' ? null : <Explanation id={id} isResting={isOpen(order)} />}
      {isOne ? <Fills fills={order.fills} /> : <FillsOfAll instances={instances} />}
    </section>
  )
}

/** Orders whose fills are read, at most: one request has so many ids. */
const ordersMax = 100

/** The fills of the orders that instances were created with, together. */
function FillsOfAll({ instances }: Pick<PlacedOrderProps, 'instances'>) {
  const id = instances.flatMap(({ order }) => order ?? []).slice(0, ordersMax)
  const { rows, error, isPending } = useList('list_orders', { id })
  const fills = rows.flatMap((order) => order.fills).toSorted((a, b) => b.filled_at - a.filled_at)
  const more = instances.length - ordersMax
  return (
    <>
      <ErrorText error={error} />
      {isPending ? error ? null : <Loading /> : <Fills fills={fills} />}
      {more > 0 ? <p className="quiet">Those of {more} more instances are with their orders.</p> : null}
    </>
  )
}

/** An instance that was created with the order, and how to log in to it. */
function StartedInstance({ started }: { started: Instance }) {
  const { data: instance = started } = useItem('get_instance', started.id)
  return (
    <p className={styles.started}>
      <Link to="/instances/$id" params={{ id: instance.id }}>
        <bdi>{instance.name}</bdi>
      </Link>{' '}
      <Badge word={instance.state} /> <Copyable text={`bourse ssh ${instance.name}`} />
    </p>
  )
}

type ForkProps = { order: Order; instances: number; onNext: ReceiptProps['onNext'] }

/** What can be done with what was bought. */
function Fork({ order, instances, onNext }: ForkProps) {
  const now = useNow(60)
  const one = boughtOf(order)
  const bought = one && { ...one, nodes: one.nodes * Math.max(1, instances) }
  const next = bought && extendingTicket(order, bought)
  const asked = next && estimateBody({ ...emptyTicket, ...next, pool: '' }, now)
  const { data: extension } = useRead(
    ['estimate', 'extension', asked],
    (signal) => client.orders.createEstimate(asked as NonNullable<typeof asked>, { signal, maxRetries: 0 }),
    { enabled: asked !== undefined, retry: 1 },
  )
  if (!bought || !next) return null
  const until = momentText(bought.end + (bought.end - bought.start))
  const dollars = extension?.type === 'quoted' ? extension.total_dollars : undefined
  return (
    <div className={styles.fork}>
      {instances > 0 ? null : (
        <Link to="/instances" search={{ create: '1' }} className={buttonClass('primary')}>
          Start an instance on it
        </Link>
      )}
      <Button onClick={() => onNext(next)} title={`Until ${until}`}>
        Extend{' '}
        {dollars === undefined ? null : (
          <span>
            for <Money dollars={dollars} />
          </span>
        )}
      </Button>
      <Button onClick={() => onNext(sellingTicket(order, bought, now))}>Sell later</Button>
      <span className="quiet small">
        {extension?.type === 'unavailable' ? `There is no offer for it until ${until} now.` : null}
      </span>
    </div>
  )
}
