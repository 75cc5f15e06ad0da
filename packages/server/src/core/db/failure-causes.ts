/** Why the database could not do some work: the causes by their error codes, counted, and logged in sums. */
import { monotonicMilliseconds } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

const causeByCode = {
  '55P03': 'lock_timeout',
  '57014': 'statement_timeout',
  '25P03': 'idle_in_transaction',
  '25P04': 'transaction_timeout',
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  '53300': 'too_many_connections',
  '25006': 'read_only',
  '57P03': 'starting_up',
} as const

/** The causes, as the metric `bourse_unavailable_total` names them. */
export type FailureCause =
  | (typeof causeByCode)[keyof typeof causeByCode]
  | 'no_free_connection'
  | 'unreachable'
  | 'unsafe_settings'
  | 'other'

const unreachable = /^(08|57P0|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)/
const logMilliseconds = 10_000

const messages: Partial<Record<FailureCause, string>> = {
  lock_timeout: 'Other requests hold a lock that this one needs.',
  statement_timeout: 'The database is overloaded.',
  disk_full: 'The database has no space left.',
  too_many_connections: 'The database accepts no more connections.',
  no_free_connection: 'Too many requests wait for the database.',
  read_only: 'The database accepts no writes.',
}

/** The counters of one process. */
export type FailureCounts = {
  /** Counts a failure. Each cause is logged at once and then in sums, at most every ten seconds. */
  record(error: unknown): void
  readonly counts: ReadonlyMap<FailureCause, number>
}

/** The cause of a failure of the database. */
export function failureCause(error: unknown): FailureCause {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const known = (causeByCode as Readonly<Record<string, FailureCause | undefined>>)[code]
  if (known) return known
  if (code === 'unsafe_database') return 'unsafe_settings'
  if (/timeout exceeded when trying to connect/.test(message)) return 'no_free_connection'
  return unreachable.test(code) || /Connection terminated|is not queryable|timeout expired/.test(message)
    ? 'unreachable'
    : 'other'
}

/** A sentence for the caller about a failure. */
export function describeFailure(error: unknown): string {
  return messages[failureCause(error)] ?? 'The database does not respond.'
}

/** Creates the counters of one process. */
export function createFailureCounts(log: Log, now: () => number = monotonicMilliseconds): FailureCounts {
  const counts = new Map<FailureCause, number>()
  const logged = new Map<FailureCause, { at: number; count: number }>()
  return {
    counts,
    record: (error) => {
      const cause = failureCause(error)
      const count = (counts.get(cause) ?? 0) + 1
      counts.set(cause, count)
      const last = logged.get(cause)
      if (last && now() - last.at < logMilliseconds) return
      logged.set(cause, { at: now(), count })
      const since = count - (last?.count ?? 0)
      log.warn({ cause, count: since, err: error }, 'The database could not do what requests or due work needed.')
    },
  }
}
