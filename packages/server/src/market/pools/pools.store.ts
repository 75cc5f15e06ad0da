import type { Id } from '@bourse/api/kit/ids.ts'
import type { Pool, PoolKind } from '@bourse/api/market/pools.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock, defineRowLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../../core/work/tags.ts'

export type PoolRow = {
  id: Id<'pool'>
  account_id: string
  workspace_id: Id<'workspace'>
  kind: PoolKind
  tags: Pool['tags']
  created_at: number
}

/** A step of a pool's allocation as it is stored: from this minute on, so many nodes more or less. */
export type AllocationDelta = { pool_id: Id<'pool'>; sku_id: Id<'sku'>; minute: number; delta: number }

/** Why capacity changes beside fills and transfers: a host's, the operator's grant, the sandbox's preemption. */
export type CapacityCause = 'host' | 'grant' | 'preemption'

const columns = 'p.id, p.account_id, p.workspace_id, p.kind, p.tags, p.created_at'

const selectPool = statement<PoolRow>(
  'market.find_pool',
  `select ${columns} from pools p where p.id = $1 and p.deleted_at is null`,
)
const selectSupplyPool = statement<PoolRow>(
  'market.find_supply_pool',
  `select ${columns} from pools p where p.workspace_id = $1 and p.kind = 'originating' and p.deleted_at is null`,
)
const selectSupplyOf = statement<{ id: Id<'pool'> }>(
  'market.find_supply_of_sku',
  `select p.id from pools p where p.kind = 'originating' and p.deleted_at is null
     and exists (select from pool_allocation a where a.pool_id = p.id and a.sku_id = $1) order by p.id limit 1`,
)
const insertRow = statement<never>(
  'market.insert_pool',
  'insert into pools (id, account_id, workspace_id, kind, tags, created_at) values ($1, $2, $3, $4, $5, $6)',
)
const insertSupplyRow = statement<never>(
  'market.insert_supply_pool',
  `insert into pools (id, account_id, workspace_id, kind, tags, created_at) values ($1, $2, $3, $4, $5, $6)
   on conflict (workspace_id) where kind = 'originating' and deleted_at is null do nothing`,
)
const updateTags = statement<never>('market.update_pool', 'update pools set tags = $2 where id = $1')
const removeRow = statement<never>('market.remove_pool', 'update pools set deleted_at = $2 where id = $1')
const selectDeltas = statement<AllocationDelta>(
  'market.list_allocation',
  'select pool_id, sku_id, minute, delta from pool_allocation where pool_id = any($1) order by pool_id, sku_id, minute',
)
const selectSkuDeltas = statement<AllocationDelta>(
  'market.list_sku_allocation',
  `select pool_id, sku_id, minute, delta from pool_allocation where pool_id = $1 and sku_id = $2 order by minute`,
)
const addRows = statement<never>(
  'market.add_allocation',
  `insert into pool_allocation (pool_id, sku_id, minute, delta)
   select d.pool_id, d.sku_id, d.minute, d.delta
   from jsonb_to_recordset($1::jsonb) as d(pool_id text, sku_id text, minute bigint, delta bigint)
   order by d.pool_id, d.sku_id, d.minute
   on conflict (pool_id, sku_id, minute) do update set delta = pool_allocation.delta + excluded.delta`,
)

const postRows = statement<never>(
  'market.post_capacity',
  `insert into capacity_postings (cause, pool_id, sku_id, minute, delta, created_at)
   select $2, d.pool_id, d.sku_id, d.minute, d.delta, $3
   from jsonb_to_recordset($1::jsonb) as d(pool_id text, sku_id text, minute bigint, delta bigint)`,
)

