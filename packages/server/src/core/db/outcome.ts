/**
 * Finds the outcome of a transaction whose COMMIT got no answer. The transaction's id alone does not prove it: after a
 * crash the database may assign the id of a lost transaction again. So the caller also names an event that only this
 * transaction wrote.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from './db.ts'

/** A transaction: its id, and the first event that it writes, if it writes any. */
export type InterruptedCommit = {
  readonly xid: string
  readonly mark: { readonly account_id: string; readonly id: Id<'event'> } | undefined
}

/** `open` means that the transaction may still be running; `unknown` means that the outcome cannot be determined. */
type CommitOutcome = 'committed' | 'aborted' | 'unknown' | 'open'

/** A transaction takes at most ten seconds, and its outcome is queried within three seconds after that. */
export const doubtSeconds = 15
/** The event is searched among this many of the newest events of its account. */
const newestMax = 10_000
const idNotGivenYet = '22023'

// PostgreSQL resets its statistics after a crash and keeps them over a regular stop, so the reset shows a crash.
const readStatus = statement<{ status: string | null; is_doubtful: boolean }>(
  'core.read_outcome',
  `select
     pg_xact_status($1::xid8) as status,
     (select extract(epoch from stats_reset) > bourse_real_now() - ${doubtSeconds}
      from pg_stat_bgwriter) as is_doubtful`,
)
const readMark = statement<{ found: boolean }>(
  'core.read_mark',
  `select exists (
     select
     from (
       select id
       from events
       where account_id = $1
       order by position desc
       limit ${newestMax}
     ) newest
     where newest.id = $2
   ) as found`,
)

/** Reads the outcome once. */
export async function readOutcome(db: Db, { xid, mark }: InterruptedCommit): Promise<CommitOutcome> {
  const row = await db.row(readStatus, [xid]).catch((error: { code?: string }) => {
    // The database has not assigned the id yet, so it lost the transaction in a crash.
    if (error.code === idNotGivenYet) return { status: 'aborted', is_doubtful: false }
    throw error
  })
  if (row?.status === 'aborted') return 'aborted'
  if (row?.status !== 'committed') return 'open'
  if (!mark) return row.is_doubtful ? 'unknown' : 'committed'
  const found = (await db.row(readMark, [mark.account_id, mark.id]))?.found
  return found ? 'committed' : 'aborted'
}
