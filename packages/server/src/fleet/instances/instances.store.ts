import type { InstanceState } from '@bourse/api/fleet/instance-states.ts'
import type { Instance } from '@bourse/api/fleet/instances.ts'
import type { PriorityLevel } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx, Referrer } from '../../core/work/ctx.ts'
import { defineRowLock } from '../../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../../core/work/tags.ts'

/** What an instance is made with and what may be changed of it later. */
export type NewInstanceRow = {
  id: Id<'instance'>
  account_id: string
  workspace_id: Id<'workspace'>
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  image_id: Id<'image'>
  state: InstanceState
  priority_level: PriorityLevel
  enable_public_ipv4: boolean
  firewall_id: Id<'firewall'> | null
  subnet_id: Id<'subnet'> | null
  infiniband_partition_id: Id<'infiniband_partition'> | null
  private_ip: string | null
  public_ip: string | null
  mac: string
  tags: Instance['tags']
  user_data_used: boolean
  deployment_id: Id<'deployment'> | null
  deployment_slot: number | null
  replaces: Id<'instance'> | null
  replaces_host_id: Id<'host'> | null
  replaces_slot: number | null
  created_at: number
  updated_at: number
}

/** An instance whose record is there. */
export type InstanceRow = NewInstanceRow & {
  replaced_by: Id<'instance'> | null
  notice_at: number | null
  deadline_at: number | null
  notice_reason: string | null
  connection_lost_at: number | null
  failed_at: number | null
  running_at: number | null
  terminated_at: number | null
  termination_reason: string | null
}

/** What of an instance its successor depends on. */
export type ReplacedRow = Omit<NewInstanceRow, 'image_id' | 'mac' | 'replaces' | 'created_at' | 'updated_at'>

/** Where the machine of an instance stands. */
export type SlotRow = { instance_id: Id<'instance'>; host_id: Id<'host'>; slot: number }

/** What a caller may change of an instance. */
export type InstanceChange = Pick<InstanceRow, 'id' | 'tags' | 'priority_level' | 'firewall_id'>

const columns = [
  ...['id', 'account_id', 'workspace_id', 'pool_id', 'sku_id', 'image_id', 'state', 'priority_level'],
  ...['enable_public_ipv4', 'firewall_id', 'subnet_id', 'infiniband_partition_id', 'private_ip', 'public_ip', 'mac'],
  ...['tags', 'user_data_used', 'deployment_id', 'deployment_slot', 'replaces', 'replaced_by', 'replaces_host_id'],
  ...['replaces_slot', 'notice_at', 'deadline_at', 'notice_reason', 'connection_lost_at', 'failed_at', 'running_at'],
  ...['terminated_at', 'termination_reason', 'created_at', 'updated_at'],
]
const selected = columns.map((column) => `i.${column}`).join(', ')

const selectInstances = statement<InstanceRow>(
  'fleet.find_instances',
  `select ${selected} from instances i where i.id = any($1) and i.deleted_at is null`,
)
const selectInstance = statement<InstanceRow>(
  'fleet.find_instance',
  `select ${selected} from instances i where i.id = $1 and i.deleted_at is null`,
)
const selectSlots = statement<SlotRow>(
  'fleet.list_slots_of_instances',
  'select instance_id, host_id, slot from machines where instance_id = any($1)',
)
const insertRows = statement<never>(
  'fleet.insert_instances',
  'insert into instances select n.* from jsonb_populate_recordset(null::instances, $1::jsonb) n order by n.id',
)
// A new row is drawn from the ended one, so that it is written after it: a fleet's place and a public address are one
// instance's at a time.
const replaceRows = statement<never>(
  'fleet.replace_instances',
  `with new as materialized (select n.* from jsonb_populate_recordset(null::instances, $1::jsonb) n),
   ended as (
     update instances i set state = 'terminated', terminated_at = $2, updated_at = $2, termination_reason = 'replaced',
       replaced_by = n.id, private_ip = null, public_ip = null
     from new n where i.id = n.replaces returning i.id
   )
   insert into instances select n.* from ended join new n on n.replaces = ended.id`,
)
const updateRow = statement<never>(
  'fleet.update_instance',
  'update instances set tags = $2, priority_level = $3, firewall_id = $4, updated_at = $5 where id = $1',
)
const updatePriorities = statement<never>(
  'fleet.update_priorities',
  `update instances i set priority_level = p.priority_level, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as p(id text, priority_level text) where i.id = p.id`,
)
const selectLiving = statement<InstanceRow>(
  'fleet.list_living_of_deployment',
  `select ${selected} from instances i where i.deployment_id = $1 and i.state <> 'terminated' order by i.id`,
)
const updateSlots = statement<never>(
  'fleet.update_deployment_slots',
  `update instances i set deployment_slot = s.slot, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as s(id text, slot integer) where i.id = s.id and i.state <> 'terminated'`,
)
const countLiving = statement<{ deployment_id: Id<'deployment'>; count: number }>(
  'fleet.count_living_of_deployments',
  `select deployment_id, count(*) as count from instances
   where deployment_id = any($1) and state <> 'terminated' group by deployment_id`,
)

