// How long pools keep the history of their allocation. Steps before it are folded into one row at minute 0 for each
// pool and SKU, so the cost of a pool depends on its recent changes and not on its whole past.

const minutesOfDay = 1440

/**
 * Minutes of the past of which a pool keeps every step. The API shows up to 1,440 minutes. The
 * explanation of an instance reads what its pool owned until the instance is purged, seven days after its end. One more
 * day allows for clocks that step back and for ends after their deadline.
 */
export const historyMinutes = 8 * minutesOfDay

/** Steps of one fold. It keeps a fold far below the transaction timeout; the next fold follows at once. */
export const foldedAtOnce = 1000

/** The first minute whose steps are kept. */
export function keptFrom(minute: number): number {
  return minute - historyMinutes
}

/**
 * The minute of the next fold. `oldest` is the oldest step of any pool that is not folded; undefined where there is
 * none. If steps are left over, the next fold is due at once. Otherwise it is due after one day at the earliest, so
 * that one fold takes many steps, and after the kept history at the latest, because older steps can be added meanwhile.
 */
export function nextFold(oldest: number | undefined, minute: number): number {
  if (oldest !== undefined && oldest < keptFrom(minute)) return minute
  const due = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + historyMinutes + 1
  return Math.min(Math.max(due, minute + minutesOfDay), minute + historyMinutes)
}
