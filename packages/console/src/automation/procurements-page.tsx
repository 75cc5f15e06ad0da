/** The list of procurements. */
import type { Procurement } from '@bourse/sdk'
import { lazy } from 'react'
import { usePools } from '../fleet/choices.ts'
import { procurements } from '../generated/rows/automation.ts'
import { useExample } from '../live/example.ts'
import { useThings } from '../live/forms/things.tsx'
import { spanText } from '../live/forms/typed.rules.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { resourceFilter } from '../live/lists/filters.tsx'
import { ListPage } from '../live/lists/list-page.tsx'
import { statusColumn } from './status-card.tsx'

const CreateProcurementDialog = lazy(() =>
  import('./forms.tsx').then(({ CreateProcurementDialog: dialog }) => ({ default: dialog })),
)

/** The page. */
export function ProcurementsPage() {
  return (
    <ListPage
      title="Procurements"
      help={help}
      guide="/docs/guides/procurements"
      name="Procurements"
      operation="list_procurements"
      // Its status changes without an event of its own.
      every={10_000}
      columns={columns}
      page="/procurements/$id"
      filters={filters}
      create={{
        label: 'Create procurement',
        dialog: (close, open) => <CreateProcurementDialog onClose={close} onCreated={({ id }) => open(id)} />,
      }}
      empty={{ title: 'No procurement', useCommand, text }}
    />
  )
}

const filters = {
  pool: resourceFilter('Pool', () => usePools(['market', 'originating']).options),
  sku: resourceFilter('SKU', () => useThings('sku')),
}

function useCommand(): string {
  const [pool, sku] = [useExample('pool'), useExample('sku')]
  return (
    `bourse procurements create --pool ${pool} --sku ${sku} --target 2 --managed-window 1d ` +
    '--max-buy-price 20.00 --min-sell-price 24.00'
  )
}

const text = `A procurement buys what a pool is short of, and sells what it has too much of, at your prices. It holds
money
only for the orders that it has open.`

const help = `A procurement keeps a pool at a number of nodes of one SKU, minute by minute, over a window that moves
with
time. It buys what is missing and sells what is left over, at prices that you set.`

const columns = columnsOf(
  procurements,
  [
    'name',
    statusColumn,
    { id: 'target', title: 'Target', value: ({ target }) => target, cell: ({ target }) => targetText(target) },
    'max_buy_price_dollars_per_node_hour',
    'min_sell_price_dollars_per_node_hour',
    { of: 'managed_window_minutes', cell: ({ managed_window_minutes: minutes }) => spanText(minutes) },
    'sku',
    'pool',
  ],
  ['created_at', 'id'],
)

/** The target in words. */
function targetText(target: Procurement['target']): string {
  return target === 'node_count' ? 'as many as instances' : `${target} nodes`
}
