/** One procurement: what it keeps, what the pool has, what it would do next, and its open orders. */

import type { Order, Procurement } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { spanText } from '../live/forms/typed.rules.ts'
import { restOf, type Steps, summed } from '../live/steps.rules.ts'
import { Facts } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { Copyable, Moment, Money } from '../ui/values.tsx'
import { AutomationPage, Belongings } from './automation-page.tsx'
import { type NamedLine, NodesChart, PricesChart } from './history-charts.tsx'
import { StatusCards } from './status-card.tsx'
import { DeleteDialog, ToggleDialog } from './toggle-dialog.tsx'
import { useEstimate } from './use-estimate.ts'

const EditProcurementDialog = lazy(() =>
  import('./procurement-form.tsx').then(({ EditProcurementDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function ProcurementPage() {
  return (
    <AutomationPage
      operation="get_procurement"
      help={help}
      guide="/docs/guides/procurements"
      content={(procurement) => <Content procurement={procurement} />}
      dialogs={(procurement, dialog, onClose) => <Dialogs {...{ procurement, dialog, onClose }} />}
    />
  )
}

const help = (
  <>
    The chart shows the nodes that the pool owned in the last day and will own in the window, beside the target. What is
    missing is an open buy, what is left over an open sell.
  </>
)

/** A chart is no longer than this, however far the procurement looks ahead. */
const aheadMax = 14 * daySeconds

function Content({ procurement }: { procurement: Procurement }) {
  const { id, sku, pool, status, enabled, managed_window_minutes } = procurement
  const next = useEstimate(id, {}, () => client.procurements.createUpdateEstimate(id, {}))
  const orders = useAll('list_orders', { procurement: id, state: ['standing', 'partially_filled'] }, { every: 30_000 })
  const lines = useMemo(() => linesOf(orders.data ?? []), [orders.data])
  // As many as instances: the estimate has counted them.
  const target = next.estimate?.target_node_count ?? (procurement.target === 'node_count' ? 0 : procurement.target)
  return (
    <>
      <StatusCards status={status} enabled={enabled} next={next} />
      <ProcurementFacts procurement={procurement} />
      <NodesChart
        pool={pool}
        sku={sku}
        target={Number(target)}
        ahead={Math.min(aheadMax, managed_window_minutes * 60)}
        lines={lines}
      />
      <PricesChart
        sku={sku}
        highest={procurement.max_buy_price_dollars_per_node_hour}
        lowest={procurement.min_sell_price_dollars_per_node_hour}
      />
      <Belongings
        title="Open orders"
        name={`Open orders of ${procurement.name}`}
        rows={orders}
        columns={orderColumns}
        none="None: nothing is missing or left over."
      />
      <Link to="/orders" search={{ procurement: id, view: 'all' }}>
        All its orders
      </Link>
    </>
  )
}

/** What its open orders still ask for, by side. */
function linesOf(orders: readonly Order[]): readonly NamedLine[] {
  const sideOf = (side: Order['side']): Steps => {
    const own = orders.filter((order) => order.side === side)
    return summed(own.map((order) => restOf(order.allocation_schedule_delta, order.filled_allocation_schedule_delta)))
  }
  const lines: NamedLine[] = [
    { name: 'Open buys', color: 'accent', steps: sideOf('buy') },
    { name: 'Open sells', color: 'bad', steps: sideOf('sell') },
  ]
  return lines.filter(({ steps }) => steps.length > 0)
}

function ProcurementFacts({ procurement }: { procurement: Procurement }) {
  const { target } = procurement
  const facts: (readonly [string, ReactNode])[] = [
    ['Target', target === 'node_count' ? 'as many nodes as the pool has instances' : `${target} nodes`],
    ['Buys at most at', <Money key="buy" dollars={procurement.max_buy_price_dollars_per_node_hour} />],
    ['Sells at least at', <Money key="sell" dollars={procurement.min_sell_price_dollars_per_node_hour} />],
    ['Looks ahead', spanText(procurement.managed_window_minutes)],
    ['Pool', <bdi key="pool">{procurement.pool.name}</bdi>],
    ['SKU', procurement.sku.alias],
    ['Id', <Copyable key="id" text={procurement.id} />],
    ['Created', <Moment key="created" at={procurement.created_at} />],
    ['Changed', <Moment key="changed" at={procurement.updated_at} />],
  ]
  return <Facts facts={facts} />
}

const windowOf = ({ allocation_schedule_delta: [window] }: Order) => window

const orderColumns: readonly Column<Order>[] = [
  { id: 'side', title: 'Side', value: ({ side }) => side, cell: ({ side }) => side },
  {
    id: 'nodes',
    title: 'Nodes',
    isNumber: true,
    value: (row) => windowOf(row)?.node_count,
    cell: (row) => windowOf(row)?.node_count,
  },
  {
    id: 'start',
    title: 'From',
    value: (row) => windowOf(row)?.start_at,
    cell: (row) => <Moment at={windowOf(row)?.start_at} />,
  },
  {
    id: 'end',
    title: 'Until',
    value: (row) => windowOf(row)?.end_at,
    cell: (row) => <Moment at={windowOf(row)?.end_at} />,
  },
  {
    id: 'price',
    title: 'Limit',
    isNumber: true,
    value: ({ limit_price_dollars_per_node_hour: price }) => price,
    cell: ({ limit_price_dollars_per_node_hour: price }) => <Money dollars={price} />,
  },
  { id: 'id', title: 'Id', value: ({ id }) => id, cell: ({ id }) => <OrderLink id={id} /> },
]

function OrderLink({ id }: { id: string }) {
  return (
    <Link to="/orders/$id" params={{ id }} className="mono">
      {id}
    </Link>
  )
}

type DialogsProps = { procurement: Procurement; dialog: string; onClose: () => void }

function Dialogs({ procurement, dialog, onClose }: DialogsProps) {
  const { id, name, enabled } = procurement
  const navigate = useNavigate()
  return (
    <>
      <ToggleDialog
        {...{ id, name, enabled, onClose }}
        isOpen={dialog === 'toggle'}
        change={(body) => client.procurements.update(id, body)}
        estimate={(body) => client.procurements.createUpdateEstimate(id, body)}
        nouns={['procurement', 'order', 'balance']}
      >
        <p>It buys and sells nothing while it is paused, and its open orders are cancelled. What it bought stays.</p>
      </ToggleDialog>
      <DeleteDialog
        {...{ name, onClose }}
        isOpen={dialog === 'delete'}
        remove={() => client.procurements.delete(id)}
        onDeleted={() => void navigate({ to: '/procurements' })}
        nouns={['procurement', 'order', 'balance']}
      >
        <p>Its open orders are cancelled. What it bought stays in the pool.</p>
      </DeleteDialog>
      <Suspense>
        {dialog === 'edit' ? <EditProcurementDialog procurement={procurement} isOpen onClose={onClose} /> : null}
      </Suspense>
    </>
  )
}
