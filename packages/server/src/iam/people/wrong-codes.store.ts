import { type Db, statement } from '../../core/db/db.ts'

// A row cannot be locked before the first wrong code.
const lockSender = statement<never>(
  'iam.lock_wrong_device_codes',
  "select pg_advisory_xact_lock(hashtextextended('wrong codes of ' || $1, 0))",
)

const findFailures = statement<{ failed_at: number[] }>(
  'iam.find_wrong_device_codes',
  `select failed_at
   from wrong_device_codes
   where network = $1`,
)

const putFailures = statement<never>(
  'iam.put_wrong_device_codes',
  `insert into wrong_device_codes (network, failed_at, last_failed_at)
   values ($1, $2, $3)
   on conflict (network) do update set failed_at = excluded.failed_at, last_failed_at = excluded.last_failed_at`,
)

const removeOldFailures = statement<never>(
  'iam.remove_old_wrong_device_codes',
  `delete from wrong_device_codes
   where network in (
     select network
     from wrong_device_codes
     where last_failed_at <= $1
     order by last_failed_at
     limit 100
     for update skip locked
   )`,
)

/** When a sender typed its last wrong codes, oldest first. Locks them, also where there are none. */
export async function findWrongCodes(db: Db, sender: string): Promise<number[]> {
  await db.run(lockSender, [sender])
  return (await db.row(findFailures, [sender]))?.failed_at ?? []
}

/** Replaces the last wrong codes of a sender. */
export function putWrongCodes(db: Db, sender: string, failedAt: readonly number[]): Promise<number> {
  return db.run(putFailures, [sender, failedAt, failedAt.at(-1)])
}

/** Deletes some of the wrong codes that are too old to count. */
export function removeOldWrongCodes(db: Db, before: number): Promise<number> {
  return db.run(removeOldFailures, [before])
}
