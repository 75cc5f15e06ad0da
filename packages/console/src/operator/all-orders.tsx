/** The orders of all accounts. */
import type { PlatformOrder } from '@bourse/sdk'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { orderColumns } from '../market/orders/order-columns.tsx'
import { OrderBadge } from '../market/orders/order-parts.tsx'
import { useAddress } from '../ui/address.ts'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { Copyable } from '../ui/values.tsx'
import { AccountFilter, Across, accountColumn, pace, useSkuOptions } from './across.tsx'

const states = ['pending', 'standing', 'partially_filled', 'filled', 'cancelled', 'rejected']
/** Columns of a customer's list that need the rights of the customer. */
const ofCustomers = ['side', 'state', 'average', 'pool', 'id']

/** The list. */
export function AllOrders() {
  const [address, setAddress] = useAddress({ account: '', state: '', side: '', sku: '', managed: '' })
  const now = useNow()
  const { account, state, side, sku, managed } = address
  const query = { account, state, side, sku, include_managed: managed === '1' ? true : undefined }
  const list = useList('list_platform_orders', query, { every: pace })
  return (
    <Across
      {...{ name: 'Orders of all accounts', noun: 'orders', group: 'platformOrders', query, list }}
      columns={columnsAt(now)}
      keyOf={({ id }) => id}
      titleOf={({ id }) => id}
    >
      <AccountFilter value={account} onChange={(next) => setAddress({ account: next })} />
      <Select label="State" value={state} onChange={(next) => setAddress({ state: next })} options={allOr(states)} />
      <Select
        label="Side"
        value={side}
        onChange={(next) => setAddress({ side: next })}
        options={allOr(['buy', 'sell'])}
      />
      <Select label="SKU" value={sku} onChange={(next) => setAddress({ sku: next })} options={useSkuOptions()} />
      <label className="row">
        <input
          type="checkbox"
          checked={managed === '1'}
          onChange={({ target }) => setAddress({ managed: target.checked ? '1' : '' })}
        />
        Also of procurements and deployments
      </label>
    </Across>
  )
}

function columnsAt(now: number): readonly Column<PlatformOrder>[] {
  return [
    accountColumn(),
    { id: 'side', title: 'Side', value: ({ side }) => side, cell: ({ side }) => (side === 'buy' ? 'Buy' : 'Sell') },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: (order) => <OrderBadge order={order} /> },
    ...orderColumns(now).filter(({ id }) => !ofCustomers.includes(id)),
    {
      id: 'pool',
      title: 'Pool',
      value: ({ pool }) => pool?.name,
      cell: ({ pool }) => pool?.name ?? '–',
      isExtra: true,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}
