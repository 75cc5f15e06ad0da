/** The instances of all accounts. */
import type { PlatformInstance } from '@bourse/sdk'
import { nameFilter, tagFilter } from '../fleet/launch.rules.ts'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { TypedFilter } from '../ui/typed-filter.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { AccountFilter, Across, accountColumn, pace, useSkuOptions } from './across.tsx'

const states = ['awaiting_allocation', 'running', 'failed', 'terminated']

/** The list. */
export function AllInstances() {
  const [address, setAddress] = useAddress({ account: '', state: '', sku: '', name: '', tag: '' })
  const now = useNow()
  const { account, state, sku, name, tag } = address
  const query = { account, state, sku, ...nameFilter(name), ...tagFilter(tag) }
  const list = useList('list_platform_instances', query, { every: pace })
  return (
    <Across
      {...{ name: 'Instances of all accounts', noun: 'instances', group: 'platformInstances', query, list }}
      columns={columnsAt(now)}
      keyOf={({ id }) => id}
      titleOf={(instance) => instance.name}
    >
      <AccountFilter value={account} onChange={(next) => setAddress({ account: next })} />
      <TypedFilter
        label="Name"
        placeholder="Name, or web-*"
        value={name}
        onChange={(next) => setAddress({ name: next })}
      />
      <Select label="State" value={state} onChange={(next) => setAddress({ state: next })} options={allOr(states)} />
      <Select label="SKU" value={sku} onChange={(next) => setAddress({ sku: next })} options={useSkuOptions()} />
      <TypedFilter
        label="Tag"
        placeholder="Tag: key or key=value"
        value={tag}
        onChange={(next) => setAddress({ tag: next })}
      />
    </Across>
  )
}

function columnsAt(now: number): readonly Column<PlatformInstance>[] {
  return [
    accountColumn(),
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
    { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias, cell: ({ sku }) => sku.alias ?? sku.id },
    { id: 'pool', title: 'Pool', value: ({ pool }) => pool?.name, cell: ({ pool }) => pool?.name ?? '–' },
    { id: 'image', title: 'Image', value: ({ image }) => image.name, cell: ({ image }) => image.name },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}
