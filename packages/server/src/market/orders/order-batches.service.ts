/**
 * Group commit of orders: orders of one book that arrive while a transaction is in flight are decided together in the
 * next one, so many orders share one durable commit. Each book has one batch at a time in a process. A batch takes two
 * round trips: claims, locks and reads; then all writes with the commit.
 */

import type { Input } from '@bourse/api/kit/endpoint.ts'
import { type Id, isPath } from '@bourse/api/kit/ids.ts'
import { type amendOrder, createOrder, type Order } from '@bourse/api/market/orders.ts'
import { isRefusal, Refusal, type RefusalData, refuse } from '../../core/base/refusal.ts'
import {
  type BatchEntry,
  type BatchOutcome,
  type BatchVerdict,
  batchCommand,
  ctxOfEntry,
  storedResponse,
} from '../../core/work/batch-command.ts'
import { type BatchQueue, createKeyedBatchQueue } from '../../core/work/batch-queue.ts'
import { type AskedRight, type Ctx, callerOf } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { Services } from '../../core/work/services.ts'
import { allow, mayName } from '../../iam/access/permissions.service.ts'
import { idToLoad, type Summary, summariesAround, withinLimits } from '../../iam/names/names.service.ts'
import { printPrice } from '../schedule/prices.rules.ts'
import { summarizeSku } from '../skus/skus.service.ts'
import { enterBook } from '../trading/book-cache.service.ts'
import { type ReadOrder, readOrder, refusePoolKind } from '../trading/order-admission.rules.ts'
import { amendmentRefusal } from '../trading/order-amendment.rules.ts'
import { fillRowOf } from '../trading/trade-effects.service.ts'
import { accountsMissed } from '../trading/trade-locks.service.ts'
import { lockForOrders, type TradeReading } from '../trading/trade-reading.service.ts'
import { type FillRow, isOpenRecord } from '../trading/trading.rules.ts'
import { type AmendedPlace, decideTrades, type PlaceRequest } from '../trading/trading.service.ts'
import { type OrderRelations, presentOrder } from './order-presentation.service.ts'
import { loadOrder } from './orders.service.ts'

/** A parsed request for an order of a pool. */
type OrderRequest = {
  readonly sku_id: Id<'sku'>
  readonly pool_id: Id<'pool'>
  readonly order: ReadOrder
  readonly allow_standing: boolean
  readonly allow_partial: boolean
  /** The open order that this one continues. */
  readonly amends?: AmendedPlace
}

type OrderInput = Input<typeof createOrder>
type OrderBatchEntry = BatchEntry<OrderRequest>
type OrderBatchReading = TradeReading & { readonly names: ReadonlyMap<string, Summary> }
type Evaluated =
  | { readonly place: PlaceRequest; readonly asked: readonly AskedRight[] }
  | { readonly refusal: RefusalData }

/** Orders of one transaction. */
const entriesMax = 64
const noPool = { code: 'reference_not_found', field: 'pool', message: 'There is no such pool.' } as const

/** Parses an order whose pool is an id; undefined where the pool is a path, which needs a lookup. */
export function readOrderRequest({ body }: OrderInput): OrderRequest | undefined {
  return isPath(body.pool) ? undefined : orderRequestOf(body, body.pool)
}

/** Parses an order and looks up its pool. */
export async function prepareOrder(ctx: Ctx, { body }: OrderInput): Promise<OrderRequest> {
  return orderRequestOf(body, await idToLoad(ctx, 'pool', body.pool))
}

function orderRequestOf(body: OrderInput['body'], pool_id: Id<'pool'>): OrderRequest {
  const [window] = body.allocation_schedule_delta
  const read = readOrder({
    side: body.side,
    window: window as NonNullable<typeof window>,
    limit_price_dollars_per_node_hour: body.limit_price_dollars_per_node_hour,
  })
  if ('refusal' in read) throw new Refusal(read.refusal)
  const { allow_standing = false, allow_partial = false } = body
  return { sku_id: body.sku, pool_id, order: read.order, allow_standing, allow_partial }
}

/** Reads the order that is to be amended, and parses what it is to ask for. Its terms never change. */
export async function prepareAmendment(ctx: Ctx, { params, body }: Input<typeof amendOrder>): Promise<OrderRequest> {
  const row = await loadOrder(ctx, params.id)
  await allow(ctx, 'order:delete', row)
  if (!isOpenRecord(row)) refuse('order_final', 'This order has ended already.')
  if (row.managed_by !== null) refuse('order_managed', 'An automation has placed this order, and would place it again.')
  const { start_at = row.start_minute * 60, end_at = row.end_minute * 60, node_count = row.node_count } = body
  const read = readOrder({
    side: row.side,
    window: { start_at, end_at, node_count },
    limit_price_dollars_per_node_hour: body.limit_price_dollars_per_node_hour ?? printPrice(row.price_micros),
  })
  if ('refusal' in read) throw new Refusal(amendmentRefusal(read.refusal))
  const { allow_standing = row.allow_standing, allow_partial = row.allow_partial } = body
  const amends = { id: row.id, keeps_start: read.order.start_minute === row.start_minute }
  return { sku_id: row.sku_id, pool_id: row.pool_id, order: read.order, allow_standing, allow_partial, amends }
}

