import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const hide = statement<never>(
  'fleet.hide_host',
  `update hosts
   set last_seen_at = $2
   where id = $1 and is_simulated and last_seen_at is null`,
)

const markUnreachable = statement<never>(
  'fleet.mark_host_unreachable',
  `update hosts
   set health = 'unreachable'
   where id = $1`,
)

// A host that is already unreachable matters again only while ended instances on it still hold addresses.
const selectSilent = statement<{ id: Id<'host'> }>(
  'fleet.list_silent_hosts',
  `select h.id
   from hosts h
   where not h.is_simulated
     and h.state <> 'retired'
     and h.last_seen_at <= floor(bourse_real_now())::bigint - $1::bigint
     and (h.health <> 'unreachable' or h.last_seen_at <= floor(bourse_real_now())::bigint - $2::bigint and exists (
       select from machines m
       join instances i on i.id = m.instance_id
       where m.host_id = h.id
         and i.state = 'terminated'
         and (i.private_ip is not null or i.public_ip is not null)
     ))
   order by h.id
   limit 1000`,
)

/** Records since when a simulated host does not report. */
export async function updateHidden(db: Db, id: string, now: number): Promise<void> {
  await db.run(hide, [id, now])
}

export async function updateUnreachable(db: Db, id: string): Promise<void> {
  await db.run(markUnreachable, [id])
}

/** Hosts outside of the process that are silent and not yet handled. Both spans are in seconds. */
export async function listSilentHosts(db: Db, lostAfter: number, addressesAfter: number): Promise<Id<'host'>[]> {
  return (await db.rows(selectSilent, [lostAfter, addressesAfter])).map(({ id }) => id)
}
