/** The hours ahead of each SKU: where nodes are cheap, and where there are any. Marked cells open the ticket. */
import { hourSeconds } from '@bourse/text/time/units.ts'
import { useNavigate } from '@tanstack/react-router'
import { client } from '../../live/client.ts'
import { ownColumns } from '../../live/lists/columns.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import { Figure } from './figure.tsx'
import { HeatMap } from './heat-map.tsx'
import { type FlatCell, flatCells, type HeatmapView, heatRows, measures } from './heat-values.rules.ts'

const hours = 48

type HeatProps = {
  now: number
  measure: string
  onMeasure: (measure: string) => void
  marked: { readonly start: number; readonly end: number }
}

/** The map of all SKUs. */
export function MarketHeat({ now, measure, onMeasure, marked }: HeatProps) {
  const navigate = useNavigate()
  const from = Math.floor(now / hourSeconds) * hourSeconds
  const { data, error } = useRead(
    ['orderbook', 'heatmap', 'all', from],
    (signal) => client.orderbookHeatmap.get({ from, to: from + hours * hourSeconds }, { signal }),
    { every: 10_000, keepsLast: true },
  )
  if (!data) return error ? <ErrorText error={error} /> : <Loading />
  const view: HeatmapView = measure in measures ? (measure as HeatmapView) : 'ask'
  return (
    <Figure
      name="Hours ahead"
      tools={<Select label="Show" value={view} onChange={onMeasure} options={measures} />}
      table={
        <Table
          name="Hours ahead"
          columns={columns}
          rows={flatCells(data.rows)}
          keyOf={({ sku, start_at }) => `${sku} ${start_at}`}
        />
      }
      legend={
        <>
          {view === 'nodes' ? 'Darker is more.' : 'Darker is dearer than other hours of the SKU.'} Drag over hours of a
          SKU to order them; with the keyboard: arrows, Shift and arrows to mark, Enter.
          {data.has_more ? ' Only the first 16 SKUs are shown.' : ''}
        </>
      }
    >
      <HeatMap
        name="Hours ahead of each SKU"
        rows={heatRows(data.rows, view)}
        isByRow={view !== 'nodes'}
        marked={marked}
        onSelect={(sku, start, end) => {
          const search = { side: 'buy', sku, start: String(start), end: String(end) }
          void navigate({ to: '/ticket', search: search })
        }}
      />
    </Figure>
  )
}

const columns = ownColumns<FlatCell>([
  { id: 'sku', title: 'SKU', value: ({ sku }) => sku },
  { id: 'start', title: 'From', as: 'moment', value: ({ start_at }) => start_at },
  { id: 'ask', title: 'Best ask', as: 'money', value: (row) => row.best_ask_dollars_per_node_hour },
  { id: 'nodes', title: 'Free nodes', as: 'count', value: ({ offered_node_count }) => offered_node_count },
  { id: 'last', title: 'Last price', as: 'money', value: (row) => row.last_price_dollars_per_node_hour },
])
