/** What changes the rows of instances, and the locks that this takes. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, type Statement, statement } from '../../core/db/db.ts'
import { defineLock, defineRowLock } from '../../core/work/locks.ts'
import { type InstanceRow, type NewInstanceRow, newInstanceColumns } from './instances.rules.ts'

const newColumns = newInstanceColumns.join(', ')

/** The columns of an instance that its successor depends on. */
export type ReplacedRow = Omit<
  NewInstanceRow,
  'image_id' | 'mac' | 'order_id' | 'replaces' | 'created_at' | 'updated_at'
>

/** The changeable columns of an instance. */
type InstanceChange = Pick<InstanceRow, 'id' | 'tags' | 'priority_level' | 'firewall_id'>

/** The columns of a changed instance that events and wake-ups need. */
export type ChangedInstance = {
  id: Id<'instance'>
  account_id: string
  workspace_id: Id<'workspace'>
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  deployment_id: Id<'deployment'> | null
}

/** An instance that has just ended. */
export type EndedInstance = ChangedInstance & {
  user_data_used: boolean
  /** The stop of its machine, or of the machine whose slot it waited for, is not confirmed. */
  has_machine: boolean
}

/** A notice to give or to move. */
type NoticeRow = { readonly id: Id<'instance'>; readonly deadline_at: number; readonly reason: string | null }

/** An instance to end, and the reason. */
type EndRow = { readonly id: Id<'instance'>; readonly reason: string }

const changed = 'i.id, i.account_id, i.workspace_id, i.pool_id, i.sku_id, i.deployment_id'

const hasMachine = `(
    exists (select from machines m where m.instance_id = i.id)
    or exists (
      select
      from machines m
      join instances p on p.id = m.instance_id and p.state = 'terminated'
      where m.host_id = i.replaces_host_id and m.slot = i.replaces_slot
    )
  )`

/** Taken to change an instance, or to decide by its state. */
export const instanceLock = defineLock(
  'instance',
  'instances',
  `select id
   from instances
   where id = any($1) and deleted_at is null
   order by id
   for no key update`,
)

/** The changes that need only the time. Each updates only the instances to which it applies. */
const plainChanges = {
  running: change(
    'fleet.mark_running',
    "state = 'running', running_at = $2, replaces_host_id = null, replaces_slot = null",
    "i.state = 'awaiting_allocation'",
  ),
  failed: change('fleet.mark_failed', "state = 'failed', failed_at = $2", "i.state = 'running'"),
  connection_lost: change(
    'fleet.note_connection_lost',
    'connection_lost_at = $2',
    "i.state = 'running' and i.connection_lost_at is null",
  ),
  connection_back: change(
    'fleet.note_connection_back',
    'connection_lost_at = null',
    "i.state <> 'terminated' and i.connection_lost_at is not null",
  ),
  notice_withdrawn: change(
    'fleet.withdraw_notice',
    'notice_at = null, deadline_at = null, notice_reason = null',
    "i.state in ('running', 'failed') and i.notice_at is not null",
  ),
} as const satisfies Record<string, Statement<ChangedInstance>>

const giveNotices = statement<ChangedInstance>(
  'fleet.give_notice',
  `update instances i
   set notice_at = $2, deadline_at = n.deadline_at, notice_reason = n.reason, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as n(id text, deadline_at bigint, reason text)
   where i.id = n.id
     and i.state in ('running', 'failed')
     and i.notice_at is null
   returning ${changed}`,
)

const moveDeadlines = statement<ChangedInstance>(
  'fleet.move_deadline',
  `update instances i
   set deadline_at = n.deadline_at, notice_reason = coalesce(n.reason, i.notice_reason), updated_at = $2
   from jsonb_to_recordset($1::jsonb) as n(id text, deadline_at bigint, reason text)
   where i.id = n.id
     and i.state in ('running', 'failed')
     and i.notice_at is not null
   returning ${changed}`,
)

const endMany = statement<EndedInstance>(
  'fleet.end_instances',
  `update instances i
   set state = 'terminated', terminated_at = $2, updated_at = $2, termination_reason = e.reason
   from jsonb_to_recordset($1::jsonb) as e(id text, reason text)
   where i.id = e.id and i.state <> 'terminated'
   returning ${changed}, i.user_data_used, ${hasMachine} as has_machine`,
)

const clearAddresses = statement<never>(
  'fleet.clear_addresses',
  `update instances
   set private_ip = null, public_ip = null
   where id = any($1)`,
)

const removeDeleted = statement<never>(
  'fleet.remove_deleted_instances',
  `delete from instances i
   where i.id = any($1)
     and i.deleted_at is not null
     and not exists (select from machines m where m.instance_id = i.id)`,
)

