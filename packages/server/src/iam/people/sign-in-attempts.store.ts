import { type Db, statement } from '../../core/db/db.ts'

const insertOne = statement<never>(
  'iam.use_attempt',
  `insert into used_attempts (id, expires_at)
   values ($1, $2)
   on conflict do nothing`,
)

const removeOld = statement<never>(
  'iam.remove_used_attempts',
  `delete from used_attempts
   where id in (
     select id
     from used_attempts
     where expires_at <= $1
     order by expires_at
     limit 100
     for update skip locked
   )`,
)

/** Records that an attempt has succeeded. False if it has done so before. */
export async function insertUsedAttempt(
  db: Db,
  { id, expires_at }: { id: string; expires_at: number },
): Promise<boolean> {
  return (await db.run(insertOne, [id, expires_at])) === 1
}

/** Deletes some of the attempts that have expired, which are refused anyway. */
export function removeExpiredAttempts(db: Db, now: number): Promise<number> {
  return db.run(removeOld, [now])
}
