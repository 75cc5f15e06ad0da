/**
 * Mandates: a pool and SKU have at most one automation that trades for them. Its holder is woken whenever the pool's
 * allocation or open orders of the SKU change. Which orders it places is decided in coverage.rules.
 */

import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { MandateHolder, MandatePlace, MandateRow } from './mandates.rules.ts'
import { insertMandate, listMandates as listRows, removeMandate } from './mandates.store.ts'
import type { PoolRow } from './pools.rules.ts'
import { lockPoolAlone } from './pools.service.ts'

/**
 * Topics of `ctx.publish`: the allocation or the open orders of a mandate's pool and SKU have changed. The key is the
 * id of the automation that holds the mandate.
 */
export const procurementPoolChanged = 'procurement.pool_changed'
export const deploymentPoolChanged = 'deployment.pool_changed'

/**
 * Gives an automation the mandate for a pool and SKU until {@link releaseMandate}, and returns the pool. Locks the pool
 * (rank `pools`) against every other command, so that no command reads its mandates meanwhile. Refuses
 * automation_conflict, and reference_not_found where the pool was deleted.
 */
export async function acquireMandate(
  ctx: Ctx,
  mandate: MandatePlace & { readonly holder_id: MandateHolder },
): Promise<PoolRow> {
  const pool = await lockPoolAlone(ctx, mandate.pool_id)
  if (!pool) refuse('reference_not_found', 'There is no such pool.', 'pool')
  if (!(await insertMandate(ctx.db, mandate))) refuseMandateTaken()
  return pool
}

/** Ends the mandate of an automation. */
export async function releaseMandate(ctx: Ctx, holderId: MandateHolder): Promise<void> {
  await removeMandate(ctx.db, holderId)
}

/** The automation that holds the mandate for a pool and SKU. A decision that depends on it needs a lock on the pool. */
export async function findMandateHolder(
  ctx: Ctx,
  { pool_id, sku_id }: MandatePlace,
): Promise<MandateHolder | undefined> {
  const [mandate] = await listRows(ctx.db, sku_id, [pool_id])
  return mandate?.holder_id
}

/** The mandates of some pools on one SKU. */
export function listMandates(
  { db }: Pick<Ctx, 'db'>,
  skuId: MandatePlace['sku_id'],
  poolIds: readonly MandatePlace['pool_id'][],
): Promise<MandateRow[]> {
  return listRows(db, skuId, poolIds)
}

/** Refuses a mandate that another automation holds. */
export function refuseMandateTaken(): never {
  refuse('automation_conflict', 'Another automation works on this pool and SKU.', 'pool')
}

/** Wakes the automations that hold mandates for some pools on a SKU. */
export async function notifyMandateHolders(
  ctx: Ctx,
  skuId: MandatePlace['sku_id'],
  poolIds: readonly MandatePlace['pool_id'][],
): Promise<void> {
  for (const { holder_id } of await listRows(ctx.db, skuId, poolIds)) notifyMandateHolder(ctx, holder_id)
}

/** Wakes the automation that holds a mandate. */
export function notifyMandateHolder(ctx: Ctx, holderId: MandateHolder): void {
  ctx.publish(holderId.startsWith('proc_') ? procurementPoolChanged : deploymentPoolChanged, holderId)
}
