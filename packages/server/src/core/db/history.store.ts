import { daySeconds } from '@bourse/text/time/units.ts'
import { wallMilliseconds } from '../base/clock.ts'
import { type Db, statement } from './statement.ts'

/** A server of the database, as a connection finds it. */
export type FoundServer = {
  readonly system_identifier: string
  /** Each promotion raises it. */
  readonly timeline: number
  /** When the server was started, in microseconds. */
  readonly started_at: number
  /** How far its log is on disk, in bytes. It never decreases within a timeline. */
  readonly flushed: number
  /** The newest recorded history; 0 in a new database. */
  readonly number: number
  /** When it was recorded, in seconds by the clock of the program that did; 0 in a new database. */
  readonly recorded_at: number
  /** Whether the newest recorded history is the one of this cluster and timeline. */
  readonly is_recorded: boolean
}

/** An account and the last position that a process has read of its events. */
export type SeenPosition = { readonly account_id: string; readonly position: number }

/** Runs in the transaction that records a new history, as the run-time role. */
export type RecordHistory = (db: Db, history: number) => Promise<void>

/** A history that was inserted. */
type BegunHistory = { readonly number: number; readonly reason: string }

/** A history that began by a failover or a restore, and the events that servers had read before and it lacks. */
type HistoryRow = {
  readonly number: number
  readonly reason: string
  readonly recorded_at: number
  readonly evidence: string | null
  readonly lost: readonly { readonly account_id: string; readonly from: number; readonly to: number }[]
}

/** After this time a cursor of an earlier history is too old for every list, so the positions are not needed. */
const positionsKeptSeconds = 30 * daySeconds

// The first digits of the name of the file that is being written are the timeline in force. The one in the control file
// may lag behind a promotion. A standby has neither, and the functions fail there.
const selectServer = statement<FoundServer & { in_recovery: boolean }>(
  'core.find_server',
  `select
     s.in_recovery,
     s.system_identifier,
     s.timeline,
     (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as started_at,
     s.flushed,
     coalesce(h.number, 0)::bigint as number,
     coalesce(h.recorded_at, 0)::bigint as recorded_at,
     coalesce(h.system_identifier = s.system_identifier and h.timeline = s.timeline, false) as is_recorded
   from (
     select
       r.in_recovery,
       c.system_identifier::text as system_identifier,
       case when not r.in_recovery
         then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint end as timeline,
       case when not r.in_recovery then (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint end as flushed
     from pg_control_system() c, (select pg_is_in_recovery() as in_recovery) r
   ) s
   left join (
     select number, system_identifier, timeline, recorded_at
     from histories
     order by number desc
     limit 1
   ) h on true`,
)
const begin = statement<never>(null, 'begin')
// A database with millions of accounts takes longer than a request may.
const liftTimeouts = statement<never>(
  'core.lift_timeouts_of_history',
  `select set_config('statement_timeout', '60000', true), set_config('transaction_timeout', '60000', true),
     set_config('lock_timeout', '60000', true)`,
)
const commit = statement<never>(null, 'commit')
const rollback = statement<never>(null, 'rollback')
// Of two processes that record at once, the second waits for the first and inserts nothing.
const insert = statement<BegunHistory>(
  'core.insert_history',
  `insert into histories (number, system_identifier, timeline, reason, recorded_at, evidence)
   select coalesce(max(number), 0) + 1, $1, $2,
     case
       when max(number) is null then 'first'
       when $4::text is not null then 'evidence'
       when bool_or(number = $5 and system_identifier <> $1) then 'other_cluster'
       else 'promotion' end,
     $3, $4
   from histories
   having coalesce(max(number), 0) = $5
   on conflict do nothing
   returning number, reason`,
)
const insertPositions = statement<never>(
  'core.insert_history_positions',
  `insert into history_positions (account_id, history, position)
   select account_id, $1, position
   from event_counters`,
)
const deleteOldPositions = statement<never>(
  'core.delete_old_history_positions',
  `delete from history_positions
   where history in (select number from histories where recorded_at < $1)`,
)
// Positions of an earlier history are missing in the first one after it, if at all. An account without a row had no
// event when that history began.
const insertSeen = statement<never>(
  'core.record_seen_positions',
  `insert into history_positions as p (account_id, history, position, seen_position)
   select s.account_id, h.number, 0, s.position
   from (select min(number) as number from histories where number > $2) h,
     jsonb_to_recordset($1::jsonb) as s(account_id text, position bigint)
   where h.number is not null and s.position > 0
   order by s.account_id
   on conflict (account_id, history) do update
   set seen_position = greatest(p.seen_position, excluded.seen_position)
   where p.position < excluded.seen_position`,
)

