import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Referrer } from '../../core/work/ctx.ts'
import type { InstanceSshKeyRow } from './instance-ssh-keys.rules.ts'

/** A key to give to an instance. */
type NewInstanceSshKey = Pick<InstanceSshKeyRow, 'instance_id' | 'ssh_key_id' | 'name' | 'fingerprint'>

const insertMany = statement<never>(
  'fleet.insert_instance_ssh_keys',
  `insert into instance_ssh_keys (instance_id, ssh_key_id, name, fingerprint)
   select *
   from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
)

const copyMany = statement<never>(
  'fleet.copy_instance_ssh_keys',
  `insert into instance_ssh_keys (instance_id, ssh_key_id, name, fingerprint)
   select c.new_id, k.ssh_key_id, k.name, k.fingerprint
   from unnest($1::text[], $2::text[]) as c(old_id, new_id)
   join instance_ssh_keys k on k.instance_id = c.old_id and k.removed_at is null`,
)

const listMany = statement<InstanceSshKeyRow>(
  'fleet.list_instance_ssh_keys',
  `select k.instance_id, k.ssh_key_id, k.name, k.fingerprint, k.removed_at, m.ssh_keys as reported
   from instance_ssh_keys k
   left join machines m on m.instance_id = k.instance_id
   where k.instance_id = any($1)
   order by k.instance_id, k.name, k.ssh_key_id`,
)

const markRemoved = statement<never>(
  'fleet.mark_ssh_key_removed',
  `update instance_ssh_keys
   set removed_at = $2
   where ssh_key_id = $1 and removed_at is null`,
)

const listMachines = statement<{ id: Id<'instance'>; account_id: string }>(
  'fleet.list_machines_with_ssh_key',
  `select i.id, i.account_id
   from instance_ssh_keys k
   join instances i on i.id = k.instance_id and i.state <> 'terminated'
   join machines m on m.instance_id = i.id
   where k.ssh_key_id = $1
     and m.ssh_keys -> 'ids' ? $1
     and $2 = ((m.ssh_keys ->> 'has_channel')::boolean and i.connection_lost_at is null)
   order by i.id
   limit $3`,
)

/** Gives keys to instances. */
export async function insertInstanceSshKeys(db: Db, rows: readonly NewInstanceSshKey[]): Promise<void> {
  if (rows.length === 0) return
  const column = <K extends keyof NewInstanceSshKey>(name: K) => rows.map((row) => row[name])
  await db.run(insertMany, [column('instance_id'), column('ssh_key_id'), column('name'), column('fingerprint')])
}

/** Gives the keys of instances that are not deleted to their successors. */
export async function copyInstanceSshKeys(
  db: Db,
  pairs: readonly { readonly old_id: Id<'instance'>; readonly new_id: Id<'instance'> }[],
): Promise<void> {
  await db.run(copyMany, [pairs.map(({ old_id }) => old_id), pairs.map(({ new_id }) => new_id)])
}

/** The keys of instances, deleted ones too. */
export function listInstanceSshKeys(db: Db, instanceIds: readonly string[]): Promise<InstanceSshKeyRow[]> {
  return db.rows(listMany, [instanceIds])
}

/** Marks a key as deleted in all instances that have it. */
export async function markSshKeyRemoved(db: Db, id: string, now: number): Promise<void> {
  await db.run(markRemoved, [id, now])
}

/** The living instances whose machine has a key, and whose host can take it out while they run, or cannot. */
export async function listMachinesWithSshKey(
  db: Db,
  id: string,
  { is_removable, limit }: { readonly is_removable: boolean; readonly limit: number },
): Promise<Referrer[]> {
  const rows = await db.rows(listMachines, [id, is_removable, limit])
  return rows.map((row) => ({ kind: 'instance', ...row }))
}
