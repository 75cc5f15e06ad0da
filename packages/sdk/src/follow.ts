/** Follows the log of events: a walk that does not end where the log ends for now. */
import type { RequestOptions } from './call.ts'
import type { Item, Query } from './client-types.ts'
import { GoneError, isTransient, RateLimitedError, ServerError } from './errors.ts'
import type { Page } from './page.ts'
import { pause } from './timing.ts'

/** One entry of the log. */
export type Event = Item<'list_events'>
/** Which events are followed. */
export type EventFilters = Omit<Query<'list_events'>, 'starting_after' | 'limit'>

/** Part of the log that is lost to this reader: its cursor was older than what is kept. */
export type Gap = {
  /** The cursor that is gone. */
  readonly after: string
  /** The server's clock, in Unix seconds. */
  readonly now: number
  /** The filters from here on. Cursors of events that follow work with exactly these: keep both to go on later. */
  readonly filters: EventFilters
}

/** What to follow, and from where. */
export type FollowOptions = {
  /** Cursor of the last event that was taken care of. Absent: from the oldest event that is kept. */
  readonly after?: string | undefined
  readonly filters?: EventFilters
  /** Ends the walk. */
  readonly signal?: AbortSignal
  /** Told before the walk goes on behind a gap. */
  readonly onGap?: (gap: Gap) => void
  /** Milliseconds between two looks at a log that has been read to its end. Default 1,000. */
  readonly interval?: number
}

/** What following needs of the client. */
export type EventSource = {
  list(query: Query<'list_events'>, options: RequestOptions): Promise<Page<Event>>
  /** The server's clock, in Unix seconds. */
  now(options: RequestOptions): Promise<number>
}

/** How long events are kept. Seconds. */
const retention = 604_800
/**
 * How far from the edge of what is kept a reader starts again after a gap. Right at the edge it would be overtaken by
 * it on an account that writes more than a page per round trip. Seconds.
 */
const headStart = 600
/** Longest wait between two tries while the server cannot be reached. Milliseconds. */
const longestWait = 30_000

/**
 * Gives every event that passes the filters, in order, each once, and then those to come, until the signal ends it.
 * Trouble that passes is waited out; what does not pass (the token, the filters) is thrown. Where the cursor has become
 * too old, it says so to `onGap` and goes on with the oldest events that are safely kept.
 */
export async function* follow(source: EventSource, options: FollowOptions = {}): AsyncGenerator<Event, void, void> {
  const { signal, onGap, interval = 1_000 } = options
  const own = signal ? { signal } : {}
  let { after, filters = {} } = options
  let failures = 0
  try {
    while (!signal?.aborted) {
      try {
        const page = await source.list({ ...filters, limit: 200, ...(after ? { starting_after: after } : {}) }, own)
        failures = 0
        for (const event of page.data) {
          after = event.cursor
          yield event
          if (signal?.aborted) return
        }
        if (!page.has_more) await pause(interval, signal)
      } catch (error) {
        if (signal?.aborted) return
        if (error instanceof GoneError && after) {
          const now = await source.now(own)
          filters = startAgain(filters, now)
          onGap?.({ after, now, filters })
          after = undefined
        } else {
          if (!isTransient(error)) throw error
          failures += 1
          await pause(waitAfter(error, failures, interval), signal)
        }
      }
    }
  } catch (error) {
    // Breaking off is how a walk without an end comes to its end.
    if (!signal?.aborted) throw error
  }
}

function startAgain(filters: EventFilters, now: number): EventFilters {
  const edge = now - retention + headStart
  const { since } = filters
  return { ...filters, since: since !== undefined && since > edge ? since : edge }
}

/** Milliseconds to wait after so many failures in a row: as asked, or longer each time. */
export function waitAfter(error: unknown, failures: number, interval: number): number {
  const asked = error instanceof RateLimitedError || error instanceof ServerError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.max(asked, Math.min(longestWait, interval * 2 ** Math.min(failures, 10)))
}
