/** The expected list of events, computed by reading the whole table and filtering it. */
import { statement } from '../../src/core/db/db.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'

export type LoggedEvent = {
  readonly id: string
  readonly position: number
  readonly occurred_at: number
  readonly action: string
  readonly target_type: string
  readonly target_id: string
  readonly workspace_id: string | null
}

export type OracleFilters = {
  readonly action?: string
  readonly target?: string
  readonly target_type?: string
  readonly since?: number
  readonly until?: number
}

const listLog = statement<LoggedEvent>(
  null,
  `select id, position, occurred_at, action, target_type, target_id, workspace_id
   from events
   where account_id = $1
   order by position`,
)

/** All events of an account in the table, in the order of their positions. */
export function readLog({ database }: Runtime, accountId: string): Promise<LoggedEvent[]> {
  return database.reader.rows(listLog, [accountId])
}

/** The events that match the filters and that a reader may list. */
export function filterLog(
  log: readonly LoggedEvent[],
  filters: OracleFilters,
  visibility: 'all' | readonly string[] = 'all',
): LoggedEvent[] {
  const { action, target, target_type, since, until } = filters
  return log.filter(
    (event) =>
      (action === undefined || event.action === action) &&
      (target === undefined || event.target_id === target) &&
      (target_type === undefined || event.target_type === target_type) &&
      (since === undefined || event.occurred_at >= since) &&
      (until === undefined || event.occurred_at <= until) &&
      (visibility === 'all' || event.workspace_id === null || visibility.includes(event.workspace_id)),
  )
}

/** The filters as a query string, without a question mark. */
export function queryOf(
  filters: OracleFilters,
  more: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filters, ...more })) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.toString()
}
