/** When a failed attempt is repeated, and after how long. Pure, so that every case can be tried. */

/** How one attempt ended that brought no success. `broken`: no answer, or none in time. */
export type FailedAttempt =
  | { readonly kind: 'broken' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly codes: readonly string[]
      /** Seconds. */
      readonly retryAfter: number | undefined
    }

/** Longest wait that the client takes upon itself; beyond it the caller is told. Milliseconds. */
const timeout = 60_000
/** First and last step of the growing wait. Milliseconds. */
const firstStep = 500
const lastStep = 8_000

/**
 * Milliseconds to wait before the next attempt; undefined: there is none. What is sent twice must be harmless:
 * `repeatable` says whether it is. The wait is drawn from the whole of a doubling span (full jitter), so that callers
 * that failed together do not come back together, and is never shorter than the server asked for.
 */
export function delayBeforeRetry(
  failed: FailedAttempt,
  {
    attempt,
    maxRetries,
    repeatable,
    random,
  }: {
    /** How many attempts were made, the failed one included. */
    attempt: number
    maxRetries: number
    repeatable: boolean
    /** From 0 to 1. */
    random: number
  },
): number | undefined {
  if (attempt > maxRetries || !repeatable || !mayPass(failed)) return undefined
  const asked = failed.kind === 'answer' ? (failed.retryAfter ?? 0) * 1000 : 0
  if (asked > timeout) return undefined
  const drawn = random * Math.min(lastStep, firstStep * 2 ** (attempt - 1))
  // What was asked for is a lower bound; something is added, so that not all come back in the same moment.
  return asked > 0 ? asked + random * firstStep : drawn
}

/** Whether the trouble may pass by itself. */
function mayPass(failed: FailedAttempt): boolean {
  if (failed.kind === 'broken') return true
  const { status, codes } = failed
  return (
    status === 408 || status === 429 || status >= 500 || (status === 409 && codes.includes('idempotency_key_in_use'))
  )
}
