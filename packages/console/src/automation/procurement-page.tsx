/** One procurement: what it keeps, what the pool has, what it would do next, and its open orders. */

import type { Order, Procurement } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { lazy, useMemo } from 'react'
import { procurements } from '../generated/rows/automation.ts'
import { orders } from '../generated/rows/market.ts'
import { useAll } from '../live/all.ts'
import { spanText } from '../live/forms/typed.rules.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { restOf, type Steps, summed } from '../live/steps.rules.ts'
import { AutomationPage, Belongings } from './automation-page.tsx'
import { type NamedLine, NodesChart, PricesChart } from './history-charts.tsx'
import { StatusCards } from './status-card.tsx'
import { useEstimate } from './use-estimate.ts'

const EditProcurementDialog = lazy(() =>
  import('./forms.tsx').then(({ EditProcurementDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function ProcurementPage() {
  return (
    <AutomationPage
      operation="get_procurement"
      help={help}
      guide="/docs/guides/procurements"
      content={(procurement) => <Content procurement={procurement} />}
      edit={(procurement, onClose) => <EditProcurementDialog procurement={procurement} onClose={onClose} />}
      pause="It buys and sells nothing while it is paused, and its open orders are cancelled. What it bought stays."
      deletion={() => 'Its open orders are cancelled. What it bought stays in the pool.'}
    />
  )
}

const help = `The chart shows the nodes that the pool owned in the last day and will own in the window, beside the
  target. What is missing is an open buy, what is left over an open sell.`

/** A chart is no longer than this, however far the procurement looks ahead. */
const aheadMax = 14 * daySeconds

function Content({ procurement }: { procurement: Procurement }) {
  const { id, sku, pool, status, enabled, managed_window_minutes } = procurement
  const next = useEstimate('create_procurement_update_estimate', { id }, {})
  const orders = useAll('list_orders', { procurement: id, state: ['standing', 'partially_filled'] }, { every: 30_000 })
  const lines = useMemo(() => linesOf(orders.data ?? []), [orders.data])
  // As many as instances: the estimate has counted them.
  const target = next.data?.target_node_count ?? (procurement.target === 'node_count' ? 0 : procurement.target)
  return (
    <>
      <StatusCards status={status} enabled={enabled} next={next} />
      <Details columns={facts} row={procurement} />
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
        page="/orders/$id"
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

const facts = columnsOf(procurements, [
  {
    id: 'target',
    title: 'Target',
    value: ({ target }) => (target === 'node_count' ? 'as many nodes as the pool has instances' : `${target} nodes`),
  },
  'max_buy_price_dollars_per_node_hour',
  'min_sell_price_dollars_per_node_hour',
  { of: 'managed_window_minutes', cell: ({ managed_window_minutes: minutes }) => spanText(minutes) },
  'pool',
  'sku',
  'id',
  { of: 'created_at', as: 'moment' },
  { of: 'updated_at', as: 'moment' },
])

const windowOf = ({ allocation_schedule_delta: [window] }: Order) => window

const orderColumns = columnsOf(orders, [
  'side',
  { id: 'nodes', title: 'Nodes', as: 'count', value: (row) => windowOf(row)?.node_count },
  { id: 'start', title: 'From', as: 'moment', value: (row) => windowOf(row)?.start_at },
  { id: 'end', title: 'Until', as: 'moment', value: (row) => windowOf(row)?.end_at },
  'limit_price_dollars_per_node_hour',
  { of: 'id', as: 'code', isName: true },
])