/** The queue in which orders of one server wait for a transaction on their book. */
type OrderQueue = BatchQueue<OrderRequest, Order>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly order_queue: OrderQueue
  }
}

/** The queue in which orders wait for the next batch of their book. */
export function orderQueueOf({ order_queue }: Services): OrderQueue {
  return order_queue
}

/** Makes the queue of a server, empty. */
export function createOrderQueue(runtime: () => Runtime): OrderQueue {
  return createKeyedBatchQueue({
    keyOf: ({ input }) => input.sku_id,
    // All orders of a book need the lock of its row, so a second transaction would only wait for the first.
    running_max: 1,
    entries_max: entriesMax,
    namesOf: () => [],
    run: (entries) => runBatch(runtime(), entries),
  })
}

async function runBatch(
  runtime: Runtime,
  entries: readonly OrderBatchEntry[],
): Promise<readonly BatchOutcome<Order>[]> {
  const [{ sku_id }] = entries.map(({ input }) => input) as [OrderRequest]
  const missed = new Set<string>()
  return batchCommand(runtime, {
    entries,
    enter: () => enterBook(runtime.services, sku_id),
    prefetch: (ctx, claimed) => prefetchReading(ctx, sku_id, claimed, missed),
    work: async (ctx, fresh, reading) => {
      try {
        return await decide(ctx, sku_id, fresh, reading)
      } catch (error) {
        for (const account_id of accountsMissed(error)) missed.add(account_id)
        throw error
      }
    },
    response: storedResponse(createOrder),
  })
}

/** Reads what the orders are decided on, and the names that their answers show. */
async function prefetchReading(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  entries: readonly OrderBatchEntry[],
  also: Iterable<string>,
): Promise<OrderBatchReading> {
  const applicants = entries.map(({ origin, input }) => {
    return { account_id: origin.caller?.account_id ?? '', pool_id: input.pool_id, order: input.order }
  })
  const named = entries.flatMap(({ origin, input }) => [input.pool_id, origin.caller?.token_id])
  const [reading, names] = await Promise.all([
    lockForOrders(ctx, sku_id, { applicants, also }),
    summariesAround(ctx, named),
  ])
  return { ...reading, names }
}

async function decide(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  entries: readonly OrderBatchEntry[],
  reading: OrderBatchReading,
): Promise<BatchVerdict<Order>[]> {
  const evaluated = await Promise.all(entries.map((entry) => evaluate(ctxOfEntry(ctx, entry), entry.input, reading)))
  const places = evaluated.flatMap((entry) => ('place' in entry ? [entry.place] : []))
  if (places.length === 0) return evaluated.flatMap((entry) => ('refusal' in entry ? [entry] : []))
  const { placed, store } = await decideTrades(ctx, sku_id, () => ({ places }), reading)
  ctx.deferWrite(store)
  const { alias = '', simulated = false } = reading.book.row ?? {}
  const related: OrderRelations = {
    names: reading.names,
    skus: new Map([[sku_id, summarizeSku({ id: sku_id, alias, simulated })]]),
  }
  const results = placed.values()
  return evaluated.map((entry): BatchVerdict<Order> => {
    if ('refusal' in entry) return entry
    const result = results.next().value as (typeof placed)[number]
    if ('refusal' in result) return { refusal: result.refusal }
    const { row, trades } = result
    const fills = trades.map((trade): FillRow => fillRowOf(trade, { sku_id, now: row.created_at }))
    return { done: presentOrder({ row, fills: fills.reverse() }, related), asked: entry.asked }
  })
}

/** Checks visibility and permissions of a request. The order of the checks decides which refusal its caller sees. */
async function evaluate(ctx: Ctx, input: OrderRequest, { book, admission }: OrderBatchReading): Promise<Evaluated> {
  const { account_id } = callerOf(ctx)
  const { pool_id, order, allow_standing, allow_partial, amends } = input
  const pool = admission.pools.get(pool_id)
  if (!pool) return { refusal: noPool }
  // Of an order that is amended the pool is not named: who may not use it learns that, and not that it is absent.
  const isSeen = amends || (mayName(ctx, pool) && (await withinLimits(ctx, [pool.id])).has(pool.id))
  if (!isSeen) return { refusal: noPool }
  const forbidden = await refusalOf(allow(ctx, 'order:create', pool))
  if (forbidden) return { refusal: forbidden }
  const isVisible = amends !== undefined || admission.standings.get(account_id)?.is_visible
  if (!book.row || book.row.is_retired || !isVisible) {
    const message = 'There is no such SKU that is not retired.'
    return { refusal: { code: 'sku_not_available', field: 'sku', message } }
  }
  const kind = refusePoolKind(pool.kind, order.side)
  if (kind) return { refusal: kind }
  const { workspace_id } = pool
  const request = { account_id, workspace_id, pool_id, order, allow_standing, allow_partial }
  const amended = amends ? { amends } : {}
  return { place: { ...request, ...amended, managed_by: null, actor: ctx.actor }, asked: ctx.asked }
}

async function refusalOf(work: Promise<void>): Promise<RefusalData | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error.data
    throw error
  }
}
