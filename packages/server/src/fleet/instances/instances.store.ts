/** What is read of instances. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx, Referrer } from '../../core/work/ctx.ts'
import { type ListFilters, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
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
  'order_id',
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

/** The slot of the machine of an instance. */
type SlotRow = { instance_id: Id<'instance'>; host_id: Id<'host'>; slot: number }

const selectSlots = statement<SlotRow>(
  'fleet.list_slots_of_instances',
  `select instance_id, host_id, slot
   from machines
   where instance_id = any($1)`,
)

/** An instance of a deployment that is not terminated. */
export type MemberRow = Pick<InstanceRow, 'id' | 'state' | 'priority_level' | 'created_at' | 'deployment_slot'>

const selectLiving = statement<MemberRow>(
  'fleet.list_living_of_deployment',
  `select id, state, priority_level, created_at, deployment_slot
   from instances
   where deployment_id = $1 and state <> 'terminated'
   order by id`,
)

const countLiving = statement<{ deployment_id: Id<'deployment'>; count: number }>(
  'fleet.count_living_of_deployments',
  `select deployment_id, count(*) as count
   from instances
   where deployment_id = any($1) and state <> 'terminated'
   group by deployment_id`,
)

// A successor that ends before it is placed keeps its addresses while the machine of its predecessor still exists.
const listReleased = statement<{ id: Id<'instance'> }>(
  'fleet.list_released',
  `with recursive released as (
     select id, replaced_by
     from instances
     where id = any($1) and state = 'terminated'
     union
     select i.id, i.replaced_by
     from instances i
     join released r on i.id = r.replaced_by
     where i.state = 'terminated'
       and not exists (select from machines m where m.instance_id = i.id)
   )
   select id
   from released
   order by id`,
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
  list: ListFilters & { readonly list?: string },
): Promise<Page<InstanceRow>> {
  list.where.add('i.deleted_at is null')
  addTagFilters(list.where, 'i.tags', query)
  const select = `select ${selected}
     from instances i`
  return readPage<InstanceRow>(ctx, { prefix: 'instc', query, select, ...list, sort: newestFirst('i') })
}

/** The slots of the machines of some instances. Instances without a machine are left out. */
export function listSlots(db: Db, instanceIds: readonly string[]): Promise<SlotRow[]> {
  return db.rows(selectSlots, [instanceIds])
}

/** The members of a deployment that are not terminated, by id. */
export function listLivingMembers(db: Db, deploymentId: string): Promise<MemberRow[]> {
  return db.rows(selectLiving, [deploymentId])
}

/** The number of members of each deployment that are not terminated. Deployments without members are left out. */
export async function countLivingMembers(
  db: Db,
  deploymentIds: readonly string[],
): Promise<Map<Id<'deployment'>, number>> {
  const rows = await db.rows(countLiving, [deploymentIds])
  return new Map(rows.map(({ deployment_id, count }) => [deployment_id, count]))
}

/** Of some instances those that have ended, and their successors that ended without ever having a machine. */
export async function listReleasedInstances(db: Db, ids: readonly string[]): Promise<Id<'instance'>[]> {
  return (await db.rows(listReleased, [ids])).map(({ id }) => id)
}

/** The living instances that refer to a resource by a column. */
export async function listInstanceReferrers(
  db: Db,
  column: 'firewall_id' | 'image_id' | 'subnet_id' | 'infiniband_partition_id' | 'pool_id' | 'sku_id',
  id: string,
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(
    statement<{ id: string; account_id: string }>(
      `fleet.list_instances_by_${column}`,
      `select id, account_id
       from instances
       where ${column} = $1 and state <> 'terminated'
       order by id
       limit $2`,
    ),
    [id, limit],
  )
  return rows.map((row) => ({ kind: 'instance', ...row }))
}
