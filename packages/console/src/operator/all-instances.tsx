/** The instances of all accounts. */

import { instanceStates } from '@bourse/api/fleet/instance-states.ts'
import { instanceFilters, instanceQuery } from '../fleet/instance-filters.tsx'
import { platformInstances } from '../generated/rows/operator.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter, textFilter } from '../live/lists/filters.tsx'
import { SkuFilter } from '../operator/across.tsx'
import { AccountFilter, Across, accountColumn } from './across.tsx'

const { tag } = instanceFilters
const state = choiceFilter('State', Object.keys(instanceStates))
const name = textFilter('Name', { placeholder: 'Name, or web-*' })

/** The list. */
export function AllInstances() {
  return (
    <Across
      name="Instances of all accounts"
      operation="list_platform_instances"
      noun="instances"
      group="platformInstances"
      columns={columns}
      titleOf={(instance) => instance.name}
      filters={{ account: AccountFilter, name, state, sku: SkuFilter, tag }}
      query={instanceQuery}
    />
  )
}

const columns = columnsOf(
  platformInstances,
  [accountColumn, 'name', 'state', 'sku', 'pool', 'image', 'created_at'],
  ['id'],
)
