/** The order that was placed last: its fills as they come, and why the rest of it rests. */
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorText } from '../../ui/error-text.tsx'
import { Facts, Loading } from '../../ui/page.tsx'
import { Money } from '../../ui/values.tsx'
import { filledPercent, isOpen, windowOf } from '../orders/order.rules.ts'
import { Explanation, Fills, OrderBadge, useOrder } from '../orders/order-parts.tsx'

/** The order, until it is closed. */
export function PlacedOrder({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: order, error } = useOrder(id)
  const receipt = useRef<HTMLElement>(null)
  const isShown = order !== undefined
  // The keys of the page go on from here, and not from the field that the order was typed into.
  useEffect(() => {
    if (isShown) receipt.current?.focus()
  }, [isShown])
  if (!order) return error ? <ErrorText error={error} /> : <Loading />
  const { nodes } = windowOf(order)
  const isResting = isOpen(order)
  const verb = order.side === 'buy' ? 'Buy' : 'Sell'
  return (
    <section ref={receipt} tabIndex={-1} className="card" aria-label="Placed order">
      <div className="row">
        <h2>
          {verb} {nodes} {nodes === 1 ? 'node' : 'nodes'} of {order.sku.alias || order.sku.id}
        </h2>
        <OrderBadge order={order} />
        {order.side === 'buy' && order.fills.length > 0 ? (
          <Link to="/instances" search={{ create: '1' }}>
            Start an instance on it
          </Link>
        ) : null}
        <Link to="/orders/$id" params={{ id }}>
          Open the order
        </Link>
        <Button kind="plain" onClick={onClose}>
          Close
        </Button>
      </div>
      <Facts
        facts={[
          ['Filled', `${filledPercent(order)} %`],
          ['Average price', <Money key="price" dollars={order.filled_average_price_dollars_per_node_hour} />],
          ['Limit', <Money key="limit" dollars={order.limit_price_dollars_per_node_hour} />],
          ['Held', <Money key="held" dollars={order.held_dollars} />],
        ]}
      />
      {order.state === 'filled' ? null : <Explanation id={id} isResting={isResting} />}
      <Fills fills={order.fills} />
    </section>
  )
}
