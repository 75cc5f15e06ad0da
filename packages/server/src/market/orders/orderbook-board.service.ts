/**
 * The board: prices of many SKUs, past and ahead, and their free nodes. Past prices are read from the buckets of the
 * price history, and what is ahead once for each version of a book, so the cost grows with the SKUs that are shown.
 */

import type { Input } from '@bourse/api/kit/endpoint.ts'
import {
  type BoardRow,
  type getBookBoard as boardContract,
  boardHoursMax,
  boardSkusMax,
} from '@bourse/api/market/orderbook-board.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { type BoardView, boardViewOf } from '../book/book-board.rules.ts'
import { offeredIn, type Windows, windowsFrom } from '../book/book-windows.rules.ts'
import { readMarketHalt } from '../pools/halts.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { printAveragePrice, printPrice } from '../schedule/prices.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { listFittingSkus, presentSku, requirementsOf } from '../skus/skus.service.ts'
import { readBookView } from '../trading/book-cache.service.ts'
import { changeOf, inHours } from './board-prices.rules.ts'
import { type BucketRow, listNextBuckets } from './orderbook.store.ts'

/** What is shown of each SKU: the current hour, and as many hours before it and from it on. */
type BoardRange = { readonly current: number; readonly hours: number; readonly windows: Windows }

const minutesPerHour = 60

/** A row for each SKU that fits, in the order of the list of SKUs. */
export async function getBoard(
  ctx: Ctx,
  { requirements, sku, hours = boardHoursMax }: Input<typeof boardContract>['query'],
) {
  const { account_id } = callerOf(ctx)
  const fitting = await listFittingSkus(ctx, account_id, requirementsOf(requirements))
  const wanted = fitting
    .filter(({ id, deleted_at }) => deleted_at === null && (sku === undefined || sku.includes(id)))
    .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
  const skus = wanted.slice(0, boardSkusMax)
  const current = Math.floor(ctx.now / hourSeconds) * hourSeconds
  const range = { current, hours, windows: windowsOf(ctx, current, hours) }
  const [traded, halt] = await Promise.all([tradesOf(ctx, skus, current), readMarketHalt(ctx)])
  const rows: BoardRow[] = []
  for (const row of skus) {
    const shown = await readRow(ctx, row, range, traded.get(row.id) ?? [])
    rows.push(halt ? { ...shown, halted: true } : shown)
  }
  return {
    object: 'orderbook_board' as const,
    from: current - hours * hourSeconds,
    current_hour_at: current,
    to: current + hours * hourSeconds,
    hours,
    requested_at: ctx.now,
    rows,
    has_more: wanted.length > skus.length,
  }
}

/** The hours from the current one on. The first is the rest of it. */
function windowsOf(ctx: Ctx, current: number, hours: number): Windows {
  const all = windowsFrom(current / 60, { count: hours, step: minutesPerHour, length: minutesPerHour })
  return all.map(({ from, to }) => ({ from: Math.max(from, minuteOf(ctx.now)), to }))
}

/** The trades of each SKU by hour, oldest first. The change of a price needs them all, also where fewer are shown. */
async function tradesOf(ctx: Ctx, skus: readonly AccountSkuRow[], current: number) {
  const since = current - boardHoursMax * hourSeconds
  const until = current + hourSeconds
  const limit = skus.length * (boardHoursMax + 1)
  const rows = await listNextBuckets(ctx.db, { skus, seconds: hourSeconds, since, until, limit }, undefined)
  return Map.groupBy(rows, ({ sku_id }) => sku_id)
}

async function readRow(
  ctx: Ctx,
  sku: AccountSkuRow,
  { current, hours, windows }: BoardRange,
  trades: readonly BucketRow[],
): Promise<BoardRow> {
  const { account_id } = callerOf(ctx)
  const read = await readBookView(ctx, sku.id, `board ${windows[0]?.from} ${hours}`, (book) =>
    boardViewOf(book, windows),
  )
  const view = read?.view ?? nothingOf(windows)
  const offered = read && view.sellers.has(account_id) ? offeredIn(read.book, windows, account_id) : view.offered
  const { last_micros, change_bps } = changeOf(trades, ctx.now)
  const { buy, sell } = view.best
  const past = inHours(trades, current - hours * hourSeconds, hours + 1)
  return {
    sku: presentSku(sku),
    halted: read?.book.halted ?? false,
    best_bid_dollars_per_node_hour: priceOrNull(buy),
    best_ask_dollars_per_node_hour: priceOrNull(sell),
    spread_dollars_per_node_hour: buy === undefined || sell === undefined ? null : printPrice(sell - buy),
    last_price_dollars_per_node_hour: priceOrNull(last_micros),
    change_bps,
    free_node_count: offered[0] ?? 0,
    traded_dollars_per_node_hour: past.map((bucket) => (bucket ? averageOf(bucket) : null)),
    asked_dollars_per_node_hour: view.asks.map(priceOrNull),
    offered_node_counts: [...offered],
  }
}

function nothingOf(windows: Windows): BoardView {
  return {
    best: { buy: undefined, sell: undefined },
    asks: windows.map(() => undefined),
    offered: windows.map(() => 0),
    sellers: new Set(),
  }
}

function averageOf({ node_minutes, ...sums }: BucketRow): string | null {
  return printAveragePrice({ ...sums, node_minutes: BigInt(node_minutes) })
}

function priceOrNull(priceMicros: bigint | undefined): string | null {
  return priceMicros === undefined ? null : printPrice(priceMicros)
}
