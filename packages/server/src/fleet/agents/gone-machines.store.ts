import { type Db, statement } from '../../core/db/db.ts'

const remove = statement<never>(
  'fleet.remove_machines',
  `with gone as (
     delete from machines
     where instance_id = any($1)
     returning host_id
   )
   update hosts h
   set used_slots = h.used_slots - g.count
   from (select host_id, count(*)::integer as count from gone group by host_id) g
   where h.id = g.host_id`,
)

const clearPublic = statement<never>(
  'fleet.remove_public_ipv4s',
  `update instances
   set public_ip = null
   where id = any($1) and public_ip is not null`,
)

/** Removes machines and frees their slots. The hosts are locked. */
export async function removeMachines(db: Db, instanceIds: readonly string[]): Promise<void> {
  await db.run(remove, [instanceIds])
}

/** Removes the public addresses of instances. */
export async function removePublicAddresses(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(clearPublic, [ids])
}
