/** The forward curve of a SKU and the heat map of several: order books and last trades, window by window. */

import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import {
  type CurvePoint,
  chartDaysMax,
  chartWindowsMax,
  type getBookCurve as curveContract,
  curveMinutesMax,
  type HeatmapRow,
  type getBookHeatmap as heatmapContract,
  heatmapSkusMax,
} from '@bourse/api/market/market-charts.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import type { Book } from '../book/book-state.rules.ts'
import {
  bestPricesIn,
  estimatesIn,
  firstReaches,
  offeredIn,
  type Windows,
  windowsFrom,
} from '../book/book-windows.rules.ts'
import type { MinuteWindow } from '../book/matching.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { printAveragePrice, printPrice, stepUp } from '../schedule/prices.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { findSkuFor, listFittingSkus, requirementsOf } from '../skus/skus.service.ts'
import { readBook } from '../trading/book-cache.service.ts'
import type { BookOrder } from '../trading/trading.rules.ts'
import { type LatestFill, listLatestFills } from './market-charts.store.ts'

type ChartRange = { readonly from?: number; readonly to?: number; readonly step_minutes?: number }
type Grid = { readonly from: number; readonly to: number; readonly step: number; readonly count: number }

const defaultMinutes = 60
const defaultWindows = 48
const lookBackSeconds = 30 * daySeconds

/** The cost of nodes in windows of one length that start one after the other. */
export async function getCurve(ctx: Ctx, query: Input<typeof curveContract>['query']) {
  const { sku: skuId, length_minutes = defaultMinutes, node_count = 1 } = query
  const { account_id } = callerOf(ctx)
  const { from, to, step, count } = gridOf(ctx, query)
  if (count * length_minutes > curveMinutesMax) {
    const most = Math.floor(curveMinutesMax / length_minutes)
    refuse('range_too_long', `A request covers at most ${most} windows of this length; this has ${count}.`, 'to')
  }
  const sku = await findSkuFor(ctx, account_id, skuId)
  if (!sku?.is_visible || sku.deleted_at !== null) {
    refuse('sku_not_available', 'There is no such SKU that is not retired.', 'sku')
  }
  const all = windowsFrom(from / 60, { count, step, length: length_minutes })
  // An order cannot start before the current minute, so the windows that have begun have no price.
  const begun = all.filter((window) => window.from < minuteOf(ctx.now))
  const book = await readBook(ctx, skuId)
  const open = all.slice(begun.length)
  const points = book ? pointsOf(book, open, { sku, node_count, account_id }) : open.map(emptyPoint)
  return {
    object: 'orderbook_curve' as const,
    sku: skuId,
    from,
    to,
    step_minutes: step,
    length_minutes,
    node_count,
    requested_at: ctx.now,
    points: [...begun.map(emptyPoint), ...points],
  }
}

/** The best offer, the offered nodes and the last price of several SKUs, cell by cell. */
export async function getHeatmap(ctx: Ctx, query: Input<typeof heatmapContract>['query']) {
  const { from, to, step, count } = gridOf(ctx, query)
  const fitting = await listFittingSkus(ctx, callerOf(ctx).account_id, requirementsOf(query.requirements))
  const wanted = fitting.filter(({ id }) => query.sku === undefined || query.sku.includes(id))
  const skus = wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, heatmapSkusMax)
  const cells = windowsFrom(from / 60, { count, step, length: step })
  const fills = await listLatestFills(ctx.db, {
    skus,
    since: ctx.now - lookBackSeconds,
    from: from / 60,
    to: (cells.at(-1) as MinuteWindow).to,
  })
  const rows: HeatmapRow[] = []
  for (const sku of skus) rows.push(await rowOf(ctx, sku, cells, fills))
  return {
    object: 'orderbook_heatmap' as const,
    from,
    to,
    step_minutes: step,
    requested_at: ctx.now,
    rows,
    has_more: wanted.length > skus.length,
  }
}

/** Windows start at `from` and every step after it, before `to`. */
function gridOf(ctx: Ctx, { from: start, to: end, step_minutes: step = defaultMinutes }: ChartRange): Grid {
  const from = start ?? Math.floor(ctx.now / 60) * 60
  const to = end ?? from + Math.min(defaultWindows * step * 60, chartDaysMax * daySeconds)
  if (from >= to) refuse('invalid_range', 'The start must lie before the end.', 'to')
  const count = Math.ceil((to - from) / (step * 60))
  if (count > chartWindowsMax) {
    refuse('range_too_long', `A request covers at most ${chartWindowsMax} windows; this has ${count}.`, 'to')
  }
  if (to - from > chartDaysMax * daySeconds) {
    refuse('range_too_long', `A request covers at most ${chartDaysMax} days.`, 'to')
  }
  return { from, to, step, count }
}

function pointsOf(
  book: Book<BookOrder>,
  windows: Windows,
  { sku, node_count, account_id }: { sku: AccountSkuRow; node_count: number; account_id: string },
): CurvePoint[] {
  const asks = bestPricesIn(book, 'sell', windows)
  const bids = bestPricesIn(book, 'buy', windows)
  const offered = offeredIn(book, windows, account_id)
  const estimates = estimatesIn(book, windows, { node_count, account_id, offered })
  return windows.map((window, index) => {
    const estimate = estimates[index]
    return {
      ...emptyPoint(window),
      average_price_dollars_per_node_hour: estimate ? printAveragePrice(estimate) : null,
      limit_price_dollars_per_node_hour: estimate
        ? printPrice(stepUp(estimate.worst_price_micros, sku.price_step_micros))
        : null,
      best_bid_dollars_per_node_hour: priceOrNull(bids[index]),
      best_ask_dollars_per_node_hour: priceOrNull(asks[index]),
      offered_node_count: offered[index] as number,
    }
  })
}

function emptyPoint({ from, to }: MinuteWindow): CurvePoint {
  return {
    start_at: from * 60,
    end_at: to * 60,
    average_price_dollars_per_node_hour: null,
    limit_price_dollars_per_node_hour: null,
    best_bid_dollars_per_node_hour: null,
    best_ask_dollars_per_node_hour: null,
    offered_node_count: 0,
  }
}

async function rowOf(
  ctx: Ctx,
  { id, alias }: AccountSkuRow,
  cells: Windows,
  fills: ReadonlyMap<Id<'sku'>, readonly LatestFill[]>,
): Promise<HeatmapRow> {
  const book = await readBook(ctx, id)
  const minute = minuteOf(ctx.now)
  const passed = cells.filter(({ to }) => to <= minute).length
  const open = cells.slice(passed).map(({ from, to }) => ({ from: Math.max(from, minute), to }))
  const asks = book ? bestPricesIn(book, 'sell', open) : []
  const offered = book ? offeredIn(book, open, callerOf(ctx).account_id) : []
  const last = firstReaches(cells, fills.get(id) ?? [])
  return {
    sku: { object: 'sku', id, alias },
    cells: cells.map(({ from, to }, index) => ({
      start_at: from * 60,
      end_at: to * 60,
      best_ask_dollars_per_node_hour: priceOrNull(asks[index - passed]),
      offered_node_count: offered[index - passed] ?? 0,
      last_price_dollars_per_node_hour: priceOrNull(last[index]),
    })),
  }
}

function priceOrNull(priceMicros: bigint | undefined): string | null {
  return priceMicros === undefined ? null : printPrice(priceMicros)
}
