/**
 * How many nodes each host adds to its supply pool, minute by minute. The rows of a host and the allocation of its pool
 * change together: the audit `capacity.supply` compares the two.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { changeSupply } from '../../market/pools/capacity.service.ts'
import { addHostSupply, type HostSupplyRow, listHostSupply } from './host-supply.store.ts'
import { foldSupply, type HostRow, supplyChanges } from './hosts.rules.ts'
import type { AllocationStep } from './victims.rules.ts'

/** Records the supply of new hosts. The caller has changed the allocation of their pools by as much. */
export function recordHostSupply(ctx: Ctx, rows: readonly HostSupplyRow[]): Promise<void> {
  return addHostSupply(ctx.db, rows)
}

/** The supply of a host, past and future. */
export async function readHostSupply(ctx: Ctx, host_id: Id<'host'>): Promise<AllocationStep[]> {
  return foldSupply(await listHostSupply(ctx.db, host_id))
}

/** Adds steps to the supply of a host and to the allocation of its pool (1), or takes them away (-1). */
export async function changeHostSupply(
  ctx: Ctx,
  host: Pick<HostRow, 'id' | 'sku_id' | 'pool_id'>,
  steps: readonly AllocationStep[],
  sign: 1 | -1,
): Promise<void> {
  const { id: host_id, sku_id } = host
  const changes = supplyChanges(steps, sign)
  await changeSupply(ctx, host, changes)
  await addHostSupply(
    ctx.db,
    changes.map((change) => ({ ...change, host_id, sku_id })),
  )
}
