import { type Db, statement } from '../../core/db/db.ts'

/** The ends of some logs, the business clock, and the version of the cursor keys. */
export type HeadsRow = {
  readonly now: number
  readonly keys_version: number
  readonly history: number
  readonly flushed: number
  readonly heads: string | null
}

// One row: a row for each log would cost more than the rest.
const selectHeads = (logs: string) =>
  `select
     bourse_now() as now,
     coalesce((select value from versions where name = 'cursor_keys'), 0) as keys_version,
     (select coalesce(max(number), 0) from histories)::bigint as history,
     (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint as flushed,
     (select string_agg(account_id || ' ' || position || ' ' || occurred_at, ',')
      from ${logs}) as heads`

const selectSome = statement<HeadsRow>(
  'events.read_heads',
  selectHeads('event_counters\n      where account_id = any($1)'),
)
const selectChanged = statement<HeadsRow>(
  'events.read_changed_heads',
  selectHeads(`(
        select account_id, position, occurred_at
        from changed_logs($2)
        union
        select account_id, position, occurred_at
        from event_counters
        where account_id = any($1)
      ) c`),
)

/** Reads the ends of the logs of some accounts. */
export async function readHeads(db: Db, accountIds: readonly string[]): Promise<HeadsRow> {
  return (await db.row(selectSome, [accountIds])) as HeadsRow
}

/** Reads the ends of the logs of some accounts, and of all whose last event is from a time on. */
export async function readChangedHeads(db: Db, accountIds: readonly string[], since: number): Promise<HeadsRow> {
  return (await db.row(selectChanged, [accountIds, since])) as HeadsRow
}
