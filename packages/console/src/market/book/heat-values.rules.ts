/** What the cells of the market's heat map show. Pure. */
import type { OrderbookHeatmapCell, OrderbookHeatmapRow } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { skuName } from '../sku.rules.ts'
import type { HeatRow } from './heat-map.rules.ts'

/** What colours can mean. */
export const measures = { ask: 'Best ask', nodes: 'Free nodes', last: 'Last price' } as const
/** What the colours mean. */
export type HeatmapView = keyof typeof measures

/** The rows of the map. Each cell says all three values, whatever its colour means. */
export function heatRows(rows: readonly OrderbookHeatmapRow[], view: HeatmapView): readonly HeatRow[] {
  return rows.map(({ sku, cells }) => ({
    key: sku.id,
    title: skuName(sku),
    cells: cells.map((cell) => ({
      start_at: cell.start_at,
      end_at: cell.end_at,
      value: measured(cell, view),
      text: cellText(cell),
    })),
  }))
}

function measured(cell: OrderbookHeatmapCell, view: HeatmapView): number | null {
  if (view === 'nodes') return cell.offered_node_count === 0 ? null : cell.offered_node_count
  const price = view === 'ask' ? cell.best_ask_dollars_per_node_hour : cell.last_price_dollars_per_node_hour
  return price === null ? null : Number(price)
}

function cellText({
  best_ask_dollars_per_node_hour: ask,
  offered_node_count: nodes,
  last_price_dollars_per_node_hour: last,
}: OrderbookHeatmapCell): string {
  const offer = ask === null ? 'nothing offered' : `${moneyText(ask)}, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
  return last === null ? offer : `${offer}, last ${moneyText(last)}`
}

/** A cell with the name of its SKU. */
export type FlatCell = OrderbookHeatmapCell & { readonly sku: string }

/** All cells as rows of a table. */
export function flatCells(rows: readonly OrderbookHeatmapRow[]): readonly FlatCell[] {
  return rows.flatMap(({ sku, cells }) => cells.map((cell) => ({ ...cell, sku: skuName(sku) })))
}
