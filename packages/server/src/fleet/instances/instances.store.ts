import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Filters, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../../core/work/tags.ts'
import type { InstanceRow } from './instances.rules.ts'

const columns = [
  'id',
  'account_id',
  'workspace_id',
  'pool_id',
  'sku_id',
  'image_id',
  'state',
  'priority_level',
  'enable_public_ipv4',
  'firewall_id',
  'subnet_id',
  'infiniband_partition_id',
  'private_ip',
  'public_ip',
  'mac',
  'tags',
  'user_data_used',
  'deployment_id',
  'deployment_slot',
  'replaces',
  'replaced_by',
  'replaces_host_id',
  'replaces_slot',
  'notice_at',
  'deadline_at',
  'notice_reason',
  'connection_lost_at',
  'failed_at',
  'running_at',
  'terminated_at',
  'termination_reason',
  'created_at',
  'updated_at',
]
const selected = columns.map((column) => `i.${column}`).join(', ')

const selectInstances = statement<InstanceRow>(
  'fleet.find_instances',
  `select ${selected}
   from instances i
   where i.id = any($1) and i.deleted_at is null`,
)
const selectInstance = statement<InstanceRow>(
  'fleet.find_instance',
  `select ${selected}
   from instances i
   where i.id = $1 and i.deleted_at is null`,
)

const countLivingInPool = statement<{ count: number }>(
  'fleet.count_living_in_pool',
  `select count(*) as count
   from instances
   where pool_id = $1 and sku_id = $2 and state <> 'terminated'`,
)

/** Some instances of any account. Missing ones are left out. */
export function findInstances(db: Db, ids: readonly string[]): Promise<InstanceRow[]> {
  return db.rows(selectInstances, [ids])
}

/** An instance of any account. */
export function findInstance(db: Db, id: string): Promise<InstanceRow | undefined> {
  return db.row(selectInstance, [id])
}

/** How many instances of a pool and SKU are not terminated. */
export async function countLivingOf(
  db: Db,
  { pool_id, sku_id }: { readonly pool_id: string; readonly sku_id: string },
): Promise<number> {
  return (await db.row(countLivingInPool, [pool_id, sku_id]))?.count ?? 0
}

/** A page of the instances that match `where`. */
export function listInstances(
  ctx: Ctx,
  query: PageQuery & TagFilters,
  list: Filters & { readonly list?: string },
): Promise<Page<InstanceRow>> {
  list.where.add('i.deleted_at is null')
  addTagFilters(list.where, 'i.tags', query)
  const select = `select ${selected}
     from instances i`
  return readPage<InstanceRow>(ctx, { prefix: 'instc', query, select, ...list, sort: newestFirst('i') })
}