const promiseRows = statement<never>(
  'market.add_promises',
  `insert into pool_promise (pool_id, sku_id, minute, delta)
   select d.pool_id, d.sku_id, d.minute, d.delta
   from jsonb_to_recordset($1::jsonb) as d(pool_id text, sku_id text, minute bigint, delta bigint)
   order by d.pool_id, d.sku_id, d.minute
   on conflict (pool_id, sku_id, minute) do update set delta = pool_promise.delta + excluded.delta`,
)
const selectKept = statement<{ sku_id: Id<'sku'> }>(
  'market.list_kept_promises',
  'select distinct sku_id from pool_promise where delta = 0 order by sku_id',
)
const removeKept = statement<never>(
  'market.remove_kept_promises',
  'delete from pool_promise where sku_id = $1 and delta = 0',
)
const selectCapacity = statement<AllocationDelta & { is_promise: boolean }>(
  'market.list_capacity',
  `select pool_id, sku_id, minute, delta, false as is_promise from pool_allocation
   where sku_id = $1 and pool_id = any($2) and delta <> 0
   union all
   select pool_id, sku_id, minute, delta, true as is_promise from pool_promise
   where sku_id = $1 and pool_id = any($2) and delta <> 0`,
)
const selectReserved = statement<{ account_id: string; node_minutes: number }>(
  'market.list_reserved',
  `select p.account_id, sum(a.delta * ($3::bigint - greatest(a.minute, $2::bigint)))::bigint as node_minutes
   from pools p join pool_allocation a on a.pool_id = p.id
   where p.account_id = any($1) and p.kind = 'market' and p.deleted_at is null and a.minute < $3::bigint
   group by p.account_id`,
)
const selectPools = statement<PoolRow>(
  'market.list_pools_by_id',
  `select ${columns} from pools p where p.id = any($1) and p.deleted_at is null`,
)
// The limits, which bind nothing, keep the planner from reading all pools of the SKU at once and sorting them later.
const selectWithin = statement<StockDelta>(
  'market.list_stock_within',
  `with wanted as (
     select * from jsonb_to_recordset($2::jsonb) as w(pool_id text, from_minute bigint, end_minute bigint)
   )
   select w.pool_id, false as is_promise, d.minute, d.delta from wanted w cross join lateral (
     select greatest(a.minute, w.from_minute) as minute, sum(a.delta)::bigint as delta from pool_allocation a
     where a.pool_id = w.pool_id and a.sku_id = $1 and a.minute < w.end_minute
     group by greatest(a.minute, w.from_minute) limit 1000000
   ) d
   union all
   select w.pool_id, true as is_promise, d.minute, d.delta from wanted w cross join lateral (
     select greatest(p.minute, w.from_minute) as minute, sum(p.delta)::bigint as delta from pool_promise p
     where p.pool_id = w.pool_id and p.sku_id = $1 and p.minute < w.end_minute
     group by greatest(p.minute, w.from_minute) limit 1000000
   ) d`,
)

/** Held by whoever changes what a pool owns, and by whoever decides on what it owns. */
export const poolLock = defineLock(
  'pool',
  'pools',
  'select id from pools where id = any($1) and deleted_at is null order by id for no key update',
)

/** Held by those who only rely on a pool being there. */
export const poolShareLock = defineRowLock<PoolRow>(
  'pool.share',
  'pools',
  `select ${columns} from pools p where p.id = any($1) and p.deleted_at is null order by p.id for key share`,
)

/** Held by whoever deletes a pool. */
export const poolDeletionLock = defineLock(
  'pool.deletion',
  'pools',
  'select id from pools where id = any($1) and deleted_at is null order by id for update',
)

/** Held by whoever wants to be alone in a pool: nobody else relies on it or comes to, until this has ended. */
export const poolSoleLock = defineLock(
  'pool.sole',
  'pools',
  'select id from pools where id = any($1) and deleted_at is null order by id for update',
)

/** A pool that is not deleted, of whatever account. */
export function findPool(db: Db, id: string): Promise<PoolRow | undefined> {
  return db.row(selectPool, [id])
}

/** The originating pool of a workspace, which its hosts feed. */
export function findSupplyPool(db: Db, workspace_id: string): Promise<PoolRow | undefined> {
  return db.row(selectSupplyPool, [workspace_id])
}

