/** Decides whether and when a failed attempt is repeated. Pure, so that tests can cover every case. */

/** The failure of one attempt. `broken`: no response, or none within the time limit. */
export type FailedAttempt =
  | { readonly kind: 'broken' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly codes: readonly string[]
      /** Seconds. */
      readonly retryAfter: number | undefined
    }

/** The longest `Retry-After` that the client waits for. For a longer one it throws the error. Milliseconds. */
const longestRetryAfter = 60_000
/** The first and the last upper bound of the growing delay. Milliseconds. */
const firstStep = 500
const lastStep = 8_000

/**
 * The milliseconds to wait before the next attempt; undefined if there is no further attempt. Only a `repeatable`
 * request is repeated. The delay is uniformly random up to a bound that doubles with each attempt (full jitter), so
 * that clients that failed together do not retry together. It is never shorter than the server's `Retry-After`.
 */
export function delayBeforeRetry(
  failed: FailedAttempt,
  {
    attempt,
    maxRetries,
    repeatable,
    random,
  }: {
    /** The number of attempts so far, including the failed one. */
    attempt: number
    maxRetries: number
    repeatable: boolean
    /** A random number from 0 to 1. */
    random: number
  },
): number | undefined {
  if (attempt > maxRetries || !repeatable || !mayPass(failed)) return undefined
  const retryAfter = failed.kind === 'answer' ? (failed.retryAfter ?? 0) * 1000 : 0
  if (retryAfter > longestRetryAfter) return undefined
  const drawn = random * Math.min(lastStep, firstStep * 2 ** (attempt - 1))
  // Retry-After is a lower bound. The random part prevents that all clients retry at the same moment.
  return retryAfter > 0 ? retryAfter + random * firstStep : drawn
}

/** Whether a later attempt may succeed. */
function mayPass(failed: FailedAttempt): boolean {
  if (failed.kind === 'broken') return true
  const { status, codes } = failed
  return (
    status === 408 || status === 429 || status >= 500 || (status === 409 && codes.includes('idempotency_key_in_use'))
  )
}
