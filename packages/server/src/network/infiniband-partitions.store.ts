import type { Id } from '@bourse/api/kit/ids.ts'
import type { InfinibandPartition } from '@bourse/api/network/infiniband-partitions.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineLock } from '../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../core/work/tags.ts'

export type PartitionRow = {
  id: Id<'infiniband_partition'>
  account_id: string
  workspace_id: Id<'workspace'>
  infiniband_fabric: string
  partition_key: number
  tags: InfinibandPartition['tags']
  created_at: number
  updated_at: number
}

const columns = `p.id, p.account_id, p.workspace_id, p.infiniband_fabric, p.partition_key, p.tags, p.created_at,
  p.updated_at`

const selectPartition = statement<PartitionRow>(
  'network.find_infiniband_partition',
  `select ${columns}
   from infiniband_partitions p
   where p.id = $1 and p.deleted_at is null`,
)
const selectKeys = statement<Pick<PartitionRow, 'id' | 'infiniband_fabric' | 'partition_key'>>(
  'network.list_partition_keys',
  `select id, infiniband_fabric, partition_key
   from infiniband_partitions
   where id = any($1)`,
)
// Inserts under the lowest free key of the fabric. If two commands choose the same key, the later one inserts nothing.
const insertRow = statement<{ partition_key: number }>(
  'network.insert_infiniband_partition',
  `insert into infiniband_partitions (id, account_id, workspace_id, infiniband_fabric, partition_key, tags, created_at,
     updated_at)
   select $1, $2, $3, $4, k.key, $5, $6, $6
   from (
     select 1 as key
     union all
     select p.partition_key + 1
     from infiniband_partitions p
     where p.infiniband_fabric = $4 and p.deleted_at is null
   ) k
   where k.key <= 32766
     and not exists (
       select 1
       from infiniband_partitions q
       where q.infiniband_fabric = $4 and q.partition_key = k.key and q.deleted_at is null
     )
   order by k.key
   limit 1
   on conflict do nothing
   returning partition_key`,
)
const updateRow = statement<never>(
  'network.update_infiniband_partition',
  `update infiniband_partitions
   set tags = $2, updated_at = $3
   where id = $1`,
)
const removeRow = statement<never>(
  'network.remove_infiniband_partition',
  `update infiniband_partitions
   set deleted_at = $2
   where id = $1`,
)

/** Taken to change or delete a partition. */
export const partitionLock = defineLock(
  'infiniband_partition',
  'parents',
  `select id
   from infiniband_partitions
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken to refer to a partition; conflicts only with {@link partitionLock}. */
export const partitionShareLock = defineLock(
  'infiniband_partition.share',
  'parents',
  `select id
   from infiniband_partitions
   where id = any($1) and deleted_at is null
   order by id
   for key share`,
)

/** A partition of any account that is not deleted. */
export function findPartition(db: Db, id: string): Promise<PartitionRow | undefined> {
  return db.row(selectPartition, [id])
}

/** The fabrics and keys of some partitions. */
export function listPartitionKeys(
  db: Db,
  ids: readonly string[],
): Promise<Pick<PartitionRow, 'id' | 'infiniband_fabric' | 'partition_key'>[]> {
  return db.rows(selectKeys, [ids])
}

/** Inserts a partition and returns its key, or undefined if another command has just taken that key. */
export async function insertPartition(db: Db, row: Omit<PartitionRow, 'partition_key'>): Promise<number | undefined> {
  const { id, account_id, workspace_id, infiniband_fabric, tags, created_at } = row
  const params = [id, account_id, workspace_id, infiniband_fabric, tags && JSON.stringify(tags), created_at]
  return (await db.row(insertRow, params))?.partition_key
}

export async function updatePartition(db: Db, row: PartitionRow): Promise<void> {
  await db.run(updateRow, [row.id, row.tags && JSON.stringify(row.tags), row.updated_at])
}

export async function removePartition(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the partitions that match `where`. */
export function listPartitions(
  ctx: Ctx,
  query: PageQuery & TagFilters,
  where: Conditions,
): Promise<Page<PartitionRow>> {
  where.add('p.deleted_at is null')
  addTagFilters(where, 'p.tags', query)
  const select = `select ${columns}
     from infiniband_partitions p`
  return readPage<PartitionRow>(ctx, { prefix: 'ibpartc', query, select, where, sort: newestFirst('p') })
}
