/** What accounts used and paid in a window, by account; one of them by SKU. */
import type { PlatformUsage } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Select } from '../ui/select.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Money } from '../ui/values.tsx'
import { usageWindows, windowOf } from './across.rules.ts'
import { AccountFilter, Across, accountColumn } from './across.tsx'

type SkuUsage = PlatformUsage['skus'][number]
type Sums = Omit<SkuUsage, 'sku'>

/** The list. */
export function AllUsage() {
  const [address, setAddress] = useAddress({ account: '', window: 'month' })
  const now = useNow()
  const { account, window } = address
  const query = { account, ...windowOf(window, now) }
  const list = useList('list_platform_usage', query, { every: 60_000 })
  return (
    <Across
      {...{ name: 'Usage of all accounts', noun: 'usage', group: 'platformUsage', query, list }}
      columns={columns}
      keyOf={(row) => row.account}
      titleOf={(row) => `Usage of ${row.account} by SKU`}
      details={({ skus }) => <Table name="Usage by SKU" columns={skuColumns} rows={skus} keyOf={({ sku }) => sku.id} />}
    >
      <AccountFilter value={account} onChange={(next) => setAddress({ account: next })} />
      <Select label="Window" value={window} onChange={(next) => setAddress({ window: next })} options={usageWindows} />
    </Across>
  )
}

function hours(name: 'allocated_node_minutes' | 'used_node_minutes', title: string): Column<Sums> {
  return {
    id: name,
    title,
    value: (row) => row[name],
    cell: (row) => <span title={`${countText(row[name])} node-minutes`}>{countText(Math.round(row[name] / 60))}</span>,
    isNumber: true,
  }
}

function money(name: 'effective_cost_dollars' | 'bought_dollars' | 'sold_dollars', title: string): Column<Sums> {
  return { id: name, title, value: (row) => row[name], cell: (row) => <Money dollars={row[name]} />, isNumber: true }
}

const sums: readonly Column<Sums>[] = [
  hours('allocated_node_minutes', 'Owned, node-hours'),
  hours('used_node_minutes', 'Used, node-hours'),
  money('effective_cost_dollars', 'Cost of what was kept'),
  money('bought_dollars', 'Bought'),
  money('sold_dollars', 'Sold, less fees'),
]
const columns: readonly Column<PlatformUsage>[] = [accountColumn(), ...sums]
const skuColumns: readonly Column<SkuUsage>[] = [
  { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias, cell: ({ sku }) => sku.alias ?? sku.id },
  ...sums,
]
