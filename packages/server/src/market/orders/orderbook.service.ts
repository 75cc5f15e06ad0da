/** Market data: quote, depth, windows, trades, price history. No order, account or other identity appears in it. */

import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type {
  BookWindow,
  getBookDepth as depthContract,
  listBookFills as fillsContract,
  listPriceHistory as historyContract,
  PriceBucket,
  PriceLevel as ShownLevel,
  listBookWindows as windowsContract,
} from '@bourse/api/market/orderbook.ts'
import { printDollars } from '@bourse/text/money.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { openPlace, pageResponse, refuseBothCursors, sealPlace } from '../../core/work/page.ts'
import type { Book } from '../book/book-state.rules.ts'
import { type DeliveryWindow, depthOf, type PriceLevel, windowsOf } from '../book/book-views.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { printAveragePrice, printPrice } from '../schedule/prices.rules.ts'
import { toEntries } from '../schedule/schedule.rules.ts'
import type { PricedSku } from '../skus/skus.rules.ts'
import { findVisibleSku, listFittingSkus, requirementsOf } from '../skus/skus.service.ts'
import { readBook } from '../trading/book-cache.service.ts'
import type { BookOrder } from '../trading/trading.rules.ts'
import { type BucketPlace, type BucketRow, listNextBuckets, listPreviousBuckets, listTape } from './orderbook.store.ts'

type Times = { readonly start_at: number; readonly end_at: number }
type FoundWindow = DeliveryWindow & { readonly sku: Id<'sku'> }

const defaultLevels = 20
const defaultLimit = 50
const lookBackDays = 7
const lookBackDaysMax = 30
const bucketsMax = 2_000
const bucketSeconds = { minute: 60, hour: hourSeconds, day: daySeconds } as const

/** The best bid and the best ask for a window, over the requested SKUs. */
export async function getQuote(ctx: Ctx, query: Times & { requirements?: string }) {
  const { bids, asks } = await readDepth(ctx, query, 1)
  return {
    object: 'orderbook_quote' as const,
    ...headOf(ctx, query),
    best_bid: bids[0] ?? null,
    best_ask: asks[0] ?? null,
  }
}

/** The price levels of both sides of a window. */
export async function getDepth(ctx: Ctx, query: Input<typeof depthContract>['query']) {
  return {
    object: 'orderbook_depth' as const,
    ...headOf(ctx, query),
    ...(await readDepth(ctx, query, query.depth ?? defaultLevels)),
  }
}

/** The delivery windows that hold resting orders, by start, end and SKU. */
export async function listWindows(ctx: Ctx, query: Input<typeof windowsContract>['query']) {
  const { range_start_at, range_end_at, limit = defaultLimit, requirements } = query
  refuseRange({ start_at: range_start_at, end_at: range_end_at }, 'range_end_at')
  const spec = { prefix: 'winc', query }
  const last = openPlace(ctx, spec, 'starting_after')?.last as [number, number, string] | undefined
  const range = { from: Math.max(minuteOf(range_start_at), minuteOf(ctx.now)), to: minuteOf(range_end_at) }
  // One minute less, because the same window can follow on a SKU with a greater id.
  const after = last && { from: last[0], to: last[1] - 1 }
  const found: FoundWindow[] = []
  for (const { sku, book } of await readBooks(ctx, requirements)) {
    found.push(...windowsOf(book, range, { after, limit: limit + 2 }).map((window) => ({ ...window, sku })))
  }
  const rest = found
    .filter((window) => !last || compareWindows(window, last) > 0)
    .sort((a, b) => compareWindows(a, keysOf(b)))
  const shown = rest.slice(0, limit)
  const [first] = shown
  const end = shown.at(-1)
  const cursor = first && end ? { cursor: sealPlace(ctx, spec, { first: keysOf(first), last: keysOf(end) }) } : {}
  return {
    object: 'list' as const,
    has_more: rest.length > limit,
    ...cursor,
    requirements: requirements ?? null,
    range_start_at,
    range_end_at,
    data: shown.map(presentWindow),
  }
}

