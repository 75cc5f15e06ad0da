import { type Db, statement } from '../../core/db/db.ts'

const selectLastBefore = statement<{ position: number; occurred_at: number }>(
  'events.find_last_before',
  `select position, occurred_at
   from events
   where account_id = $1 and occurred_at < $2
   order by occurred_at desc, position desc
   limit 1`,
)

/** The place of the last stored event of an account before a moment. */
export async function findLastBefore(
  db: Db,
  accountId: string,
  moment: number,
): Promise<{ position: number; occurred_at: number } | undefined> {
  return db.row(selectLastBefore, [accountId, moment])
}
