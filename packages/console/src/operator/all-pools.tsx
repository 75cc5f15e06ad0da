/** The pools of all accounts, with what they own now. */
import type { PlatformPool } from '@bourse/sdk'
import { platformPools } from '../generated/rows/operator.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter } from '../live/lists/filters.tsx'
import { stepsOf, valueAt } from '../live/steps.rules.ts'
import { AccountFilter, Across, accountColumn } from './across.tsx'

/** The list. */
export function AllPools() {
  const now = useNow()
  return (
    <Across
      name="Pools of all accounts"
      operation="list_platform_pools"
      noun="pools"
      group="platformPools"
      columns={columnsAt(now)}
      titleOf={({ name }) => name}
      filters={{ account: AccountFilter, kind: choiceFilter('Kind', ['market', 'originating', 'read_only']) }}
    />
  )
}

function columnsAt(now: number) {
  return columnsOf(
    platformPools,
    [
      accountColumn,
      'name',
      'kind',
      {
        id: 'owned',
        title: 'Nodes now',
        as: 'count',
        value: ({ allocation_schedule: { total } }) => valueAt(stepsOf(total), now) ?? 0,
      },
      {
        id: 'skus',
        title: 'SKUs',
        as: 'count',
        value: ({ allocation_schedule: { by_sku } }) => Object.keys(by_sku).length,
      },
      { id: 'used_by', title: 'Automations', value: automations },
      'created_at',
    ],
    ['id'],
  )
}

function automations({ procurements, deployments }: PlatformPool): string {
  return [...procurements, ...deployments].map(({ name }) => name).join(', ')
}
