import { type Db, statement } from '../../core/db/db.ts'

// A machine writes until its host says that it is gone; of a host that does not answer nothing is expected any more.
const isWriting = `exists (
     select from instances i left join machines m on m.instance_id = i.id left join hosts h on h.id = m.host_id
     where i.id = f.id and i.deleted_at is null and (i.state <> 'terminated' or h.health <> 'unreachable'))`

const selectNews = statement<{ id: string }>(
  'fleet.list_log_news',
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

/** Those instances of which there is more than was seen, or will be no more. */
export async function listLogNews(db: Db, seen: ReadonlyMap<string, number>): Promise<string[]> {
  return (await db.rows(selectNews, [[...seen.keys()], [...seen.values()]])).map(({ id }) => id)
}

/** Whether the machine of an instance has written all that it will. */
export async function hasEndedLogs(db: Db, instance_id: string): Promise<boolean> {
  return (await db.row(selectEnded, [instance_id]))?.ended ?? true
}
