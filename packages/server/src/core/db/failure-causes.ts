/** Why the database could not do some work: the causes by their error codes, counted, and logged in sums. */
import { monotonicMilliseconds } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { isReplacedError } from './history.ts'

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
  | 'replaced_server'
  | 'unconfirmed'
  | 'unreachable'
  | 'unsafe_settings'
  | 'other'

/** The failure of a write whose COMMIT got no answer in time. */
export const unconfirmed: Error = Object.assign(new Error('The database did not confirm a COMMIT in time.'), {
  code: 'unconfirmed',
})

const unreachable = /^(08|57P0|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND)/
const logMilliseconds = 10_000
/** The most ids of requests in a line. */
const requestIdsMax = 20

const messages: Partial<Record<FailureCause, string>> = {
  lock_timeout: 'Other requests hold a lock that this one needs.',
  statement_timeout: 'The database is overloaded.',
  disk_full: 'The database has no space left.',
  too_many_connections: 'The database accepts no more connections.',
  no_free_connection: 'Too many requests wait for the database.',
  read_only: 'The database accepts no writes.',
  replaced_server: 'The server of the database was replaced, and its successor does not respond.',
}

/** The counters of one process. */
export type FailureCounts = {
  /**
   * Counts a failure, of a request where it has an id; returns its cause. Each cause is logged at once, and then in
   * sums every ten seconds.
   */
  record(error: unknown, requestId?: string): FailureCause
  /** Logs the sums of causes whose last line is ten seconds old. */
  check(): void
  /** Logs what is not logged yet. */
  flush(): void
  readonly counts: ReadonlyMap<FailureCause, number>
}

/** The cause of a failure of the database. */
export function failureCause(error: unknown): FailureCause {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const known = (causeByCode as Readonly<Record<string, FailureCause | undefined>>)[code]
  if (known) return known
  if (code === 'unsafe_database') return 'unsafe_settings'
  if (isReplacedError(error)) return 'replaced_server'
  if (error === unconfirmed) return 'unconfirmed'
  if (/timeout exceeded when trying to connect/.test(message)) return 'no_free_connection'
  return unreachable.test(code) || /Connection terminated|is not queryable|timeout expired/.test(message)
    ? 'unreachable'
    : 'other'
}

/** A sentence for the caller about a failure. */
export function describeFailure(error: unknown): string {
  return messages[failureCause(error)] ?? 'The database does not respond.'
}

/** The failures of one cause since its last line. */
type Sum = { logged_at: number; count: number; request_ids: string[]; err: unknown }

/** Creates the counters of one process. */
export function createFailureCounts(log: Log, now: () => number = monotonicMilliseconds): FailureCounts {
  const counts = new Map<FailureCause, number>()
  const sums = new Map<FailureCause, Sum>()

  function write(cause: FailureCause, sum: Sum): void {
    if (sum.count === 0) return
    const { count, request_ids, err } = sum
    const named = request_ids.length === 0 ? {} : { request_ids }
    log.warn({ cause, count, ...named, err }, 'The database could not do what requests or due work needed.')
    sums.set(cause, { logged_at: now(), count: 0, request_ids: [], err: undefined })
  }
  function isDue({ logged_at }: Sum): boolean {
    return now() - logged_at >= logMilliseconds
  }

  return {
    counts,
    record: (err, requestId) => {
      const cause = failureCause(err)
      counts.set(cause, (counts.get(cause) ?? 0) + 1)
      const sum = sums.get(cause) ?? { logged_at: Number.NEGATIVE_INFINITY, count: 0, request_ids: [], err }
      sums.set(cause, sum)
      sum.count += 1
      sum.err = err
      if (requestId !== undefined && sum.request_ids.length < requestIdsMax) sum.request_ids.push(requestId)
      if (isDue(sum)) write(cause, sum)
      return cause
    },
    check: () => {
      for (const [cause, sum] of sums) if (isDue(sum)) write(cause, sum)
    },
    flush: () => {
      for (const [cause, sum] of sums) write(cause, sum)
    },
  }
}
