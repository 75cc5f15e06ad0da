import { type Db, statement } from '../../core/db/db.ts'

/** The ends of some logs, the business clock, and the version of the cursor keys. */
export type HeadsRow = {
  readonly now: number
  readonly keys_version: number
  readonly history: number
  readonly heads: string | null
}

// One row: most accounts have not changed since the last read, and a row for each would cost more than the rest.
const selectHeads = statement<HeadsRow>(
  'events.read_heads',
  `select
     bourse_now() as now,
     coalesce((select value from versions where name = 'cursor_keys'), 0) as keys_version,
     (select coalesce(max(number), 0) from histories)::bigint as history,
     (select string_agg(account_id || ' ' || position || ' ' || occurred_at, ',')
      from event_counters
      where account_id = any($1)) as heads`,
)

/** Reads the ends of the logs of some accounts. */
export async function readHeads(db: Db, account_ids: readonly string[]): Promise<HeadsRow> {
  return (await db.row(selectHeads, [account_ids])) as HeadsRow
}
