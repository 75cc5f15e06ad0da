/** The list of deployments. */
import { lazy } from 'react'
import { kindOf } from '../automation/automation.rules.ts'
import { usePools } from '../fleet/choices.ts'
import { deployments } from '../generated/rows/automation.ts'
import { useExample } from '../live/example.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { choiceFilter, resourceFilter } from '../live/lists/filters.tsx'
import { ListPage } from '../live/lists/list-page.tsx'
import { statusColumn } from './status-card.tsx'

const CreateDeploymentDialog = lazy(() =>
  import('./forms.tsx').then(({ CreateDeploymentDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function DeploymentsPage() {
  return (
    <ListPage
      title="Deployments"
      help={help}
      guide="/docs/guides/spot-fleets"
      name="Deployments"
      operation="list_deployments"
      // Its status changes without an event of its own.
      every={10_000}
      columns={columns}
      page="/deployments/$id"
      filters={filters}
      create={{
        label: 'Create deployment',
        dialog: (close, open) => <CreateDeploymentDialog onClose={close} onCreated={({ id }) => open(id)} />,
      }}
      empty={{ title: 'No deployment', useCommand, text }}
    />
  )
}

const filters = {
  kind: choiceFilter('Kind', ['generic', 'spot']),
  pool: resourceFilter('Pool', () => usePools(['market', 'read_only']).options),
}

function useCommand(): string {
  const [pool, sku, template] = [useExample('pool'), useExample('sku'), useExample('instance_template')]
  const place = `--pool ${pool} --sku ${sku} --instance-template ${template}`
  return `bourse deployments create ${place} --target-instance-count 2`
}

const text = `A deployment starts instances from a template and replaces those that end. It needs a pool that owns
nodes, or
buys them itself as a spot deployment.`

const help = `A deployment keeps a number of instances running. A spot deployment also buys what they run on, an hour
ahead and never above your maximum price.`

const columns = columnsOf(
  deployments,
  [
    'name',
    statusColumn,
    { id: 'kind', title: 'Kind', value: kindOf },
    {
      of: 'live_instance_count',
      cell: ({ live_instance_count, target_instance_count }) => `${live_instance_count} of ${target_instance_count}`,
    },
    { of: 'max_buy_price_dollars_per_node_hour', title: 'Maximum price' },
    'sku',
    'pool',
  ],
  [{ id: 'message', title: 'Message', value: ({ status }) => status.message }, 'created_at', 'id'],
)
