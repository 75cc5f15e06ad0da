import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { AllocationDelta, CapacityCause } from './pools.rules.ts'

const deltaShape = 'pool_id text, sku_id text, minute bigint, delta bigint'

const selectSupplyOf = statement<{ id: Id<'pool'> }>(
  'market.find_supply_of_sku',
  `select p.id
   from pools p
   where p.kind = 'originating' and p.deleted_at is null
     and exists (
       select
       from pool_allocation a
       where a.pool_id = p.id and a.sku_id = $1
     )
   order by p.id
   limit 1`,
)
const selectAllocation = statement<AllocationDelta>(
  'market.list_sku_allocation',
  `select pool_id, sku_id, minute, delta
   from pool_allocation
   where pool_id = $1 and sku_id = $2
   order by minute`,
)
const selectCapacity = statement<AllocationDelta & { is_promise: boolean }>(
  'market.list_capacity',
  `select pool_id, sku_id, minute, delta, false as is_promise
   from pool_allocation
   where sku_id = $1 and pool_id = any($2) and delta <> 0
   union all
   select pool_id, sku_id, minute, delta, true as is_promise
   from pool_promise
   where sku_id = $1 and pool_id = any($2) and delta <> 0`,
)
// Rows go in by primary key, so that two transactions that touch the same rows lock them in one order.
const addRows = statement<never>(
  'market.add_allocation',
  `insert into pool_allocation (pool_id, sku_id, minute, delta)
   select d.pool_id, d.sku_id, d.minute, d.delta
   from jsonb_to_recordset($1::jsonb) as d(${deltaShape})
   order by d.pool_id, d.sku_id, d.minute
   on conflict (pool_id, sku_id, minute) do update set delta = pool_allocation.delta + excluded.delta`,
)
const postRows = statement<never>(
  'market.post_capacity',
  `insert into capacity_postings (cause, pool_id, sku_id, minute, delta, created_at)
   select $2, d.pool_id, d.sku_id, d.minute, d.delta, $3
   from jsonb_to_recordset($1::jsonb) as d(${deltaShape})`,
)

/** The oldest pool that receives capacity of a SKU from hosts. */
export async function findSupplyOf(db: Db, skuId: string): Promise<Id<'pool'> | undefined> {
  return (await db.row(selectSupplyOf, [skuId]))?.id
}

/** The stored allocation of one pool and SKU. */
export function listSkuAllocation(db: Db, poolId: string, skuId: string): Promise<AllocationDelta[]> {
  return db.rows(selectAllocation, [poolId, skuId])
}

/** The stored allocation and promises of some pools on one SKU. */
export function listCapacity(
  db: Db,
  skuId: string,
  poolIds: readonly string[],
): Promise<(AllocationDelta & { is_promise: boolean })[]> {
  return db.rows(selectCapacity, [skuId, poolIds])
}

/** Adds to the allocation of pools. */
export async function insertAllocation(db: Db, deltas: readonly AllocationDelta[]): Promise<void> {
  await db.run(addRows, [JSON.stringify(deltas)])
}

/** Adds to the allocation of pools and records the cause, which is neither a fill nor a transfer. */
export async function postAllocation(
  ctx: Pick<Ctx, 'db' | 'now'>,
  cause: CapacityCause,
  deltas: readonly AllocationDelta[],
): Promise<void> {
  await Promise.all([insertAllocation(ctx.db, deltas), ctx.db.run(postRows, [JSON.stringify(deltas), cause, ctx.now])])
}
