/**
 * The capacity of pools, by SKU. It changes only under the lock of the SKU's book, so that allocation that an open sell
 * has promised is never moved or withdrawn. Free allocation is owned allocation less promised allocation.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { BookRow } from '../book/books.rules.ts'
import { lockBook, openBook } from '../book/books.service.ts'
import {
  at,
  covers,
  fromDeltas,
  min,
  openEnd,
  rectangle,
  type Schedule,
  subtract,
  toDeltas,
} from '../schedule/schedule.rules.ts'
import { recordSkuHolder } from '../skus/skus.service.ts'
import { findSupplyOf, insertAllocation, listCapacity, listSkuAllocation, postAllocation } from './capacity.store.ts'
import { notifyMandateHolders } from './mandates.service.ts'
import { type AllocationDelta, type CapacityCause, minuteOf } from './pools.rules.ts'
import { findPool, lockPools } from './pools.service.ts'

/** Topic of `ctx.publish`: the allocation of a pool and SKU has changed. The key is `<pool id>/<sku id>`. */
export const allocationChanged = 'pool.allocation_changed'

/** A pool and a SKU in it. */
export type PoolSku = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }

/** Allocation that moves from one pool to another. */
type AllocationMove = {
  readonly from: Id<'pool'>
  readonly to: Id<'pool'>
  readonly sku_id: Id<'sku'>
  readonly schedule: Schedule
  /** A transfer has a row of its own. Every other cause is recorded as a capacity posting. */
  readonly cause: 'transfer' | Exclude<CapacityCause, 'host'>
  /** The field of the request that a refusal names. */
  readonly field: string
}

/**
 * Locks the capacity of a SKU by locking its book (rank `books`, before accounts and pools), and returns the row of the
 * book; undefined where the SKU does not exist.
 */
export async function lockCapacity(ctx: Ctx, sku_id: Id<'sku'>): Promise<BookRow | undefined> {
  const locked = await lockBook(ctx, sku_id)
  if (locked) return locked
  await openBook(ctx, sku_id)
  return lockBook(ctx, sku_id)
}

/** The free allocation of a pool. A decision that depends on it needs {@link lockCapacity}. */
export async function readFree(ctx: Ctx, { pool_id, sku_id }: PoolSku): Promise<Schedule> {
  const deltas = await listCapacity(ctx.db, sku_id, [pool_id])
  const owned = fromDeltas(deltas.filter(({ is_promise }) => !is_promise))
  return subtract(owned, fromDeltas(deltas.filter(({ is_promise }) => is_promise)))
}

/** Adds what trades move to the allocation of pools. The caller holds the pools' locks and wakes their readers. */
export async function addAllocation({ db }: Pick<Ctx, 'db'>, deltas: readonly AllocationDelta[]): Promise<void> {
  await insertAllocation(db, deltas)
}

/**
 * Adds capacity of hosts to their pool, or with negative counts removes it. Each minute appears once. The caller holds
 * {@link lockCapacity} and the lock of the pool, and removes no more than is free.
 */
export async function changeSupply(
  ctx: Ctx,
  { pool_id, sku_id }: PoolSku,
  changes: readonly { readonly minute: number; readonly delta: number }[],
): Promise<void> {
  if (changes.length === 0) return
  const deltas = changes.map(({ minute, delta }) => ({ pool_id, sku_id, minute, delta }))
  await postAllocation(ctx, 'host', deltas)
  const pool = await findPool(ctx, pool_id)
  if (pool) await recordSkuHolder(ctx, pool.account_id, sku_id)
  await publishAllocationChanged(ctx, sku_id, [pool_id])
}

/** Moves allocation between pools. The caller holds the book and the source. Refuses insufficient_allocation. */
export async function moveAllocation(
  ctx: Ctx,
  { from, to, sku_id, schedule, cause, field }: AllocationMove,
): Promise<void> {
  if (!covers(await readFree(ctx, { pool_id: from, sku_id }), schedule)) {
    refuse('insufficient_allocation', 'Less than that is free in the pool at some minute.', field)
  }
  const deltas = toDeltas(schedule).flatMap(({ minute, delta }): AllocationDelta[] => [
    { pool_id: from, sku_id, minute, delta: -delta },
    { pool_id: to, sku_id, minute, delta },
  ])
  if (cause === 'transfer') await insertAllocation(ctx.db, deltas)
  else await postAllocation(ctx, cause, deltas)
  await publishAllocationChanged(ctx, sku_id, [from, to])
}

/**
 * Moves free allocation of a pool back to an originating pool of the SKU, from the running minute on without end: in
 * each minute `nodes`, or what is free if that is less. False where no such pool exists or nothing is free.
 */
export async function returnAllocation(ctx: Ctx, { pool_id, sku_id }: PoolSku, nodes: number): Promise<boolean> {
  const to = await findSupplyOf(ctx.db, sku_id)
  if (to === undefined || to === pool_id) return false
  await lockCapacity(ctx, sku_id)
  await lockPools(ctx, [pool_id, to])
  const requested = rectangle(minuteOf(ctx.now), openEnd, nodes)
  const schedule = min(await readFree(ctx, { pool_id, sku_id }), requested)
  if (schedule.length === 0) return false
  await moveAllocation(ctx, { from: pool_id, to, sku_id, schedule, cause: 'preemption', field: 'node_count' })
  return true
}

/** The owned allocation of a pool and SKU. A decision that depends on it needs the lock of the pool. */
export async function readAllocation(ctx: Ctx, { pool_id, sku_id }: PoolSku): Promise<Schedule> {
  return fromDeltas(await listSkuAllocation(ctx.db, pool_id, sku_id))
}

/** How many nodes of a SKU a pool owns in the running minute. */
export async function ownedNow(ctx: Ctx, key: PoolSku): Promise<number> {
  return at(await readAllocation(ctx, key), minuteOf(ctx.now))
}

/** The key of a pool and SKU in wake-ups and due rows. */
export function allocationKey({ pool_id, sku_id }: PoolSku): string {
  return `${pool_id}/${sku_id}`
}

/** Parses a key made by {@link allocationKey}. */
export function parseKey(key: string): PoolSku {
  const [pool_id, sku_id] = key.split('/') as [Id<'pool'>, Id<'sku'>]
  return { pool_id, sku_id }
}

async function publishAllocationChanged(ctx: Ctx, sku_id: Id<'sku'>, poolIds: readonly Id<'pool'>[]): Promise<void> {
  for (const pool_id of poolIds) ctx.publish(allocationChanged, allocationKey({ pool_id, sku_id }))
  await notifyMandateHolders(ctx, sku_id, poolIds)
}