const countLivingInPool = statement<{ count: number }>(
  'fleet.count_living_in_pool',
  `select count(*) as count from instances where pool_id = $1 and sku_id = $2 and state <> 'terminated'`,
)

/** Held by whoever replaces an instance, and read with it. */
export const replacedLock = defineRowLock<ReplacedRow>(
  'instance.replaced',
  'instances',
  `select id, account_id, workspace_id, pool_id, sku_id, state, priority_level, enable_public_ipv4, firewall_id,
     subnet_id, infiniband_partition_id, private_ip, public_ip, tags, user_data_used, deployment_id, deployment_slot,
     replaces_host_id, replaces_slot
   from instances where id = any($1) and deleted_at is null order by id for no key update`,
)

/** Some instances of whatever account, those that are there. */
export function findInstances(db: Db, ids: readonly string[]): Promise<InstanceRow[]> {
  return db.rows(selectInstances, [ids])
}

/** An instance of whatever account. */
export function findInstance(db: Db, id: string): Promise<InstanceRow | undefined> {
  return db.row(selectInstance, [id])
}

/** Where the machines of some instances stand, of those that have one. */
export function listSlots(db: Db, instance_ids: readonly string[]): Promise<SlotRow[]> {
  return db.rows(selectSlots, [instance_ids])
}

export async function insertInstances(db: Db, rows: readonly NewInstanceRow[]): Promise<void> {
  await db.run(insertRows, [JSON.stringify(rows)])
}

/** Ends instances that are locked and writes their successors, which name them. */
export async function insertSuccessors(db: Db, successors: readonly NewInstanceRow[], now: number): Promise<void> {
  await db.run(replaceRows, [JSON.stringify(successors), now])
}

export async function updateInstance(db: Db, change: InstanceChange, now: number): Promise<void> {
  const { id, tags, priority_level, firewall_id } = change
  await db.run(updateRow, [id, tags && JSON.stringify(tags), priority_level, firewall_id, now])
}

export async function updateInstancePriorities(
  db: Db,
  priorities: readonly Pick<InstanceRow, 'id' | 'priority_level'>[],
  now: number,
): Promise<void> {
  await db.run(updatePriorities, [JSON.stringify(priorities), now])
}

/** The members of a fleet that are not terminated, by id. */
export function listLivingMembers(db: Db, deployment_id: string): Promise<InstanceRow[]> {
  return db.rows(selectLiving, [deployment_id])
}

/** How many members of each fleet are not terminated; fleets without any are left out. */
export async function countLivingMembers(
  db: Db,
  deployment_ids: readonly string[],
): Promise<Map<Id<'deployment'>, number>> {
  const rows = await db.rows(countLiving, [deployment_ids])
  return new Map(rows.map(({ deployment_id, count }) => [deployment_id, count]))
}

/** How many instances of a pool and SKU are not terminated. */
export async function countLivingOf(
  db: Db,
  { pool_id, sku_id }: { readonly pool_id: string; readonly sku_id: string },
): Promise<number> {
  return (await db.row(countLivingInPool, [pool_id, sku_id]))?.count ?? 0
}

/** Gives members of a fleet other places. */
export async function updateDeploymentSlots(
  db: Db,
  moves: readonly { readonly id: Id<'instance'>; readonly slot: number }[],
  now: number,
): Promise<void> {
  await db.run(updateSlots, [JSON.stringify(moves), now])
}

/** A page of instances; `where` says which. */
export function listInstances(ctx: Ctx, query: PageQuery & TagFilters, where: Conditions): Promise<Page<InstanceRow>> {
  where.add('i.deleted_at is null')
  addTagFilters(where, 'i.tags', query)
  const select = `select ${selected} from instances i`
  return readPage<InstanceRow>(ctx, { prefix: 'instc', query, select, where, sort: newestFirst('i') })
}

/** The instances that name a resource in one of their columns and are not terminated. */
export async function listInstanceReferrers(
  db: Db,
  column: 'firewall_id' | 'image_id' | 'subnet_id' | 'infiniband_partition_id' | 'pool_id' | 'sku_id',
  id: string,
  limit: number,
): Promise<Referrer[]> {
  const rows = await db.rows(
    statement<{ id: string; account_id: string }>(
      `fleet.list_instances_by_${column}`,
      `select id, account_id from instances where ${column} = $1 and state <> 'terminated' order by id limit $2`,
    ),
    [id, limit],
  )
  return rows.map((row) => ({ kind: 'instance', ...row }))
}
