/** Pools: what each owns, what uses it, and what was moved between them. */
import type { Pool } from '@bourse/sdk'
import { lazy } from 'react'
import { WorkspaceFilter } from '../../access/filters.tsx'
import { pools, poolTransfers } from '../../generated/rows/fleet.ts'
import { useSkuNames } from '../../live/choices.ts'
import { useNow } from '../../live/clock.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { choiceFilter, resourceFilter, textFilter } from '../../live/lists/filters.tsx'
import { ListTab } from '../../live/lists/list-page.tsx'
import { useNames } from '../../live/names/names.ts'
import { useAddress } from '../../ui/address.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { usePools } from '../choices.ts'
import { nameFilter, tagFilter } from '../instance-filters.rules.ts'
import { poolKinds, usePoolNames } from './pool-names.ts'
import { ownedText } from './pools.rules.ts'

const PoolDialog = lazy(() => import('./pool-dialogs.tsx').then(({ PoolDialog: dialog }) => ({ default: dialog })))
const CreatePool = lazy(() => import('./pool-dialogs.tsx').then(({ CreatePool: dialog }) => ({ default: dialog })))
const MoveNodes = lazy(() => import('./move-nodes.tsx').then(({ MoveNodes: dialog }) => ({ default: dialog })))

const help = `A pool holds what the account owns of each SKU, minute by minute. Orders add to it and take from it, and
instances use it. Separate pools keep teams from using what others bought.`

/** What the tabs keep in the address. Another tab begins without it. */
const ofTabs = { sort: '', open: '', create: '', workspace: '', kind: '', name: '', tag: '', pool: '', from: '' }

/** The page. */
export function PoolsPage() {
  const [{ tab }, setAddress] = useAddress({ tab: 'pools', ...ofTabs })
  return (
    <Page title="Pools" help={help} guide="/docs/concepts/capacity">
      <Tabs
        value={tab}
        onChange={(next) => setAddress({ ...ofTabs, tab: next }, { push: true })}
        tabs={[
          { id: 'pools', title: 'Pools', content: <PoolsTab /> },
          { id: 'transfers', title: 'Transfers', content: <TransfersTab /> },
        ]}
      />
    </Page>
  )
}

const filters = {
  name: textFilter('Search by name', { placeholder: 'Name, or web-*' }),
  kind: choiceFilter('Kind', { '': 'All', ...poolKinds }),
  workspace: WorkspaceFilter,
  tag: textFilter('Tag', { placeholder: 'Tag: key or key=value' }),
}

function PoolsTab() {
  return (
    <ListTab
      name="Pools"
      operation="list_pools"
      every={30_000}
      columns={columns}
      filters={filters}
      query={({ name = '', tag = '', ...rest }) => ({ ...rest, ...nameFilter(name), ...tagFilter(tag) })}
      create={{
        label: 'Create a pool',
        dialog: (close, open) => <CreatePool onClose={close} onDone={({ id }) => open(id)} />,
      }}
      opened={(pool, close) => <PoolDialog pool={pool} onClose={close} />}
      empty={{
        title: 'No pool',
        command: 'bourse pools create --name training',
        text: 'What is bought goes into a pool, and instances run in it. Most accounts need one for each team.',
      }}
    />
  )
}

const columns = columnsOf(
  pools,
  [
    'name',
    'workspace',
    { of: 'kind', value: ({ kind }) => poolKinds[kind] },
    { id: 'owned', title: 'Owns now', cell: (pool) => <Owned pool={pool} /> },
    { id: 'automations', title: 'Automations', value: automationsOf },
    'tags',
    'created_at',
  ],
  ['id', { id: 'path', title: 'Path', value: (row) => row.resource_path, as: 'id' }],
)

/** The names of what keeps it at a number of nodes, and of what runs in it by itself. */
function automationsOf({ procurements, deployments }: Pool): string {
  return [...procurements, ...deployments].map(({ name }) => name).join(', ')
}

function Owned({ pool }: { pool: Pool }) {
  const now = useNow(60)
  const known = useSkuNames()
  // A SKU that is no longer in the catalog keeps its name.
  const retired = useNames(Object.keys(pool.allocation_schedule.by_sku).filter((id) => known(id) === id))
  return ownedText(pool, { now, skuName: (id) => retired(known(id)) }) || 'nothing'
}

const transferFilters = { pool: resourceFilter('Pool', () => usePools(['market', 'originating']).options) }

function TransfersTab() {
  const nameOf = usePoolNames()
  return (
    <ListTab
      name="Transfers"
      operation="list_pool_transfers"
      every={30_000}
      columns={transferColumns(nameOf)}
      filters={transferFilters}
      create={{ label: 'Move nodes', dialog: (close) => <MoveNodes onClose={close} /> }}
      empty={{
        title: 'No transfer',
        command: 'bourse pool-transfers create --from-pool main --to-pool night --sku h100-west --window "now for 2h"',
        text: 'Free nodes of one pool can be moved to another one, for some hours or for good. It costs nothing.',
      }}
    />
  )
}

function transferColumns(nameOf: (pool: string) => string) {
  return columnsOf(
    poolTransfers,
    [
      { of: 'created_at', title: 'When', as: 'moment' },
      { of: 'from_pool', title: 'From', value: ({ from_pool }) => nameOf(from_pool) },
      { of: 'to_pool', title: 'To', value: ({ to_pool }) => nameOf(to_pool) },
      'sku',
      {
        id: 'nodes',
        title: 'Nodes',
        value: ({ allocation_schedule_delta: steps }) => Math.max(...steps.map(({ node_count }) => node_count)),
        as: 'count',
      },
      { id: 'start', title: 'Start', value: ({ allocation_schedule_delta: [first] }) => first?.start_at, as: 'moment' },
      {
        id: 'end',
        title: 'End',
        value: ({ allocation_schedule_delta: steps }) => steps.at(-1)?.end_at,
        as: 'moment',
        none: 'without end',
      },
      'state',
      { of: 'created_by', title: 'By' },
    ],
    ['id'],
  )
}
