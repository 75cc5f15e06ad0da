import { type Db, statement } from '../../core/db/db.ts'

// A machine can write until its host reports it gone, or until its host is unreachable and the instance has ended.
const isWriting = `exists (
     select from instances i left join machines m on m.instance_id = i.id left join hosts h on h.id = m.host_id
     where i.id = f.id and i.deleted_at is null and (i.state <> 'terminated' or h.health <> 'unreachable'))`

const selectChangedLogs = statement<{ id: string }>(
  'fleet.list_changed_logs',
  `select f.id
   from unnest($1::text[], $2::bigint[]) as f(id, seen)
   where exists (select from instance_logs l where l.instance_id = f.id and l.seqnum > f.seen)
     or not ${isWriting}`,
)

const selectEnded = statement<{ ended: boolean }>(
  'fleet.has_ended_logs',
  `select not ${isWriting} as ended
   from (select $1::text as id) f`,
)

/** The instances that have newer chunks than `seen`, or whose logs have ended. */
export async function listChangedLogs(db: Db, since: ReadonlyMap<string, number>): Promise<string[]> {
  return (await db.rows(selectChangedLogs, [[...since.keys()], [...since.values()]])).map(({ id }) => id)
}

/** Whether the logs of an instance are complete. */
export async function hasEndedLogs(db: Db, instanceId: string): Promise<boolean> {
  return (await db.row(selectEnded, [instanceId]))?.ended ?? true
}
