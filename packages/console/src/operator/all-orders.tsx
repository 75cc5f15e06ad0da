/** The orders of all accounts. */

import { platformOrders } from '../generated/rows/operator.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { checkFilter, choiceFilter } from '../live/lists/filters.tsx'
import { filledColumn, placedByColumn, windowColumns } from '../market/orders/order-columns.tsx'
import { OrderBadge } from '../market/orders/order-parts.tsx'
import { SkuFilter } from '../operator/across.tsx'
import { AccountFilter, Across, accountColumn } from './across.tsx'

const states = ['pending', 'standing', 'partially_filled', 'filled', 'cancelled', 'rejected']
const filters = {
  account: AccountFilter,
  state: choiceFilter('State', states),
  side: choiceFilter('Side', ['buy', 'sell']),
  sku: SkuFilter,
  managed: checkFilter('Also of procurements and deployments'),
}

/** The list. */
export function AllOrders() {
  return (
    <Across
      name="Orders of all accounts"
      operation="list_platform_orders"
      noun="orders"
      group="platformOrders"
      columns={columns}
      titleOf={({ id }) => id}
      filters={filters}
      query={({ managed, ...rest }) => ({ ...rest, include_managed: managed === '1' ? true : undefined })}
    />
  )
}

const columns = columnsOf(
  platformOrders,
  [
    accountColumn,
    { of: 'side', cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
    { of: 'state', cell: (order) => <OrderBadge order={order} /> },
    'sku',
    ...windowColumns,
    'limit_price_dollars_per_node_hour',
    filledColumn,
    'created_at',
  ],
  ['held_dollars', placedByColumn, 'pool', 'id'],
)