/** The oldest pool that hosts feed with a SKU. */
export async function findSupplyOf(db: Db, sku_id: string): Promise<Id<'pool'> | undefined> {
  return (await db.row(selectSupplyOf, [sku_id]))?.id
}

export async function insertPool(db: Db, row: PoolRow): Promise<void> {
  await db.run(insertRow, valuesOf(row))
}

/** Makes the originating pool of a workspace; false where it has one. Waits for whoever is making it. */
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

/** What pools own, all SKUs, as stored. */
export function listAllocation(db: Db, pool_ids: readonly string[]): Promise<AllocationDelta[]> {
  return db.rows(selectDeltas, [pool_ids])
}

/** What one pool owns of one SKU, as stored. */
export function listSkuAllocation(db: Db, pool_id: string, sku_id: string): Promise<AllocationDelta[]> {
  return db.rows(selectSkuDeltas, [pool_id, sku_id])
}

/** Adds to what pools own; the pools are locked. */
export async function addAllocation(db: Db, deltas: readonly AllocationDelta[]): Promise<void> {
  await db.run(addRows, [JSON.stringify(deltas)])
}

/** Adds to what pools own for a reason that neither a fill nor a transfer records, and records it. */
export async function postAllocation(
  ctx: Pick<Ctx, 'db' | 'now'>,
  cause: CapacityCause,
  deltas: readonly AllocationDelta[],
): Promise<void> {
  await Promise.all([addAllocation(ctx.db, deltas), ctx.db.run(postRows, [JSON.stringify(deltas), cause, ctx.now])])
}

/** A page of pools; `where` says which. */
export function listPools(ctx: Ctx, query: PageQuery & TagFilters, where: Conditions): Promise<Page<PoolRow>> {
  where.add('p.deleted_at is null')
  addTagFilters(where, 'p.tags', query)
  const select = `select ${columns} from pools p`
  return readPage<PoolRow>(ctx, { prefix: 'poolc', query, select, where, sort: newestFirst('p') })
}

/** Adds to what pools have promised of a SKU; the book of the SKU is locked. */
export async function addPromises(db: Db, deltas: readonly AllocationDelta[]): Promise<void> {
  await db.run(promiseRows, [JSON.stringify(deltas)])
}

/** The SKUs of which rows of promises say nothing any more: all that was offered is sold or given up. */
export async function listKeptPromises(db: Db): Promise<Id<'sku'>[]> {
  return (await db.rows(selectKept)).map(({ sku_id }) => sku_id)
}

/** Removes the rows of promises that say nothing any more; the book of the SKU is locked. */
export async function removeKeptPromises(db: Db, sku_id: string): Promise<void> {
  await db.run(removeKept, [sku_id])
}

/** What some pools own and have promised of one SKU, as stored. */
export function listCapacity(
  db: Db,
  sku_id: string,
  pool_ids: readonly string[],
): Promise<(AllocationDelta & { is_promise: boolean })[]> {
  return db.rows(selectCapacity, [sku_id, pool_ids])
}

/** What matters of a pool's stock for sells within a window: steps before it count as one at its start. */
export type StockWindow = { readonly pool_id: string; readonly from_minute: number; readonly end_minute: number }
export type StockDelta = { pool_id: Id<'pool'>; is_promise: boolean; minute: number; delta: number }

/** What some pools own and have promised of one SKU, each within a window. */
export function listStockWithin(db: Db, sku_id: string, windows: readonly StockWindow[]): Promise<StockDelta[]> {
  return windows.length === 0 ? Promise.resolve([]) : db.rows(selectWithin, [sku_id, JSON.stringify(windows)])
}

/**
 * Node-minutes that accounts own ahead in their market pools, from a minute to another. Each step counts until the
 * end of the span, so the sum over steps is the area under the schedule.
 */
export function listReserved(
  db: Db,
  account_ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<{ account_id: string; node_minutes: number }[]> {
  return db.rows(selectReserved, [account_ids, from, to])
}

/** Some pools that are not deleted. */
export function listPoolsById(db: Db, ids: readonly string[]): Promise<PoolRow[]> {
  return db.rows(selectPools, [ids])
}
