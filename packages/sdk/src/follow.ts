/** Follows the event log: an iteration that waits for new events at the end of the log. */
import type { RequestOptions } from './call.ts'
import type { Item, Query } from './client-types.ts'
import { GoneError, isTransient, RateLimitedError, ServerError } from './errors.ts'
import type { Page } from './page.ts'
import { pause } from './timing.ts'

/** One entry of the log. */
export type Event = Item<'list_events'>
/** The filters of the followed events. */
export type EventFilters = Omit<Query<'list_events'>, 'starting_after' | 'limit'>

/** A gap: the reader's cursor is older than the retained events, so it has missed some. */
export type Gap = {
  /** The expired cursor. */
  readonly after: string
  /** The server's clock, in Unix seconds. */
  readonly now: number
  /** The filters from here on. Later cursors are valid only with these filters, so store both to continue. */
  readonly filters: EventFilters
}

/** The options of following the log. */
export type FollowOptions = {
  /** The cursor of the last processed event. Default: start at the oldest retained event. */
  readonly after?: string | undefined
  readonly filters?: EventFilters
  /** Ends the iteration. */
  readonly signal?: AbortSignal
  /** Called before the iteration continues after a gap. */
  readonly onGap?: (gap: Gap) => void
  /** Milliseconds between two requests at the end of the log. Default 1,000. */
  readonly interval?: number
}

/** The methods of the client that following uses. */
export type EventSource = {
  list(query: Query<'list_events'>, options: RequestOptions): Promise<Page<Event>>
  /** The server's clock, in Unix seconds. */
  now(options: RequestOptions): Promise<number>
}

/** The retention period of events. Seconds. */
const retention = 604_800
/**
 * The distance from the end of the retention period at which a reader restarts after a gap. Without it, the events of
 * an account that writes more than a page per round trip could expire before they are read. Seconds.
 */
const headStart = 600
/** The longest wait between two attempts while the server is unreachable. Milliseconds. */
const longestWait = 30_000

/**
 * Yields every event that matches the filters, in order, each once, and waits for new ones until the signal is aborted.
 * Retries transient errors and throws others, for example AuthenticationError. If the cursor has expired, calls `onGap`
 * and continues with the oldest events that are safely retained.
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
    // An aborted signal is the normal end of the iteration.
    if (!signal?.aborted) throw error
  }
}

function startAgain(filters: EventFilters, now: number): EventFilters {
  const edge = now - retention + headStart
  const { since } = filters
  return { ...filters, since: since !== undefined && since > edge ? since : edge }
}

/** The milliseconds to wait after `failures` consecutive failures: growing, and at least the server's `Retry-After`. */
export function waitAfter(error: unknown, failures: number, interval: number): number {
  const minimum = error instanceof RateLimitedError || error instanceof ServerError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.max(minimum, Math.min(longestWait, interval * 2 ** Math.min(failures, 10)))
}
