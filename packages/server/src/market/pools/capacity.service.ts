/**
 * Who owns how much of a SKU, and the one way in which that changes: under the lock of the SKU's book, so that what
 * is offered on the book cannot be moved or taken away. Free is what a pool owns less what it has promised to its
 * open sells.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type BookRow, bookLock, listBooks, openBooks } from '../book/books.store.ts'
import {
  at,
  covers,
  fromDeltas,
  min,
  OPEN_END,
  rectangle,
  type Schedule,
  subtract,
  toDeltas,
} from '../schedule/schedule.rules.ts'
import { noteHolding } from '../skus/skus.service.ts'
import { tellMandateHolders } from './mandates.service.ts'
import { minuteOf } from './pools.rules.ts'
import {
  type AllocationDelta,
  addAllocation,
  type CapacityCause,
  findPool,
  findSupplyOf,
  listCapacity,
  listSkuAllocation,
  poolLock,
  postAllocation,
} from './pools.store.ts'

/** Topic of `ctx.wake`: what a pool owns of a SKU has changed. The key is `<pool id>/<sku id>`. */
export const allocationChanged = 'pool.allocation_changed'

/** Part of a pool's life that concerns one SKU. */
export type PoolSku = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }

/** Allocation that goes from one pool to another. */
export type Move = {
  readonly from: Id<'pool'>
  readonly to: Id<'pool'>
  readonly sku_id: Id<'sku'>
  readonly schedule: Schedule
  /** A transfer has a row of its own; whatever else moves allocation is posted. */
  readonly cause: 'transfer' | Exclude<CapacityCause, 'host'>
  /** The field of the request that asks for too much. */
  readonly field: string
}

/**
 * Takes the lock under which capacity of a SKU is decided on and changed (rank `books`, before accounts and pools), and
 * gives the row of its book; undefined where there is no such SKU.
 */
export async function lockCapacity(ctx: Ctx, sku_id: Id<'sku'>): Promise<BookRow | undefined> {
  const [held, [row]] = await Promise.all([ctx.lock(bookLock, [sku_id]), listBooks(ctx.db, [sku_id])])
  if (held.length > 0) return row
  await openBooks(ctx.db, [sku_id])
  const [, [opened]] = await Promise.all([ctx.lock(bookLock, [sku_id]), listBooks(ctx.db, [sku_id])])
  return opened
}

/** Locks pools whose allocation is about to change or to be decided on. */
export async function lockPools(ctx: Ctx, pool_ids: readonly Id<'pool'>[]): Promise<void> {
  await ctx.lock(poolLock, pool_ids)
}

/** What a pool owns of a SKU and has not promised; lock the capacity of the SKU where a decision hangs on it. */
export async function readFree(ctx: Ctx, { pool_id, sku_id }: PoolSku): Promise<Schedule> {
  const deltas = await listCapacity(ctx.db, sku_id, [pool_id])
  const owned = fromDeltas(deltas.filter(({ is_promise }) => !is_promise))
  return subtract(owned, fromDeltas(deltas.filter(({ is_promise }) => is_promise)))
}

/**
 * Puts capacity of hosts into their pool, or with negative counts takes it out, each minute named once. The caller has
 * taken {@link lockCapacity} and {@link lockPools}, and takes out no more than is free.
 */
export async function changeSupply(
  ctx: Ctx,
  { pool_id, sku_id }: PoolSku,
  changes: readonly { readonly minute: number; readonly delta: number }[],
): Promise<void> {
  if (changes.length === 0) return
  const deltas = changes.map(({ minute, delta }) => ({ pool_id, sku_id, minute, delta }))
  await postAllocation(ctx, 'host', deltas)
  const pool = await findPool(ctx.db, pool_id)
  if (pool) await noteHolding(ctx, pool.account_id, sku_id)
  await tellAllocationChanged(ctx, sku_id, [pool_id])
}

/** Moves allocation between pools; book and source are locked. 422 insufficient_allocation where too little is free. */
export async function moveAllocation(ctx: Ctx, { from, to, sku_id, schedule, cause, field }: Move): Promise<void> {
  if (!covers(await readFree(ctx, { pool_id: from, sku_id }), schedule)) {
    refuse('insufficient_allocation', 'Less than that is free in the pool at some minute.', field)
  }
  const deltas = toDeltas(schedule).flatMap(({ minute, delta }): AllocationDelta[] => [
    { pool_id: from, sku_id, minute, delta: -delta },
    { pool_id: to, sku_id, minute, delta },
  ])
  if (cause === 'transfer') await addAllocation(ctx.db, deltas)
  else await postAllocation(ctx, cause, deltas)
  await tellAllocationChanged(ctx, sku_id, [from, to])
}

/**
 * Gives nodes of a pool back to one that hosts feed, from the running minute on without end: in each minute so many, or
 * what is free where that is less. False where no host feeds the SKU, or nothing is free.
 */
export async function giveBackAllocation(ctx: Ctx, { pool_id, sku_id }: PoolSku, nodes: number): Promise<boolean> {
  const to = await findSupplyOf(ctx.db, sku_id)
  if (to === undefined || to === pool_id) return false
  await lockCapacity(ctx, sku_id)
  await lockPools(ctx, [pool_id, to])
  const wished = rectangle(minuteOf(ctx.now), OPEN_END, nodes)
  const schedule = min(await readFree(ctx, { pool_id, sku_id }), wished)
  if (schedule.length === 0) return false
  await moveAllocation(ctx, { from: pool_id, to, sku_id, schedule, cause: 'preemption', field: 'node_count' })
  return true
}

/** What a pool owns of a SKU over time. Lock the pool where a decision hangs on it. */
export async function readAllocation(ctx: Ctx, { pool_id, sku_id }: PoolSku): Promise<Schedule> {
  return fromDeltas(await listSkuAllocation(ctx.db, pool_id, sku_id))
}

/** How many nodes of a SKU a pool owns in the running minute. */
export async function ownedNow(ctx: Ctx, key: PoolSku): Promise<number> {
  return at(await readAllocation(ctx, key), minuteOf(ctx.now))
}

/** How a pool and SKU are named where they are worked on together. */
export function keyOf({ pool_id, sku_id }: PoolSku): string {
  return `${pool_id}/${sku_id}`
}

/** Takes {@link keyOf} apart. */
export function parseKey(key: string): PoolSku {
  const [pool_id, sku_id] = key.split('/') as [Id<'pool'>, Id<'sku'>]
  return { pool_id, sku_id }
}

async function tellAllocationChanged(ctx: Ctx, sku_id: Id<'sku'>, pool_ids: readonly Id<'pool'>[]): Promise<void> {
  for (const pool_id of pool_ids) ctx.wake(allocationChanged, keyOf({ pool_id, sku_id }))
  await tellMandateHolders(ctx, sku_id, pool_ids)
}
