/**
 * Orders of one book that arrive while a transaction is in flight are decided together in the next one: a busy book
 * pays one durable commit for many orders. One batch at a time for each book and process.
 */

import type { Id } from '@bourse/api/kit/ids.ts'
import type { Order } from '@bourse/api/market/orders.ts'
import { type BatchEntry, type BatchOutcome, type BatchVerdict, batchCommand } from '../core/batch-command.ts'
import type { Ctx } from '../core/ctx.ts'
import { keyNameOf } from '../core/idempotency.ts'
import { memoryOf } from '../core/memory.ts'
import type { Runtime } from '../core/runtime.ts'
import { loadSurroundings, presentOrder } from './order-presentation.service.ts'
import type { FillRow } from './orders.store.ts'
import { fillRowOf } from './trade-effects.service.ts'
import { type PlaceWish, tradeOn } from './trading.service.ts'

/** A request that is ready to be decided. */
export type PreparedOrder = { readonly sku_id: Id<'sku'>; readonly wish: PlaceWish }

type Answer = (result: Order) => { status: number; body: string }
type Waiting = {
  readonly entry: BatchEntry<PreparedOrder>
  readonly answer: Answer
  readonly resolve: (outcome: BatchOutcome<Order>) => void
  readonly reject: (error: unknown) => void
}
type Queue = { waiting: Waiting[]; isRunning: boolean }

const batchMax = 64

/** Lets an order wait for the next transaction on its book; gives what came of it. */
export function enqueueOrder(
  runtime: Runtime,
  entry: BatchEntry<PreparedOrder>,
  answer: Answer,
): Promise<BatchOutcome<Order>> {
  const queues = memoryOf(runtime.memory, 'market.order_queues', () => new Map<string, Queue>())
  const { sku_id } = entry.input
  const queue = queues.get(sku_id) ?? { waiting: [], isRunning: false }
  queues.set(sku_id, queue)
  return new Promise((resolve, reject) => {
    queue.waiting.push({ entry, answer, resolve, reject })
    if (!queue.isRunning) void runQueue(runtime, sku_id, queue)
  })
}

async function runQueue(runtime: Runtime, sku_id: Id<'sku'>, queue: Queue): Promise<void> {
  queue.isRunning = true
  while (queue.waiting.length > 0) await runBatch(runtime, sku_id, takeBatch(queue))
  queue.isRunning = false
}

/** The oldest that wait, but of two with the same key only the first: the other is answered from its row. */
function takeBatch(queue: Queue): Waiting[] {
  const batch: Waiting[] = []
  const later: Waiting[] = []
  const keys = new Set<string>()
  for (const waiting of queue.waiting) {
    const { claim } = waiting.entry
    const isTwin = claim !== undefined && keys.has(keyNameOf(claim))
    if (batch.length === batchMax || isTwin) later.push(waiting)
    else batch.push(waiting)
    if (claim) keys.add(keyNameOf(claim))
  }
  queue.waiting = later
  return batch
}

async function runBatch(runtime: Runtime, sku_id: Id<'sku'>, batch: readonly Waiting[]): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    const entries = batch.map(({ entry }) => entry)
    const work = (ctx: Ctx, fresh: readonly BatchEntry<PreparedOrder>[]) => decide(ctx, sku_id, fresh)
    const outcomes = await batchCommand(runtime, { entries, work, answer: first.answer })
    for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index] as BatchOutcome<Order>)
  } catch (error) {
    for (const waiting of batch) waiting.reject(error)
  }
}

async function decide(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  entries: readonly BatchEntry<PreparedOrder>[],
): Promise<BatchVerdict<Order>[]> {
  const places = entries.map(({ input }) => input.wish)
  const around = places.map(({ workspace_id, pool_id, managed_by, actor }) => {
    return { workspace_id, pool_id, managed_by, sku_id, created_by_token_id: actor.type === 'token' ? actor.id : null }
  })
  const [surroundings, { placed }] = await Promise.all([
    loadSurroundings(ctx, around),
    tradeOn(ctx, sku_id, { places }),
  ])
  return placed.map((result): BatchVerdict<Order> => {
    if ('refusal' in result) return { refusal: result.refusal }
    const { row, trades } = result
    const fills = trades.map((trade): FillRow => fillRowOf(trade, { sku_id, now: row.created_at }))
    return { done: presentOrder({ row, fills: fills.reverse() }, surroundings) }
  })
}
