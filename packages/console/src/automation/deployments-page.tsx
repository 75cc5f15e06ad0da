/** The list of deployments. */
import type { Deployment } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { usePools } from '../fleet/choices.ts'
import { useNow } from '../live/clock.ts'
import { useExample } from '../live/example.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Page } from '../ui/page.tsx'
import { allOr, Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { Age, Copyable, Money } from '../ui/values.tsx'
import { StatusBadge } from './status-card.tsx'

const CreateDeploymentDialog = lazy(() =>
  import('./deployment-form.tsx').then(({ CreateDeploymentDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function DeploymentsPage() {
  const [address, setAddress] = useAddress({ kind: '', pool: '', sort: '', dialog: '' })
  const navigate = useNavigate()
  const now = useNow()
  const { kind, pool } = address
  // Its status changes without an event of its own.
  const list = useList('list_deployments', { kind, pool }, { every: 10_000 })
  const pools = usePools(['market', 'read_only']).options
  const open = ({ id }: Pick<Deployment, 'id'>) => void navigate({ to: '/deployments/$id', params: { id } })
  const create = (
    <Button kind="primary" onClick={() => setAddress({ dialog: 'create' })}>
      Create deployment
    </Button>
  )
  return (
    <Page title="Deployments" help={help} guide="/docs/guides/spot-fleets" actions={create}>
      <div className="row no-print">
        <Select
          label="Kind"
          value={kind}
          onChange={(next) => setAddress({ kind: next })}
          options={allOr(['generic', 'spot'])}
        />
        <Select
          label="Pool"
          value={pool}
          onChange={(next) => setAddress({ pool: next })}
          options={{ '': 'All', ...Object.fromEntries(pools.map(({ id, name }) => [id, name])) }}
        />
      </div>
      <ListView
        name="Deployments"
        list={list}
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        onOpen={open}
        empty={<NoDeployment create={create} />}
      />
      <Suspense>
        {address.dialog === 'create' ? (
          <CreateDeploymentDialog isOpen onClose={() => setAddress({ dialog: '' })} onCreated={open} />
        ) : null}
      </Suspense>
    </Page>
  )
}

function NoDeployment({ create }: { create: ReactNode }) {
  const [pool, sku, template] = [useExample('pool'), useExample('sku'), useExample('instance_template')]
  const place = `--pool ${pool} --sku ${sku} --instance-template ${template}`
  return (
    <Empty
      title="No deployment"
      action={create}
      command={`bourse deployments create ${place} --target-instance-count 2`}
    >
      A deployment starts instances from a template and replaces those that end. It needs a pool that owns nodes, or
      buys them itself as a spot deployment.
    </Empty>
  )
}

const help = (
  <>
    A deployment keeps a number of instances running. A spot deployment also buys what they run on, an hour ahead and
    never above your maximum price.
  </>
)

function columnsAt(now: number): readonly Column<Deployment>[] {
  return [
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: (row) => <DeploymentLink deployment={row} /> },
    {
      id: 'status',
      title: 'Status',
      value: ({ status, enabled }) => (enabled ? status.code : 'paused'),
      cell: ({ status, enabled }) => <StatusBadge status={status} enabled={enabled} />,
    },
    { id: 'kind', title: 'Kind', value: kindOf, cell: kindOf },
    {
      id: 'live',
      title: 'Instances',
      isNumber: true,
      value: ({ live_instance_count }) => live_instance_count,
      cell: ({ live_instance_count, target_instance_count }) => `${live_instance_count} of ${target_instance_count}`,
    },
    {
      id: 'price',
      title: 'Maximum price',
      isNumber: true,
      value: ({ max_buy_price_dollars_per_node_hour: price }) => price,
      cell: ({ max_buy_price_dollars_per_node_hour: price }) => <Money dollars={price} />,
    },
    { id: 'sku', title: 'SKU', value: ({ sku }) => sku.alias, cell: ({ sku }) => sku.alias },
    { id: 'pool', title: 'Pool', value: ({ pool }) => pool.name, cell: ({ pool }) => pool.name },
    {
      id: 'message',
      title: 'Message',
      value: ({ status }) => status.message,
      cell: ({ status }) => status.message,
      isExtra: true,
    },
    {
      id: 'created_at',
      title: 'Created',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Age at={created_at} now={now} />,
      isExtra: true,
    },
    { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <Copyable text={id} />, isExtra: true },
  ]
}

function kindOf({ object }: Deployment): string {
  return object === 'spot_deployment' ? 'spot' : 'generic'
}

function DeploymentLink({ deployment: { id, name } }: { deployment: Deployment }) {
  return (
    <Link to="/deployments/$id" params={{ id }}>
      <bdi>{name}</bdi>
    </Link>
  )
}
