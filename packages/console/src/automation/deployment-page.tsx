/** One deployment: what it keeps, what it has, what it would do next, and its instances. */
import type { Deployment, Instance } from '@bourse/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Facts, Loading, Page } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Age, Copyable, Moment, Money } from '../ui/values.tsx'
import { runningSteps } from './automation.rules.ts'
import { type NamedLine, NodesChart, PricesChart } from './history-charts.tsx'
import { StatusCards } from './status-card.tsx'
import { DeleteDialog, ToggleDialog } from './toggle-dialog.tsx'
import { useEstimate } from './use-estimate.ts'

const EditDeploymentDialog = lazy(() =>
  import('./deployment-form.tsx').then(({ EditDeploymentDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function DeploymentPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const [address, setAddress] = useAddress({ dialog: '', sort: '' })
  const { data, error } = useRead(['deployment', 'item', id], () => client.deployments.get(id as Deployment['id']), {
    every: 10_000,
  })
  const choose = (dialog: string) => setAddress({ dialog })
  return (
    <Page
      title={data?.name ?? id}
      help={help}
      guide="/docs/guides/spot-fleets"
      actions={data ? <Actions enabled={data.enabled} onChoose={choose} /> : null}
    >
      <ErrorText error={error} />
      {data ? (
        <>
          <Content deployment={data} sort={address.sort} onSort={(sort) => setAddress({ sort })} />
          <Dialogs deployment={data} dialog={address.dialog} onClose={() => choose('')} />
        </>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  )
}

const help = (
  <>
    The chart shows how many nodes the pool owned and how many instances ran, beside the target. Its orders and its
    instances carry its name.
  </>
)

/** The buttons of an automation. */
export function Actions({ enabled, onChoose }: { enabled: boolean; onChoose: (dialog: string) => void }) {
  return (
    <>
      <Button onClick={() => onChoose('edit')}>Edit</Button>
      <Button onClick={() => onChoose('toggle')}>{enabled ? 'Pause' : 'Resume'}</Button>
      <Button kind="danger" onClick={() => onChoose('delete')}>
        Delete
      </Button>
    </>
  )
}

type ContentProps = { deployment: Deployment; sort: string; onSort: (sort: string) => void }

function Content({ deployment, sort, onSort }: ContentProps) {
  const { id, sku, pool, status, enabled, target_instance_count } = deployment
  const now = useNow()
  const isSpot = deployment.object === 'spot_deployment'
  const next = useEstimate(id, {}, () => client.deployments.createUpdateEstimate(id, {}))
  const instances = useAll('instance', { deployment: id }, () => client.instances.list({ deployment: id, limit: 200 }))
  const lines = useHistory(instances.data)
  return (
    <>
      <StatusCards status={status} enabled={enabled} next={next} />
      <DeploymentFacts deployment={deployment} />
      <NodesChart pool={pool} sku={sku} target={target_instance_count} ahead={2 * 3_600} lines={lines} />
      {isSpot ? <PricesChart sku={sku} highest={deployment.max_buy_price_dollars_per_node_hour} /> : null}
      <section>
        <h2>Instances</h2>
        <ErrorText error={instances.error} />
        {instances.data?.length === 0 ? <p className="quiet">It has none yet.</p> : null}
        {instances.data && instances.data.length > 0 ? (
          <Table
            name={`Instances of ${deployment.name}`}
            columns={columnsAt(now)}
            rows={instances.data}
            keyOf={(row) => row.id}
            sort={sort}
            onSort={onSort}
          />
        ) : null}
      </section>
      {isSpot ? (
        <Link to="/orders" search={{ deployment: id, view: 'all' } as never}>
          Its orders
        </Link>
      ) : null}
    </>
  )
}

const day = 86_400
const eventsMax = 2_000

/** How many of its instances ran in the last day. */
function useHistory(instances: readonly Instance[] | undefined): readonly NamedLine[] {
  const since = Math.floor(useNow() / 3_600) * 3_600 - day
  const { data: events } = useRead(['event', 'instances', since], () =>
    client.events.list({ target_type: 'instance', since, limit: 200 }).all({ max: eventsMax }),
  )
  // The line ends with what is known; beyond it nobody knows.
  const until = events?.at(-1)?.occurred_at
  const minute = Math.floor(useNow() / 60) * 60
  return useMemo(() => {
    if (!instances || !events) return []
    const steps = runningSteps(instances, events, since)
    return [{ name: 'Instances running', color: 'accent', steps, until: Math.max(minute, until ?? 0) }]
  }, [instances, events, since, minute, until])
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
    <Link to="/instances/$id" params={{ id } as never}>
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