const markDeleted = statement<{ id: Id<'instance'>; has_machine: boolean }>(
  'fleet.mark_instances_deleted',
  `update instances i
   set deleted_at = $2
   where i.id = any($1) and i.deleted_at is null
   returning i.id, ${hasMachine} as has_machine`,
)

const removeChunks = statement<never>(
  'fleet.remove_logs',
  `delete from instance_logs
   where instance_id = any($1)`,
)

/** Taken to replace an instance. Reads the instance with the lock. */
export const replacedLock = defineRowLock<ReplacedRow>(
  'instance.replaced',
  'instances',
  `select id, account_id, workspace_id, pool_id, sku_id, state, priority_level, enable_public_ipv4, firewall_id,
     subnet_id, infiniband_partition_id, private_ip, public_ip, tags, user_data_used, deployment_id,
     deployment_slot, replaces_host_id, replaces_slot
   from instances
   where id = any($1) and deleted_at is null
   order by id
   for no key update`,
)

const insertNew = statement<never>(
  'fleet.insert_instances',
  `insert into instances (${newColumns})
   select ${newColumns}
   from jsonb_populate_recordset(null::instances, $1::jsonb) n
   order by n.id`,
)

// The insert reads from the update, so that it runs after it: a slot of a deployment and a public address belong to one
// instance at a time, and unique indexes check it.
const replaceRows = statement<never>(
  'fleet.replace_instances',
  `with new as materialized (
     select n.*
     from jsonb_populate_recordset(null::instances, $1::jsonb) n
   ), ended as (
     update instances i
     set state = 'terminated', terminated_at = $2, updated_at = $2, termination_reason = 'replaced',
       replaced_by = n.id, private_ip = null, public_ip = null
     from new n
     where i.id = n.replaces
     returning i.id
   )
   insert into instances (${newColumns})
   select ${newInstanceColumns.map((column) => `n.${column}`).join(', ')}
   from ended
   join new n on n.replaces = ended.id`,
)

const updateRow = statement<never>(
  'fleet.update_instance',
  `update instances
   set tags = $2, priority_level = $3, firewall_id = $4, updated_at = $5
   where id = $1`,
)

const updatePriorities = statement<never>(
  'fleet.update_priorities',
  `update instances i
   set priority_level = p.priority_level, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as p(id text, priority_level text)
   where i.id = p.id`,
)

const updateSlots = statement<never>(
  'fleet.update_deployment_slots',
  `update instances i
   set deployment_slot = s.slot, updated_at = $2
   from jsonb_to_recordset($1::jsonb) as s(id text, slot integer)
   where i.id = s.id and i.state <> 'terminated'`,
)

/** Inserts new instances. */
export async function insertInstances(db: Db, rows: readonly NewInstanceRow[]): Promise<void> {
  await db.run(insertNew, [JSON.stringify(rows)])
}

/** Ends locked instances and inserts their successors, which refer to them by `replaces`. */
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

/** Moves members of a deployment to other slots. */
export async function updateDeploymentSlots(
  db: Db,
  moves: readonly { readonly id: Id<'instance'>; readonly slot: number }[],
  now: number,
): Promise<void> {
  await db.run(updateSlots, [JSON.stringify(moves), now])
}

/** Makes one of the changes that need only the time. Returns the changed instances. */
export function changePlainly(
  db: Db,
  which: keyof typeof plainChanges,
  ids: readonly string[],
  now: number,
): Promise<ChangedInstance[]> {
  return db.rows(plainChanges[which], [ids, now])
}

export function updateNotices(db: Db, notices: readonly NoticeRow[], now: number): Promise<ChangedInstance[]> {
  return db.rows(giveNotices, [JSON.stringify(notices), now])
}

export function updateDeadlines(db: Db, notices: readonly NoticeRow[], now: number): Promise<ChangedInstance[]> {
  return db.rows(moveDeadlines, [JSON.stringify(notices), now])
}

export function updateToTerminated(db: Db, ends: readonly EndRow[], now: number): Promise<EndedInstance[]> {
  return db.rows(endMany, [JSON.stringify(ends), now])
}

/** Clears the addresses of instances. The caller frees the rows of the network. */
export async function removeAddresses(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(clearAddresses, [ids])
}

/** Marks ended instances as deleted. Returns for each whether its machine still exists. */
export function markInstancesDeleted(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<{ id: Id<'instance'>; has_machine: boolean }[]> {
  return db.rows(markDeleted, [ids, now])
}

/** Removes the rows of deleted instances that have no machine. */
export async function removeInstances(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(removeDeleted, [ids])
}

/** Removes the consoles of instances. */
export async function removeConsoles(db: Db, instanceIds: readonly string[]): Promise<void> {
  await db.run(removeChunks, [instanceIds])
}

function change(name: string, set: string, where: string): Statement<ChangedInstance> {
  return statement(
    name,
    `update instances i
     set ${set}, updated_at = $2
     where i.id = any($1) and ${where}
     returning ${changed}`,
  )
}
