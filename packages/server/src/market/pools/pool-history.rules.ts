// How long pools remember their past. Each SKU of a pool keeps its steps for so long; what lies before is folded into
// one row at minute 0, so that a pool costs what happened lately and not what ever happened.

const MINUTES_OF_DAY = 1440

/**
 * Minutes of the past of which a pool keeps every step. Shown are up to 1,440, but why an instance
 * ended is told until it is purged, seven days later, from what its pool owned then. A day is slack for a clock that
 * steps back and for ends that come after their deadline.
 */
export const HISTORY_MINUTES = 8 * MINUTES_OF_DAY

/** Steps that are folded at once: well within the time of a transaction. The rest follows at once. */
export const FOLDED_AT_ONCE = 1000

/** The first minute that is kept step by step. */
export function keptFrom(minute: number): number {
  return minute - HISTORY_MINUTES
}

/**
 * The minute of the next look. `oldest` is the first step that is not folded, of any pool; undefined where there is
 * none. What is left over is due at once. Otherwise a day passes at least, so that many steps go in one look, and at
 * most so long as steps are kept, since meanwhile some may have come before the oldest.
 */
export function nextFold(oldest: number | undefined, minute: number): number {
  if (oldest !== undefined && oldest < keptFrom(minute)) return minute
  const due = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + HISTORY_MINUTES + 1
  return Math.min(Math.max(due, minute + MINUTES_OF_DAY), minute + HISTORY_MINUTES)
}
