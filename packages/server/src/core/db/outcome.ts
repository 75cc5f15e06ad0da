/**
 * What became of a transaction whose COMMIT was cut off. Its id alone does not say: a database that crashed may give
 * the id of a transaction that it lost to another one. So whoever asks names something that only that one wrote.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from './db.ts'

/** A transaction, by its id and the first event that it was to write; without one where it was to write none. */
export type CutOff = {
  readonly xid: string
  readonly mark: { readonly account_id: string; readonly id: Id<'event'> } | undefined
}

/** As far as it can be told; `unknown` stays so for good, `open` is asked for again. */
export type CommitOutcome = 'committed' | 'aborted' | 'unknown' | 'open'

/** A transaction lasts no longer than ten seconds, and its outcome is asked for no longer than three after that. */
export const doubtSeconds = 15
/** An event is looked for among the newest of its account. */
const newestMax = 10_000
const idNotGivenYet = '22023'

// Statistics are thrown away after a crash, and only then: a stop that was asked for keeps them.
const readStatus = statement<{ status: string | null; is_doubtful: boolean }>(
  'core.read_outcome',
  `select pg_xact_status($1::xid8) as status,
     (select extract(epoch from stats_reset) > bourse_real_now() - ${doubtSeconds} from pg_stat_bgwriter)
       as is_doubtful`,
)
const readMark = statement<{ found: boolean }>(
  'core.read_mark',
  `select exists (
     select from (select id from events where account_id = $1 order by position desc limit ${newestMax}) newest
     where newest.id = $2
   ) as found`,
)

/** Asks the database once. */
export async function readOutcome(db: Db, { xid, mark }: CutOff): Promise<CommitOutcome> {
  const row = await db.row(readStatus, [xid]).catch((error: { code?: string }) => {
    // A database that has not given the id yet has lost all that this transaction did.
    if (error.code === idNotGivenYet) return { status: 'aborted', is_doubtful: false }
    throw error
  })
  if (row?.status === 'aborted') return 'aborted'
  if (row?.status !== 'committed') return 'open'
  if (!mark) return row.is_doubtful ? 'unknown' : 'committed'
  const found = (await db.row(readMark, [mark.account_id, mark.id]))?.found
  return found ? 'committed' : 'aborted'
}
