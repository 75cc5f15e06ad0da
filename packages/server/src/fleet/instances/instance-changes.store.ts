import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, type Statement, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'

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
export type NoticeRow = { readonly id: Id<'instance'>; readonly deadline_at: number; readonly reason: string | null }

/** An instance to end, and the reason. */
export type EndRow = { readonly id: Id<'instance'>; readonly reason: string }

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
export const plainChanges = {
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

/** Of some instances those that have ended, and their successors that ended without ever having a machine. */
export async function listReleasedInstances(db: Db, ids: readonly string[]): Promise<Id<'instance'>[]> {
  return (await db.rows(listReleased, [ids])).map(({ id }) => id)
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

function change(name: string, set: string, where: string): Statement<ChangedInstance> {
  return statement(
    name,
    `update instances i
     set ${set}, updated_at = $2
     where i.id = any($1) and ${where}
     returning ${changed}`,
  )
}

/** Removes the consoles of instances. */
export async function removeConsoles(db: Db, instance_ids: readonly string[]): Promise<void> {
  await db.run(removeChunks, [instance_ids])
}
