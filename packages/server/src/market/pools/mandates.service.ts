/**
 * Mandates: which automation, at most one, orders for a pool and SKU. Its holder hears of whatever changes there. Not
 * this file's work: its orders (coverage).
 */

import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { insertMandate, listMandates, type MandateHolder, type MandatePlace, removeMandate } from './mandates.store.ts'
import { findPool, type PoolRow, poolSoleLock } from './pools.store.ts'

/**
 * Topics of `ctx.wake`: what the pool of a mandate owns or has open of its SKU has changed. The key is the id of the
 * automation that holds it.
 */
export const procurementPoolChanged = 'procurement.pool_changed'
export const deploymentPoolChanged = 'deployment.pool_changed'

/**
 * Lets an automation, and no other, order for a pool and SKU until {@link giveUpMandate}. Takes the pool (rank `pools`,
 * behind those who only rely on one) against everybody who relies on it, so nobody looks for its holder meanwhile, and
 * gives it. Refuses automation_conflict, and reference_not_found where the pool was deleted.
 */
export async function takeMandate(
  ctx: Ctx,
  mandate: MandatePlace & { readonly holder_id: MandateHolder },
): Promise<PoolRow> {
  const [held] = await ctx.lock(poolSoleLock, [mandate.pool_id])
  const pool = held === undefined ? undefined : await findPool(ctx.db, held)
  if (!pool) refuse('reference_not_found', 'There is no such pool.', 'pool')
  if (!(await insertMandate(ctx.db, mandate))) refuseMandateTaken()
  return pool
}

/** Lets others order for the pool and SKU of an automation. */
export async function giveUpMandate(ctx: Ctx, holder_id: MandateHolder): Promise<void> {
  await removeMandate(ctx.db, holder_id)
}

/** Who orders for a pool and SKU. Rely on the pool where a decision hangs on it. */
export async function findMandateHolder(
  ctx: Ctx,
  { pool_id, sku_id }: MandatePlace,
): Promise<MandateHolder | undefined> {
  const [mandate] = await listMandates(ctx.db, sku_id, [pool_id])
  return mandate?.holder_id
}

/** Refuses what another automation stands in the way of. */
export function refuseMandateTaken(): never {
  refuse('automation_conflict', 'Another automation works on this pool and SKU.', 'pool')
}

/** Tells the automations of some pools that something of a SKU changed there. */
export async function tellMandateHolders(
  ctx: Ctx,
  sku_id: MandatePlace['sku_id'],
  pool_ids: readonly MandatePlace['pool_id'][],
): Promise<void> {
  for (const { holder_id } of await listMandates(ctx.db, sku_id, pool_ids)) wakeMandateHolder(ctx, holder_id)
}

/** Tells one automation that something of its SKU changed in its pool. */
export function wakeMandateHolder(ctx: Ctx, holder_id: MandateHolder): void {
  ctx.wake(holder_id.startsWith('proc_') ? procurementPoolChanged : deploymentPoolChanged, holder_id)
}
