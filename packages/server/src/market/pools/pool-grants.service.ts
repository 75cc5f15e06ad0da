/** Grants of the platform operator: read-only pools with capacity from the supply of a host's pool. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { createReadOnlyPool as createContract, Pool } from '@bourse/api/market/pools.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { requireWorkspaceOf } from '../../iam/accounts/workspaces.service.ts'
import { takeLimit } from '../../iam/names/limit-usage.service.ts'
import { idToLoad } from '../../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../../iam/names/owners.service.ts'
import { fromEntries, type Schedule, span } from '../schedule/schedule.rules.ts'
import { recordSkuHolder, requireSku } from '../skus/skus.service.ts'
import { lockCapacity, moveAllocation } from './capacity.service.ts'
import { minuteOf } from './pools.rules.ts'
import { addPool, findPool, lockPools, presentPool } from './pools.service.ts'

/** Creates a read-only pool for an account and moves allocation of an originating pool into it. */
export async function createReadOnlyPool(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Pool> {
  await allow(ctx, 'platform:write', null)
  const account_id = body.account
  const workspace_id = await requireWorkspaceOf(ctx, account_id, body.workspace)
  const granted = readSchedule(body.allocation_schedule)
  const { start } = span(granted) ?? refuse('out_of_range', 'The schedule grants nothing.', 'allocation_schedule')
  if (start < minuteOf(ctx.now)) refuse('in_the_past', 'The schedule starts in the past.', 'allocation_schedule')
  const source = await idToLoad(ctx, 'pool', body.from_pool)
  await lockCapacity(ctx, body.sku)
  const sku = await requireSku(ctx, body.sku, { account_id })
  await takeLimit(ctx, account_id, 'pools')
  await lockPools(ctx, [source])
  const from = (await findPool(ctx, source)) ?? refuseNoSource()
  if (from.kind !== 'originating') {
    refuse('pool_kind_not_allowed', 'Only an originating pool can be taken from.', 'from_pool')
  }
  await lockWorkspaceShared(ctx, workspace_id)
  const row = await addPool(ctx, { account_id, workspace_id, kind: 'read_only', name: body.name, tags: null })
  await moveAllocation(ctx, {
    from: from.id,
    to: row.id,
    sku_id: sku.id,
    schedule: granted,
    cause: 'grant',
    field: 'allocation_schedule',
  })
  await recordSkuHolder(ctx, account_id, sku.id)
  return presentPool(ctx, row)
}

function refuseNoSource(): never {
  refuse('reference_not_found', 'There is no such pool.', 'from_pool')
}

function readSchedule(entries: Parameters<typeof fromEntries>[0]): Schedule {
  const read = fromEntries(entries, 'allocation_schedule')
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.schedule
}