// A history without a row of the account began before the account had an event, or its positions were deleted.
const selectCommonPosition = statement<{ position: number | null }>(
  'core.find_common_position',
  `select min(coalesce(p.position, 0)) as position
   from histories h
   left join history_positions p on p.history = h.number and p.account_id = $1
   where h.number > $2`,
)

const historiesMax = 20
const lostMax = 20
const selectHistories = statement<Omit<HistoryRow, 'lost'> & { lost: HistoryRow['lost'] | null }>(
  'core.list_histories',
  `select h.number, h.reason, h.recorded_at, h.evidence,
     (select json_agg(json_build_object('account_id', p.account_id, 'from', p.position + 1, 'to', p.seen_position)
        order by p.account_id)
      from (
        select account_id, position, seen_position
        from history_positions
        where history = h.number and seen_position is not null
        order by account_id
        limit ${lostMax}
      ) p) as lost
   from histories h
   where h.number > 1
   order by h.number desc
   limit ${historiesMax}`,
)

/** Reads which server a connection has. */
export async function findServer(db: Db): Promise<FoundServer & { in_recovery: boolean }> {
  const found = await db.row(selectServer)
  if (!found) throw new Error('The server of the database did not identify itself.')
  return found
}

/**
 * Begins a history on a server, in a transaction of its own, with the positions of all accounts. Undefined if another
 * process has begun one since the server was found.
 */
export async function insertHistory(
  db: Db,
  { found, evidence }: { found: FoundServer; evidence: string | null },
  alsoRecord: RecordHistory = async () => {},
): Promise<BegunHistory | undefined> {
  const now = Math.floor(wallMilliseconds() / 1000)
  const { system_identifier, timeline, number } = found
  await db.run(begin)
  try {
    await db.run(liftTimeouts)
    const begun = await db.row(insert, [system_identifier, timeline, now, evidence, number])
    if (begun && begun.reason !== 'first') {
      await db.run(insertPositions, [begun.number])
      await db.run(deleteOldPositions, [now - positionsKeptSeconds])
      await alsoRecord(db, begun.number)
    }
    await db.run(commit)
    return begun
  } catch (error) {
    await db.run(rollback).catch(() => {})
    throw error
  }
}

/** Records positions that were read in histories up to `after`, for the accounts whose events a later one lacks. */
export async function recordSeenPositions(db: Db, seen: readonly SeenPosition[], after: number): Promise<void> {
  await db.run(insertSeen, [JSON.stringify(seen), after])
}

/**
 * The last position of an account's log that an earlier history shares with the present one; undefined if no history
 * has begun since.
 */
export async function findCommonPosition(db: Db, accountId: string, history: number): Promise<number | undefined> {
  return (await db.row(selectCommonPosition, [accountId, history]))?.position ?? undefined
}

/** The newest histories after the first, the newest first, each with the events that it lacks in up to 20 accounts. */
export async function listHistories(db: Db): Promise<HistoryRow[]> {
  return (await db.rows(selectHistories)).map((row) => ({ ...row, lost: row.lost ?? [] }))
}
