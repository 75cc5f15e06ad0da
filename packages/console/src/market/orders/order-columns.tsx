/** The columns of a list of orders. */
import type { Order } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { Popover } from '../../ui/popover.tsx'
import type { Column } from '../../ui/table.tsx'
import { Age, Copyable, Duration, Moment, Money } from '../../ui/values.tsx'
import { skuName } from '../sku.rules.ts'
import { filledPercent, isOpen, windowOf } from './order.rules.ts'
import { AgainstMarket, Explanation, OrderBadge } from './order-parts.tsx'
import styles from './orders.module.css'

/** The columns; ages are relative to now. */
export function orderColumns(now: number): readonly Column<Order>[] {
  return [
    { id: 'side', title: 'Side', value: ({ side }) => side, cell: (order) => <OrderLink order={order} /> },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: (order) => <StateCell order={order} /> },
    { id: 'sku', title: 'SKU', value: ({ sku }) => skuName(sku), cell: ({ sku }) => skuName(sku) },
    {
      id: 'nodes',
      title: 'Nodes',
      isNumber: true,
      value: (order) => windowOf(order).nodes,
      cell: (order) => windowOf(order).nodes,
    },
    {
      id: 'start',
      title: 'From',
      value: (order) => windowOf(order).start,
      cell: (order) => <Moment at={windowOf(order).start} />,
    },
    {
      id: 'length',
      title: 'For',
      value: (order) => windowOf(order).end - windowOf(order).start,
      cell: (order) => <Duration seconds={windowOf(order).end - windowOf(order).start} />,
    },
    {
      id: 'limit',
      title: 'Limit',
      isNumber: true,
      value: (order) => order.limit_price_dollars_per_node_hour,
      cell: (order) => <Money dollars={order.limit_price_dollars_per_node_hour} />,
    },
    {
      id: 'filled',
      title: 'Filled',
      isNumber: true,
      value: filledPercent,
      cell: (order) => `${filledPercent(order)} %`,
    },
    {
      id: 'average',
      title: 'Average price',
      isNumber: true,
      value: (order) => order.filled_average_price_dollars_per_node_hour,
      cell: (order) => <AgainstMarket order={order} />,
    },
    {
      id: 'held',
      title: 'Held',
      isNumber: true,
      value: ({ held_dollars }) => held_dollars,
      cell: ({ held_dollars }) => <Money dollars={held_dollars} />,
      isExtra: true,
    },
    { id: 'pool', title: 'Pool', value: ({ pool }) => pool?.name, cell: ({ pool }) => pool?.name ?? '–' },
    {
      id: 'created_at',
      title: 'Placed',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    {
      id: 'managed_by',
      title: 'Placed by',
      value: (order) => order.managed_by?.name ?? order.created_by.name ?? order.created_by.type,
      cell: (order) => order.managed_by?.name ?? order.created_by.name ?? order.created_by.type,
      isExtra: true,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function OrderLink({ order: { id, side } }: { order: Order }) {
  return (
    <Link to="/orders/$id" params={{ id }}>
      {side === 'buy' ? 'Buy' : 'Sell'}
    </Link>
  )
}

/** The state, and for an open order why it rests. */
function StateCell({ order }: { order: Order }) {
  return (
    <span className={styles.state}>
      <OrderBadge order={order} />
      {isOpen(order) ? (
        <Popover label="Why?" title={`Why ${order.id} rests`}>
          <Explanation id={order.id} isResting />
        </Popover>
      ) : null}
    </span>
  )
}
