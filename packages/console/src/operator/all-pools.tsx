/** The pools of all accounts, with what they own now. */
import type { PlatformPool } from '@bourse/sdk'
import { countText } from '@bourse/text/formats/short.ts'
import { useNow } from '../live/clock.ts'
import { useList } from '../live/queries.ts'
import { stepsOf, valueAt } from '../live/steps.rules.ts'
import { useAddress } from '../ui/address.ts'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable } from '../ui/values.tsx'
import { AccountFilter, Across, accountColumn, pace } from './across.tsx'

/** The list. */
export function AllPools() {
  const [address, setAddress] = useAddress({ account: '', kind: '' })
  const now = useNow()
  const { account, kind } = address
  const query = { account, kind }
  const list = useList('list_platform_pools', query, { every: pace })
  return (
    <Across
      {...{ name: 'Pools of all accounts', noun: 'pools', group: 'platformPools', query, list }}
      columns={columnsAt(now)}
      keyOf={({ id }) => id}
      titleOf={({ name }) => name}
    >
      <AccountFilter value={account} onChange={(next) => setAddress({ account: next })} />
      <Select
        label="Kind"
        value={kind}
        onChange={(next) => setAddress({ kind: next })}
        options={allOr(['market', 'originating', 'read_only'])}
      />
    </Across>
  )
}

function columnsAt(now: number): readonly Column<PlatformPool>[] {
  const owned = ({ allocation_schedule: { total } }: PlatformPool) => valueAt(stepsOf(total), now) ?? 0
  return [
    accountColumn(),
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'kind', title: 'Kind', value: ({ kind }) => kind, cell: ({ kind }) => kind.replaceAll('_', ' ') },
    {
      id: 'owned',
      title: 'Nodes now',
      value: owned,
      cell: (pool) => countText(owned(pool)),
      isNumber: true,
    },
    {
      id: 'skus',
      title: 'SKUs',
      value: ({ allocation_schedule: { by_sku } }) => Object.keys(by_sku).length,
      cell: ({ allocation_schedule: { by_sku } }) => countText(Object.keys(by_sku).length),
      isNumber: true,
    },
    {
      id: 'used_by',
      title: 'Automations',
      value: (pool) => automations(pool),
      cell: (pool) => automations(pool) || '–',
    },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function automations({ procurements, deployments }: PlatformPool): string {
  return [...procurements, ...deployments].map(({ name }) => name).join(', ')
}