/** Trades that overlap a window, newest first. */
export async function listFills(ctx: Ctx, query: Input<typeof fillsContract>['query']) {
  const { start_at, end_at, requirements, since_at = ctx.now - lookBackDays * daySeconds } = query
  refuseRange(query, 'end_at')
  if (since_at < ctx.now - lookBackDaysMax * daySeconds) refuse('too_old', 'Trades are shown for 30 days.', 'since_at')
  const skus = await listFittingSkus(ctx, callerOf(ctx).account_id, requirementsOf(requirements))
  const spec = { prefix: 'fillc', list: 'orderbook_fills', query }
  const { limit = defaultLimit } = query
  const place = openPlace(ctx, spec, 'starting_after')?.last as [number, string] | undefined
  const wanted = {
    skus,
    since: since_at,
    from: minuteOf(start_at),
    to: minuteOf(end_at),
    limit: limit + 1,
  }
  const found = await listTape(ctx.db, wanted, place && { filled_at: place[0], id: place[1] })
  const rows = found.slice(0, limit)
  const [first] = rows
  const last = rows.at(-1)
  const cursor =
    first && last
      ? sealPlace(ctx, spec, { first: [first.filled_at, first.id], last: [last.filled_at, last.id] })
      : undefined
  const shown = rows.map(({ sku_id, price_micros, schedule, filled_at, taker_side }) => ({
    sku: sku_id,
    price_dollars_per_node_hour: printPrice(price_micros),
    allocation_schedule_delta: entriesOf(schedule),
    taker_side,
    filled_at,
  }))
  const page = { rows: [], has_more: found.length > limit, cursor }
  const { data, ...envelope } = pageResponse(page, shown)
  return { ...envelope, requirements: requirements ?? null, start_at, end_at, data }
}

/** Trades by bucket of fill time, oldest first. Buckets without trades are left out. */
export async function listPriceHistory(ctx: Ctx, query: Input<typeof historyContract>['query']) {
  if (query.sku !== undefined && query.requirements !== undefined) {
    refuse('mutually_exclusive', 'Give either sku or requirements.', 'requirements')
  }
  const seconds = bucketSeconds[query.interval ?? 'hour']
  const until = query.until ?? (Math.floor(ctx.now / seconds) + 1) * seconds
  const back = query.interval === 'minute' ? 1 : lookBackDays
  const since = query.since ?? Math.floor((ctx.now - back * daySeconds) / seconds) * seconds
  for (const [field, value] of [
    ['since', since],
    ['until', until],
  ] as const) {
    if (value % seconds !== 0) refuse('not_aligned', `This must be a multiple of ${seconds} seconds.`, field)
  }
  if (since >= until) refuse('invalid_range', 'The start must lie before the end.', 'until')
  if ((until - since) / seconds > bucketsMax) {
    refuse('range_too_long', `A request covers at most ${bucketsMax} buckets.`, 'until')
  }
  const skus = await pricedSkus(ctx, query)
  return pageOfBuckets(ctx, query, { skus, since, until, seconds })
}

/** The SKUs of a price history. One that the caller may not see is left out like one that does not exist. */
async function pricedSkus(
  ctx: Ctx,
  { sku, requirements }: Input<typeof historyContract>['query'],
): Promise<PricedSku[]> {
  if (sku === undefined) return listFittingSkus(ctx, callerOf(ctx).account_id, requirementsOf(requirements))
  const row = await findVisibleSku(ctx, sku)
  return row ? [row] : []
}

type BucketRange = { skus: readonly PricedSku[]; since: number; until: number; seconds: number }

async function pageOfBuckets(ctx: Ctx, query: Input<typeof historyContract>['query'], range: BucketRange) {
  refuseBothCursors(query)
  const spec = { prefix: 'pricc', query }
  const { limit = defaultLimit } = query
  const before = openPlace(ctx, spec, 'ending_before')?.first
  const after = openPlace(ctx, spec, 'starting_after')?.last
  // One row more shows whether another page follows.
  const wanted = { ...range, limit: limit + 1 }
  const found = before
    ? await listPreviousBuckets(ctx.db, wanted, placeOf(before))
    : await listNextBuckets(ctx.db, wanted, after && placeOf(after))
  const rows = found.slice(0, limit)
  if (before) rows.reverse()
  const data = rows.map((row) => presentBucket(row, range.seconds))
  const [first] = data
  const last = data.at(-1)
  const cursor =
    first && last ? sealPlace(ctx, spec, { first: keysOfBucket(first), last: keysOfBucket(last) }) : undefined
  return pageResponse({ rows: [], has_more: found.length > limit, cursor }, data)
}

