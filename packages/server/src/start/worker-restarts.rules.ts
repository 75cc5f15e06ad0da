/** When a worker that has ended is started again, and when its replica gives up. Pure. */

/** What is known of the former ends of one worker. */
export type WorkerEnds = {
  /** How many ends followed each other without a minute of service. */
  readonly in_a_row: number
  /** How many of them came before the worker served. */
  readonly at_start: number
}

/** An end: how long the worker had served in milliseconds, undefined if it had not yet. */
export type WorkerEnd = {
  readonly served_milliseconds: number | undefined
  readonly waits_for_database: boolean
  /** Whether another worker of the replica serves. */
  readonly others_serve: boolean
}

/** What follows: another start after a pause, or the end of the replica. */
type NextStart = { readonly ends: WorkerEnds; readonly pause_milliseconds: number | 'give_up' }

const servedMilliseconds = 60_000
const pauseMillisecondsMax = 30_000
/** A replica without a serving worker is ended after so many starts, so that what watches over it learns of that. */
const startsMax = 5

export const noEnds: WorkerEnds = { in_a_row: 0, at_start: 0 }

/**
 * Decides on an end. A worker that only waits for its database is started again for as long as it takes, and so is one
 * beside others that serve: to end these would make an outage of what is less than one.
 */
export function afterEnd(former: WorkerEnds, end: WorkerEnd): NextStart {
  const { served_milliseconds, waits_for_database, others_serve } = end
  const was = (served_milliseconds ?? 0) >= servedMilliseconds ? noEnds : former
  const at_start = served_milliseconds === undefined ? former.at_start + (waits_for_database ? 0 : 1) : 0
  const ends = { in_a_row: was.in_a_row + 1, at_start }
  if (at_start >= startsMax && !others_serve) return { ends, pause_milliseconds: 'give_up' }
  return { ends, pause_milliseconds: Math.min(500 * 2 ** was.in_a_row, pauseMillisecondsMax) }
}
