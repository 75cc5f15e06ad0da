import { byVictimOrder } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { PoolSku } from '../../market/pools/capacity.service.ts'
import { listLivingByPool } from './placement.store.ts'

/**
 * The greatest allocation of its pool and SKU under which an instance would have to end: what is left for those that
 * end after it. Undefined where it does not run.
 */
export async function allocationThatEnds(
  ctx: Ctx,
  { id, pool_id, sku_id }: PoolSku & { readonly id: Id<'instance'> },
): Promise<number | undefined> {
  const rows = await listLivingByPool(ctx.db, { pool_id, sku_id })
  const holding = rows.filter(({ state }) => state === 'running' || state === 'failed').sort(byVictimOrder)
  const place = holding.findIndex((row) => row.id === id)
  return place < 0 ? undefined : holding.length - place - 1
}
