import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock, defineRowLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../../core/work/tags.ts'
import type { AllocationDelta, PoolRow } from './pools.rules.ts'

const columns = 'p.id, p.account_id, p.workspace_id, p.kind, p.tags, p.created_at'

const selectPool = statement<PoolRow>(
  'market.find_pool',
  `select ${columns}
   from pools p
   where p.id = $1 and p.deleted_at is null`,
)
const selectPools = statement<PoolRow>(
  'market.list_pools_by_id',
  `select ${columns}
   from pools p
   where p.id = any($1) and p.deleted_at is null`,
)
const selectPoolsEver = statement<PoolRow>(
  'market.list_pools_ever',
  `select ${columns}
   from pools p
   where p.id = any($1)`,
)
const selectSupplyPool = statement<PoolRow>(
  'market.find_supply_pool',
  `select ${columns}
   from pools p
   where p.workspace_id = $1 and p.kind = 'originating' and p.deleted_at is null`,
)
const insertRow = statement<never>(
  'market.insert_pool',
  `insert into pools (id, account_id, workspace_id, kind, tags, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
)
// The partial unique index allows one originating pool for each workspace.
const insertSupplyRow = statement<never>(
  'market.insert_supply_pool',
  `insert into pools (id, account_id, workspace_id, kind, tags, created_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (workspace_id) where kind = 'originating' and deleted_at is null do nothing`,
)
const updateTags = statement<never>(
  'market.update_pool',
  `update pools
   set tags = $2
   where id = $1`,
)
const removeRow = statement<never>(
  'market.remove_pool',
  `update pools
   set deleted_at = $2
   where id = $1`,
)
const selectAllocation = statement<AllocationDelta>(
  'market.list_allocation',
  `select pool_id, sku_id, minute, delta
   from pool_allocation
   where pool_id = any($1)
   order by pool_id, sku_id, minute`,
)

// The steps before the first minute that is shown come as one. A pool keeps a step for each minute of eight days.
const selectAllocationFrom = statement<AllocationDelta>(
  'market.list_allocation_from',
  `select pool_id, sku_id, greatest(minute, $2) as minute, sum(delta)::bigint as delta
   from pool_allocation
   where pool_id = any($1)
   group by pool_id, sku_id, greatest(minute, $2)
   having sum(delta) <> 0
   order by pool_id, sku_id, minute`,
)

/** Held by commands that change what a pool owns, or decide on it. */
export const poolLock = defineLock(
  'pool',
  'pools',
  `select id
   from pools
   where id = any($1) and deleted_at is null
   order by id
   for no key update`,
)

/** Held by commands that only need the pool to exist. */
export const poolShareLock = defineRowLock<PoolRow>(
  'pool.share',
  'pools',
  `select ${columns}
   from pools p
   where p.id = any($1) and p.deleted_at is null
   order by p.id
   for key share`,
)

const exclusive = `select id
   from pools
   where id = any($1) and deleted_at is null
   order by id
   for update`

/** Held by the command that deletes a pool. */
export const poolDeletionLock = defineLock('pool.deletion', 'pools', exclusive)

/** Held by a command that excludes every other lock on a pool until it ends. */
export const poolSoleLock = defineLock('pool.sole', 'pools', exclusive)

/** A pool of any account that is not deleted. */
export function findPool(db: Db, id: string): Promise<PoolRow | undefined> {
  return db.row(selectPool, [id])
}

/** Some pools that are not deleted. */
export function listPoolsById(db: Db, ids: readonly string[]): Promise<PoolRow[]> {
  return db.rows(selectPools, [ids])
}

/** Some pools, deleted ones included. */
export function listPoolsEver(db: Db, ids: readonly string[]): Promise<PoolRow[]> {
  return db.rows(selectPoolsEver, [ids])
}

/** The originating pool of a workspace, which receives the capacity of its hosts. */
export function findSupplyPool(db: Db, workspaceId: string): Promise<PoolRow | undefined> {
  return db.row(selectSupplyPool, [workspaceId])
}

export async function insertPool(db: Db, row: PoolRow): Promise<void> {
  await db.run(insertRow, valuesOf(row))
}

/** Inserts the originating pool of a workspace; false where one exists. Waits for a transaction that inserts it. */
export async function insertSupplyPool(db: Db, row: PoolRow): Promise<boolean> {
  return (await db.run(insertSupplyRow, valuesOf(row))) > 0
}

function valuesOf({ id, account_id, workspace_id, kind, tags, created_at }: PoolRow): unknown[] {
  return [id, account_id, workspace_id, kind, tags && JSON.stringify(tags), created_at]
}

/** Replaces the tags of a pool. */
export async function updatePoolTags(db: Db, id: string, tags: PoolRow['tags']): Promise<void> {
  await db.run(updateTags, [id, tags && JSON.stringify(tags)])
}

export async function removePool(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** The allocation of some pools from a minute on, all SKUs: as it is stored, with all earlier steps as one. */
export function listAllocationFrom(db: Db, poolIds: readonly string[], minute: number): Promise<AllocationDelta[]> {
  return db.rows(selectAllocationFrom, [poolIds, minute])
}

/** The stored allocation of some pools, all SKUs. */
export function listAllocation(db: Db, poolIds: readonly string[]): Promise<AllocationDelta[]> {
  return db.rows(selectAllocation, [poolIds])
}

/** A page of pools; `where` selects them. */
export function listPools(
  ctx: Ctx,
  query: PageQuery & TagFilters,
  where: Conditions,
  list = 'poolc',
): Promise<Page<PoolRow>> {
  where.add('p.deleted_at is null')
  addTagFilters(where, 'p.tags', query)
  const select = `select ${columns} from pools p`
  return readPage<PoolRow>(ctx, { prefix: 'poolc', list, query, select, where, sort: newestFirst('p') })
}
