/** One deployment: what it keeps, what it has, what it would do next, and its instances. */

import type { Deployment, Instance } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { readNewest } from '../events/newest.ts'
import { allMax, useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Facts } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable, Moment, Money } from '../ui/values.tsx'
import { runningSteps } from './automation.rules.ts'
import { AutomationPage, Belongings } from './automation-page.tsx'
import { type NamedLine, NodesChart, PricesChart } from './history-charts.tsx'
import { StatusCards } from './status-card.tsx'
import { DeleteDialog, ToggleDialog } from './toggle-dialog.tsx'
import { useEstimate } from './use-estimate.ts'

const EditDeploymentDialog = lazy(() =>
  import('./deployment-form.tsx').then(({ EditDeploymentDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function DeploymentPage() {
  return (
    <AutomationPage
      operation="get_deployment"
      help={help}
      guide="/docs/guides/spot-fleets"
      content={(deployment) => <Content deployment={deployment} />}
      dialogs={(deployment, dialog, onClose) => <Dialogs {...{ deployment, dialog, onClose }} />}
    />
  )
}

const help = (
  <>
    The chart shows how many nodes the pool owned and how many instances ran, beside the target. Its orders and its
    instances carry its name.
  </>
)

function Content({ deployment }: { deployment: Deployment }) {
  const { id, sku, pool, status, enabled, target_instance_count } = deployment
  const now = useNow()
  const isSpot = deployment.object === 'spot_deployment'
  const next = useEstimate(id, {}, () => client.deployments.createUpdateEstimate(id, {}))
  const instances = useAll('list_instances', { deployment: id })
  const lines = useHistory(id)
  return (
    <>
      <StatusCards status={status} enabled={enabled} next={next} />
      <DeploymentFacts deployment={deployment} />
      <NodesChart pool={pool} sku={sku} target={target_instance_count} ahead={2 * hourSeconds} lines={lines} />
      {isSpot ? <PricesChart sku={sku} highest={deployment.max_buy_price_dollars_per_node_hour} /> : null}
      <Belongings
        title="Instances"
        name={`Instances of ${deployment.name}`}
        rows={instances}
        columns={columnsAt(now)}
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

function DeploymentFacts({ deployment }: { deployment: Deployment }) {
  const facts: (readonly [string, ReactNode])[] = [
    ['Instances', `${deployment.live_instance_count} of ${deployment.target_instance_count}`],
    ['Id', <Copyable key="id" text={deployment.id} />],
    ['Kind', deployment.object === 'spot_deployment' ? 'spot' : 'generic'],
    ['Pool', <bdi key="pool">{deployment.pool.name}</bdi>],
    ['SKU', deployment.sku.alias],
    ['Template', <bdi key="template">{deployment.instance_template.name}</bdi>],
    ['Names', deployment.instance_name_template],
    ['Created', <Moment key="created" at={deployment.created_at} />],
    ['Changed', <Moment key="changed" at={deployment.updated_at} />],
  ]
  const price = deployment.max_buy_price_dollars_per_node_hour
  if (price) facts.push(['Maximum price', <Money key="price" dollars={price} />])
  return <Facts facts={facts} />
}

function columnsAt(now: number): readonly Column<Instance>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: (row) => <InstanceLink instance={row} /> },
    { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
    },
  ]
}

function InstanceLink({ instance: { id, name } }: { instance: Instance }) {
  return (
    <Link to="/instances/$id" params={{ id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}

type DialogsProps = { deployment: Deployment; dialog: string; onClose: () => void }

function Dialogs({ deployment, dialog, onClose }: DialogsProps) {
  const { id, name, enabled, live_instance_count } = deployment
  const navigate = useNavigate()
  return (
    <>
      <ToggleDialog
        {...{ id, name, enabled, onClose }}
        isOpen={dialog === 'toggle'}
        change={(body) => client.deployments.update(id, body)}
        estimate={(body) => client.deployments.createUpdateEstimate(id, body)}
        nouns={['deployment', 'order', 'balance']}
      >
        <p>It starts, ends and buys nothing while it is paused. What runs stays; its open orders are cancelled.</p>
      </ToggleDialog>
      <DeleteDialog
        {...{ name, onClose }}
        isOpen={dialog === 'delete'}
        remove={() => client.deployments.delete(id)}
        onDeleted={() => void navigate({ to: '/deployments' })}
        nouns={['deployment', 'instance', 'order', 'balance']}
      >
        <p>
          Its {live_instance_count} living instances end with it, disks included, and its open orders are cancelled.
          What it bought stays in the pool.
        </p>
      </DeleteDialog>
      <Suspense>
        {dialog === 'edit' ? <EditDeploymentDialog deployment={deployment} isOpen onClose={onClose} /> : null}
      </Suspense>
    </>
  )
}