function keysOfBucket({ start_at, sku }: PriceBucket) {
  return [start_at, sku] as const
}

function placeOf([start_at, sku_id]: readonly unknown[]): BucketPlace {
  return { start_at: start_at as number, sku_id: sku_id as string }
}

async function readDepth(ctx: Ctx, query: Times & { requirements?: string }, levels: number) {
  refuseRange(query, 'end_at')
  const window = { from: Math.max(minuteOf(query.start_at), minuteOf(ctx.now)), to: minuteOf(query.end_at) }
  const bids: (PriceLevel & { sku: Id<'sku'> })[] = []
  const asks: (PriceLevel & { sku: Id<'sku'> })[] = []
  for (const { sku, book } of await readBooks(ctx, query.requirements)) {
    const depth = depthOf(book, window, levels)
    bids.push(...depth.bids.map((level) => ({ ...level, sku })))
    asks.push(...depth.asks.map((level) => ({ ...level, sku })))
  }
  // The sort is stable and the books are in the order of their ids, so equal prices are in the order of SKU ids.
  bids.sort((a, b) => Number(b.price_micros - a.price_micros))
  asks.sort((a, b) => Number(a.price_micros - b.price_micros))
  return { bids: bids.slice(0, levels).map(presentLevel), asks: asks.slice(0, levels).map(presentLevel) }
}

async function readBooks(
  ctx: Ctx,
  requirements: string | undefined,
): Promise<{ sku: Id<'sku'>; book: Book<BookOrder> }[]> {
  const skus = await listFittingSkus(ctx, callerOf(ctx).account_id, requirementsOf(requirements))
  const books: { sku: Id<'sku'>; book: Book<BookOrder> }[] = []
  for (const { id } of skus.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const book = await readBook(ctx, id)
    if (book) books.push({ sku: id, book })
  }
  return books
}

function refuseRange({ start_at, end_at }: Times, field: string): void {
  if (start_at >= end_at) refuse('invalid_range', 'The start must lie before the end.', field)
}

function headOf(ctx: Ctx, { requirements, start_at, end_at }: Times & { requirements?: string }) {
  return { requirements: requirements ?? null, start_at, end_at, requested_at: ctx.now }
}

function presentLevel({ sku, price_micros, schedule }: PriceLevel & { sku: Id<'sku'> }): ShownLevel {
  return { sku, price_dollars_per_node_hour: printPrice(price_micros), allocation_schedule_delta: entriesOf(schedule) }
}

function presentWindow({ sku, from, to, best_bid, best_ask, ...counts }: FoundWindow): BookWindow {
  return {
    sku,
    start_at: from * 60,
    end_at: to * 60,
    duration_minutes: to - from,
    total_bid_order_count: counts.bid_order_count,
    total_ask_order_count: counts.ask_order_count,
    best_bid: best_bid ? presentLevel({ ...best_bid, sku }) : null,
    best_ask: best_ask ? presentLevel({ ...best_ask, sku }) : null,
  }
}

function presentBucket(row: BucketRow, seconds: number): PriceBucket {
  return {
    object: 'price_bucket',
    sku: row.sku_id,
    start_at: row.start_at,
    end_at: row.start_at + seconds,
    first_price_dollars_per_node_hour: printPrice(row.first_micros),
    last_price_dollars_per_node_hour: printPrice(row.last_micros),
    low_price_dollars_per_node_hour: printPrice(row.low_micros),
    high_price_dollars_per_node_hour: printPrice(row.high_micros),
    vwap_price_dollars_per_node_hour:
      printAveragePrice({ ...row, node_minutes: BigInt(row.node_minutes) }) ?? '0.000000',
    node_minutes: row.node_minutes,
    total_dollars: printDollars(row.value_micros),
    fill_count: row.fill_count,
  }
}

function keysOf({ from, to, sku }: FoundWindow): [number, number, string] {
  return [from, to, sku]
}

function compareWindows({ from, to, sku }: FoundWindow, [f, t, s]: readonly [number, number, string]): number {
  return from - f || to - t || (sku < s ? -1 : sku > s ? 1 : 0)
}

function entriesOf(schedule: readonly number[]): ShownLevel['allocation_schedule_delta'] {
  return toEntries(schedule) as ShownLevel['allocation_schedule_delta']
}
