/** The columns of a list of orders. */
import type { Order } from '@bourse/sdk'
import { durationText } from '@bourse/text/formats/short.ts'
import { orders } from '../../generated/rows/market.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { Actor, actorText } from '../../live/names/named.tsx'
import { Popover } from '../../ui/popover.tsx'
import { windowText } from '../../ui/values.rules.ts'
import { filledPercent, isOpen, orderTitle, placedBy, windowOf } from './order.rules.ts'
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
  value: (order: Order) => actorText(placedBy(order)),
  cell: (order: Order) => <Actor {...placedBy(order)} />,
} as const

/** The columns of the orders of an account. */
export const orderColumns = columnsOf(
  orders,
  [
    { of: 'side', title: 'Order', isName: true, cell: (order) => <bdi>{orderTitle(order)}</bdi> },
    { of: 'state', cell: (order) => <StateCell order={order} /> },
    {
      id: 'start',
      title: 'Window',
      value: (order) => windowOf(order).start,
      cell: (order) => <Window order={order} />,
    },
    'limit_price_dollars_per_node_hour',
    filledColumn,
    { of: 'filled_average_price_dollars_per_node_hour', cell: (order) => <AgainstMarket order={order} /> },
    'pool',
    { of: 'created_at', title: 'Placed' },
    { ...placedByColumn, title: 'By' },
  ],
  ['sku', windowColumns[0], windowColumns[2], 'held_dollars', 'id'],
)

function lengthOf({ start, end }: { start: number; end: number }): number {
  return end - start
}

/** When it is for, and how long. */
function Window({ order }: { order: Order }) {
  const { start, end } = windowOf(order)
  return (
    <>
      {windowText(start, end)} <span className="quiet small">{durationText(end - start)}</span>
    </>
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
