import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineRowLock } from '../../core/work/locks.ts'
import { type NewInstanceRow, newInstanceColumns } from './instances.rules.ts'

/** The columns of an instance that its successor depends on. */
export type ReplacedRow = Omit<NewInstanceRow, 'image_id' | 'mac' | 'replaces' | 'created_at' | 'updated_at'>

/** The slot of the machine of an instance. */
export type SlotRow = { instance_id: Id<'instance'>; host_id: Id<'host'>; slot: number }

const selectSlots = statement<SlotRow>(
  'fleet.list_slots_of_instances',
  `select instance_id, host_id, slot
   from machines
   where instance_id = any($1)`,
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
   insert into instances (${newInstanceColumns.join(', ')})
   select ${newInstanceColumns.map((column) => `n.${column}`).join(', ')}
   from ended
   join new n on n.replaces = ended.id`,
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

/** The slots of the machines of some instances. Instances without a machine are left out. */
export function listSlots(db: Db, instance_ids: readonly string[]): Promise<SlotRow[]> {
  return db.rows(selectSlots, [instance_ids])
}

/** Ends locked instances and inserts their successors, which refer to them by `replaces`. */
export async function insertSuccessors(db: Db, successors: readonly NewInstanceRow[], now: number): Promise<void> {
  await db.run(replaceRows, [JSON.stringify(successors), now])
}
