/** What accounts used and paid in a window, by account; one of them by SKU. */

import { platformUsage, platformUsageSkus } from '../generated/rows/operator.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { Table } from '../ui/table.tsx'
import { usageWindows, windowOf } from './across.rules.ts'
import { AccountFilter, Across, accountColumn } from './across.tsx'

/** The list. */
export function AllUsage() {
  const now = useNow()
  return (
    <Across
      name="Usage of all accounts"
      operation="list_platform_usage"
      noun="usage"
      group="platformUsage"
      every={60_000}
      columns={columns}
      keyOf={(row) => row.account}
      titleOf={(row) => `Usage of ${row.account} by SKU`}
      details={({ skus }) => <Table name="Usage by SKU" columns={skuColumns} rows={skus} keyOf={({ sku }) => sku.id} />}
      filters={{ account: AccountFilter, window: choiceFilter('Window', usageWindows) }}
      defaults={{ window: 'month' }}
      query={({ account, window = '' }) => ({ account, ...windowOf(window, now) })}
    />
  )
}

const sums = [
  { of: 'allocated_node_minutes', title: 'Owned, node-hours' },
  { of: 'used_node_minutes', title: 'Used, node-hours' },
  { of: 'effective_cost_dollars', title: 'Spend' },
  'bought_dollars',
  { of: 'sold_dollars', title: 'Sold, less fees' },
] as const
const columns = columnsOf(platformUsage, [accountColumn, ...sums])
const skuColumns = columnsOf(platformUsageSkus, ['sku', ...sums])
