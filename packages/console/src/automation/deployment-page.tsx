/** One deployment: what it keeps, what it has, what it would do next, and its instances. */

import type { Deployment } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { lazy, useMemo } from 'react'
import { kindOf } from '../automation/automation.rules.ts'
import { readNewest } from '../events/newest.ts'
import { deployments } from '../generated/rows/automation.ts'
import { instances } from '../generated/rows/fleet.ts'
import { allMax, useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { useRead } from '../live/queries.ts'
import { runningSteps } from './automation.rules.ts'
import { AutomationPage, Belongings } from './automation-page.tsx'
import { type NamedLine, NodesChart, PricesChart } from './history-charts.tsx'
import { StatusCards } from './status-card.tsx'
import { useEstimate } from './use-estimate.ts'

const EditDeploymentDialog = lazy(() =>
  import('./forms.tsx').then(({ EditDeploymentDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function DeploymentPage() {
  return (
    <AutomationPage
      operation="get_deployment"
      help={help}
      guide="/docs/guides/spot-fleets"
      content={(deployment) => <Content deployment={deployment} />}
      edit={(deployment, onClose) => <EditDeploymentDialog deployment={deployment} onClose={onClose} />}
      pause="It starts, ends and buys nothing while it is paused. What runs stays; its open orders are cancelled."
      deletion={({ live_instance_count }) =>
        `Its ${live_instance_count} living instances end with it, disks included, and its open orders are cancelled.
        What it bought stays in the pool.`
      }
    />
  )
}

const help = `The chart shows how many nodes the pool owned and how many instances ran, beside the target. Its orders
  and its instances carry its name.`

function Content({ deployment }: { deployment: Deployment }) {
  const { id, sku, pool, status, enabled, target_instance_count } = deployment
  const isSpot = deployment.object === 'spot_deployment'
  const next = useEstimate('create_deployment_update_estimate', { id }, {})
  const instances = useAll('list_instances', { deployment: id })
  const lines = useHistory(id)
  return (
    <>
      <StatusCards status={status} enabled={enabled} next={next} />
      <Details columns={facts} row={deployment} />
      <NodesChart pool={pool} sku={sku} target={target_instance_count} ahead={2 * hourSeconds} lines={lines} />
      {isSpot ? <PricesChart sku={sku} highest={deployment.max_buy_price_dollars_per_node_hour} /> : null}
      <Belongings
        title="Instances"
        name={`Instances of ${deployment.name}`}
        rows={instances}
        columns={columns}
        page="/instances/$id"
        none="It has none yet."
      />
      {isSpot ? (
        <Link to="/orders" search={{ deployment: id, view: 'all' }}>
          Its orders
        </Link>
      ) : null}
    </>
  )
}

const eventsMax = 2_000
/** Milliseconds after which the history is read again where no instance has changed: it may be many events. */
const historyAgain = 300_000

/**
 * How many of its instances ran in the last day. Instances and events are read together: a line from those of different
 * moments would have started with a wrong number.
 */
function useHistory(deployment: Deployment['id']): readonly NamedLine[] {
  const now = useNow()
  const since = Math.floor(now / hourSeconds) * hourSeconds - daySeconds
  const { data } = useRead(
    ['deployment', 'history', deployment, since],
    async (signal) => {
      const choice = { until: now + 60, since, most: eventsMax, signal }
      const [instances, newest] = await Promise.all([
        client.instances.list({ deployment, limit: 200 }).all({ max: allMax }),
        readNewest({ target_type: 'instance' }, choice),
      ])
      // Of more events than are read, the line begins with the oldest one.
      const from = newest.length === eventsMax ? (newest.at(-1)?.occurred_at ?? since) : since
      return { steps: runningSteps(instances, newest.toReversed(), from), until: newest[0]?.occurred_at ?? 0 }
    },
    { every: historyAgain, keepsLast: true },
  )
  const minute = Math.floor(now / 60) * 60
  return useMemo(() => {
    // The line ends with what is known; beyond it nobody knows.
    return data ? [{ name: 'Instances running', color: 'accent', ...data, until: Math.max(minute, data.until) }] : []
  }, [data, minute])
}

const facts = columnsOf(deployments, [
  {
    of: 'live_instance_count',
    cell: ({ live_instance_count, target_instance_count }) => `${live_instance_count} of ${target_instance_count}`,
  },
  'id',
  { id: 'kind', title: 'Kind', value: kindOf },
  'pool',
  'sku',
  { of: 'instance_template', title: 'Template' },
  { of: 'instance_name_template', title: 'Names' },
  { of: 'created_at', as: 'moment' },
  { of: 'updated_at', as: 'moment' },
  { of: 'max_buy_price_dollars_per_node_hour', title: 'Maximum price', isOptional: true },
])

const columns = columnsOf(instances, ['name', 'state', 'created_at'])
