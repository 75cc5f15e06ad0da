import { type Db, statement } from '../../core/db/db.ts'
import type { LogPosition, TailRow } from './events.rules.ts'

/** The summary of an account's events in a closed day. An account without events in it has no row. */
export type SummaryRow = {
  readonly stored_on: string
  readonly first_position: number
  readonly first_at: number
  readonly last_position: number
  readonly last_at: number
  readonly is_before_later_days: boolean
  readonly kinds:
    | readonly (readonly [workspace_id: string, action: string, target_type: string, events: number])[]
    | null
}

// Returns at least one row, with null columns for an account without events in closed days.
const listSummaries = statement<{ open_from: string } & (SummaryRow | { stored_on: null })>(
  'events.list_summaries',
  `select o.open_from, s.stored_on::text as stored_on, first_position, first_at, last_position, last_at,
     is_before_later_days, kinds
   from (
     select coalesce(max(stored_on) + 1, '-infinity')::text as open_from
     from closed_event_days
   ) o
   left join event_summaries s on s.account_id = $1
   order by s.stored_on`,
)

const tailColumns = `position, occurred_at, body, action, target_type, target_id,
  coalesce(workspace_id, '') as workspace_id`

const listNewest = statement<TailRow>(
  'events.list_newest',
  `select ${tailColumns}
   from events
   where account_id = $1
   order by occurred_at desc, position desc
   limit $2`,
)

const listBehind = statement<TailRow>(
  'events.list_behind',
  `select ${tailColumns}
   from events
   where account_id = $1 and (occurred_at, position) > ($2, $3)
   order by occurred_at, position
   limit $4`,
)

/** The summaries of an account's closed days, oldest first, and the first day that is not closed. */
export async function listClosedDays(
  db: Db,
  accountId: string,
): Promise<{ summaries: SummaryRow[]; open_from: string }> {
  const rows = await db.rows(listSummaries, [accountId])
  return { summaries: rows.filter((row) => row.stored_on !== null), open_from: rows[0]?.open_from ?? '-infinity' }
}

/** The newest events of an account, oldest first. */
export async function listNewestEvents(db: Db, accountId: string, limit: number): Promise<TailRow[]> {
  return (await db.rows(listNewest, [accountId, limit])).reverse()
}

/** The first `limit` events of an account after a place, oldest first. */
export function listEventsBehind(db: Db, accountId: string, { occurred_at, position }: LogPosition, limit: number) {
  return db.rows(listBehind, [accountId, occurred_at, position, limit])
}
