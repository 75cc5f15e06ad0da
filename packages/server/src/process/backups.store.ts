/** Which backups were completed and verified, for metrics and the doctor. What they contain is in the backups. */
import { type Db, statement } from '../core/db/db.ts'

/** When the newest backup was completed and the last one was verified, in real Unix seconds; null without any. */
type BackupTimes = { readonly completed_at: number | null; readonly verified_at: number | null }

const keptRows = 1_000

const putCompleted = statement<never>(
  'process.put_completed_backup',
  `with old as (
     delete from backups
     where id in (select id from backups order by completed_at desc offset ${keptRows})
   )
   insert into backups (id, location, completed_at, size_bytes)
   values ($1, $2, $3, $4)
   on conflict (id) do update set location = excluded.location, completed_at = excluded.completed_at`,
)
// A restored database lacks the rows of the backups that were made after its moment.
const putVerified = statement<never>(
  'process.put_verified_backup',
  `insert into backups (id, location, completed_at, size_bytes, verified_at)
   values ($1, $2, $3, $4, floor(bourse_real_now())::bigint)
   on conflict (id) do update set verified_at = excluded.verified_at`,
)
const selectTimes = statement<BackupTimes>(
  'process.read_backup_times',
  `select max(completed_at) as completed_at, max(verified_at) as verified_at
   from backups`,
)

/** A backup, for its row. */
export type BackupRow = {
  readonly id: string
  readonly location: string
  readonly completed_at: number
  readonly size_bytes: number
}

/** Records that a backup is complete. */
export async function recordBackup(db: Db, row: BackupRow): Promise<void> {
  await db.run(putCompleted, [row.id, row.location, row.completed_at, row.size_bytes])
}

/** Records that a backup was restored and found to be right. */
export async function recordVerification(db: Db, row: BackupRow): Promise<void> {
  await db.run(putVerified, [row.id, row.location, row.completed_at, row.size_bytes])
}

/** Reads the times. */
export async function readBackupTimes(db: Db): Promise<BackupTimes> {
  return (await db.row(selectTimes)) ?? { completed_at: null, verified_at: null }
}
