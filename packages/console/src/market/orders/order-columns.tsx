/** The columns of a list of orders. */
import type { Order } from '@bourse/sdk'
import { orders } from '../../generated/rows/market.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { Popover } from '../../ui/popover.tsx'
import { filledPercent, isOpen, windowOf } from './order.rules.ts'
import { AgainstMarket, Explanation, OrderBadge } from './order-parts.tsx'
import styles from './orders.module.css'

/** The window of an order. */
export const windowColumns = [
  { id: 'nodes', title: 'Nodes', as: 'count', value: (order: Order) => windowOf(order).nodes },
  { id: 'start', title: 'From', as: 'moment', value: (order: Order) => windowOf(order).start },
  { id: 'length', title: 'For', as: 'seconds', isNumber: false, value: (order: Order) => lengthOf(windowOf(order)) },
] as const
export const filledColumn = { id: 'filled', title: 'Filled', as: 'percent', value: filledPercent } as const
export const placedByColumn = {
  id: 'managed_by',
  title: 'Placed by',
  value: (order: Order) => order.managed_by?.name ?? order.created_by.name ?? order.created_by.type,
} as const

/** The columns of the orders of an account. */
export const orderColumns = columnsOf(
  orders,
  [
    { of: 'side', isName: true, cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
    { of: 'state', cell: (order) => <StateCell order={order} /> },
    'sku',
    ...windowColumns,
    'limit_price_dollars_per_node_hour',
    filledColumn,
    { of: 'filled_average_price_dollars_per_node_hour', cell: (order) => <AgainstMarket order={order} /> },
    'pool',
    { of: 'created_at', title: 'Placed' },
  ],
  ['held_dollars', placedByColumn, 'id'],
)

function lengthOf({ start, end }: { start: number; end: number }): number {
  return end - start
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
