/**
 * Follows the event log: an iteration that waits for new events. It reads the event stream, and polls where there is
 * none: with an older server, behind a proxy that buffers, and over the account's limit of streams.
 */

import { pause } from '@bourse/text/time/pause.ts'
import { weekSeconds } from '@bourse/text/time/units.ts'
import type { RequestOptions } from './call.ts'
import type { Item, Query } from './client-types.ts'
import { ApiError, GoneError, isTransient, MalformedAnswerError, RateLimitedError, ServerError } from './errors.ts'
import type { Page } from './page.ts'
import { readServerEvents } from './server-events.ts'
import { monotonic } from './timing.ts'

/** One entry of the log. */
export type LogEvent = Item<'list_events'>
/** The filters of the followed events. */
export type EventFilters = Omit<Query<'list_events'>, 'starting_after' | 'limit' | 'on_gap'>

/** A gap: the reader's cursor is gone, so it has missed some events. */
export type Gap = {
  /** The cursor that is gone. */
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
  /**
   * Milliseconds between two polls at the end of the log, and before a stream is opened again. Default 1,000, and for a
   * stream what that asks for.
   */
  readonly interval?: number
  /** Whether to use the event stream where the server has it. Default true; false only polls. */
  readonly streams?: boolean
  /** Milliseconds within which a stream must begin; else something buffers it, and polling begins. Default 10,000. */
  readonly opening?: number
}

/** The answer to a request for the stream: its body, or that no event can follow, or that there is no stream. */
export type OpenedEvents = ReadableStream<Uint8Array> | 'over' | 'unsupported'

/** The methods of the client that following uses. */
export type EventSource = {
  list(query: Query<'list_events'>, options: RequestOptions): Promise<Page<LogEvent>>
  /** Opens the stream after a cursor. */
  open(query: Query<'list_events'>, after: string | undefined, options: RequestOptions): Promise<OpenedEvents>
  /** The server's clock, in Unix seconds. */
  now(options: RequestOptions): Promise<number>
}

/** The retention period of events. Seconds. */
const retention = weekSeconds
/**
 * The distance from the end of the retention period at which a reader that polls restarts after a gap. Without it, the
 * events of an account that writes more than a page per round trip could expire before they are read. Seconds.
 */
const headStart = 600
/** How long to poll before a stream is tried again: after it was of no use, and over a limit. Milliseconds. */
const pollingAfterFailure = 300_000
const pollingOverLimit = 30_000
/** Streams in a row that gave no event and ended within seconds, until polling is tried. */
const fruitlessMax = 3
const fruitlessMilliseconds = 5_000

/** The wait between polls and between streams where neither the caller nor a stream says another. Milliseconds. */
export const usualInterval = 1_000
/** The longest wait between two attempts: while the server is unreachable, and that a stream asks for. Milliseconds. */
export const longestWait = 30_000

type Following = {
  readonly source: EventSource
  readonly signal: AbortSignal | undefined
  readonly own: RequestOptions
  readonly onGap: FollowOptions['onGap']
  readonly interval: number
  /** The wait before a stream is opened again, and whether the stream determines it. Milliseconds. */
  reopening: number
  readonly takes_retry: boolean
  readonly opening: number
  after: string | undefined
  filters: EventFilters
  /** Consecutive failures. */
  failures: number
  fruitless: number
  /** The monotonic time until which to poll. */
  polls_until: number
}

/**
 * Yields every event that matches the filters, in order, each once, and waits for new ones until the signal is aborted,
 * or until the filter `until` has passed. Retries transient errors and throws others, for example AuthenticationError.
 * If the cursor is gone, calls `onGap` and continues with the oldest events that are safely retained.
 */
export async function* follow(source: EventSource, options: FollowOptions = {}): AsyncGenerator<LogEvent, void, void> {
  const { signal, onGap, interval = usualInterval, after, filters = {}, streams = true, opening = 10_000 } = options
  const following: Following = {
    source,
    signal,
    own: signal ? { signal } : {},
    onGap,
    interval,
    reopening: interval,
    takes_retry: options.interval === undefined,
    opening,
    after,
    filters,
    failures: 0,
    fruitless: 0,
    polls_until: streams ? 0 : Number.POSITIVE_INFINITY,
  }
  try {
    while (!signal?.aborted) {
      const isPolling = monotonic() < following.polls_until
      try {
        const isOver = yield* isPolling ? readPage(following) : readStream(following)
        if (isOver) return
      } catch (error) {
        if (signal?.aborted) return
        if (isPolling || !choosePolling(following, error)) await recover(following, error, isPolling)
      }
    }
  } catch (error) {
    // An aborted signal is the normal end of the iteration.
    if (!signal?.aborted) throw error
  }
}

/** Yields the events of one page. Returns whether no event can follow. */
async function* readPage(following: Following): AsyncGenerator<LogEvent, boolean, void> {
  const { source, own, signal, filters, after, interval } = following
  const page = await source.list({ ...filters, limit: 200, ...(after ? { starting_after: after } : {}) }, own)
  following.failures = 0
  for (const event of page.data) {
    // The signal may be aborted while the answer arrives, and by the caller between two events.
    if (signal?.aborted) return true
    following.after = event.cursor
    yield event
  }
  if (signal?.aborted) return true
  if (page.has_more) return false
  const { until } = filters
  if (page.data.length === 0 && until !== undefined && until < (await source.now(own))) return true
  await pause(interval, signal)
  return false
}

/** Yields the events of one stream, until it ends. Returns whether no event can follow. */
async function* readStream(following: Following): AsyncGenerator<LogEvent, boolean, void> {
  const { source, own, signal, filters, after, opening } = following
  const limits = { ...own, timeout: opening, maxRetries: 0 }
  const opened = await source.open({ ...filters, on_gap: 'continue' }, after, limits)
  if (opened === 'over') return true
  if (opened === 'unsupported') {
    following.polls_until = Number.POSITIVE_INFINITY
    return false
  }
  const openedAt = monotonic()
  let hasBegun = false
  let count = 0
  const begin = () => {
    hasBegun = true
  }
  const retry = (milliseconds: number) => {
    if (following.takes_retry) following.reopening = Math.min(milliseconds, longestWait)
  }
  for await (const { event: kind, id, data } of readServerEvents(opened, { signal, opening, begin, retry })) {
    count += 1
    following.failures = 0
    if (kind === 'gap') await passGap(following, id)
    if (kind !== undefined) continue
    const event = JSON.parse(data) as LogEvent
    following.after = id || event.cursor
    yield event
    if (signal?.aborted) return true
  }
  const isFruitless = count === 0 && monotonic() - openedAt < fruitlessMilliseconds
  following.fruitless = isFruitless ? following.fruitless + 1 : 0
  if (!hasBegun || following.fruitless >= fruitlessMax) pollFor(following, pollingAfterFailure)
  await pause(following.reopening, signal)
  return false
}

/** The stream goes on by itself with the oldest events, under the same filters. */
async function passGap(following: Following, id: string): Promise<void> {
  const { after, filters, source, own, onGap } = following
  if (after !== undefined) onGap?.({ after, now: await source.now(own), filters })
  following.after = id
}

/** Whether a stream that could not be opened is a reason to poll. Then polling shows what else is wrong. */
function choosePolling(following: Following, error: unknown): boolean {
  if (error instanceof RateLimitedError) return pollFor(following, pollingOverLimit)
  if (error instanceof MalformedAnswerError) return pollFor(following, pollingAfterFailure)
  if (!(error instanceof ApiError)) return false
  const isUnknown = error.status === 400 && error.codes.includes('unknown_field')
  const isAbsent = [404, 405, 406, 501].includes(error.status)
  return (isUnknown || isAbsent) && pollFor(following, Number.POSITIVE_INFINITY)
}

function pollFor(following: Following, milliseconds: number): true {
  following.fruitless = 0
  following.polls_until = monotonic() + milliseconds
  return true
}

/** Waits after a transient error, starts again after a cursor that is gone, and throws other errors. */
async function recover(following: Following, error: unknown, isPolling: boolean): Promise<void> {
  const { source, own, signal, after, filters, onGap, interval } = following
  if (error instanceof GoneError && after) {
    const now = await source.now(own)
    following.filters = startAgain(filters, now)
    onGap?.({ after, now, filters: following.filters })
    following.after = undefined
    return
  }
  if (!isTransient(error) && (isPolling || !isBroken(error))) throw error
  following.failures += 1
  if (!isPolling && following.failures % fruitlessMax === 0) pollFor(following, pollingAfterFailure)
  await pause(waitAfter(error, following.failures, interval), signal)
}

function startAgain(filters: EventFilters, now: number): EventFilters {
  const edge = now - retention + headStart
  const { since } = filters
  return { ...filters, since: since !== undefined && since > edge ? since : edge }
}

/** Whether a body was cut off, which `fetch` reports as a TypeError. */
export function isBroken(error: unknown): boolean {
  return error instanceof TypeError
}

/** The milliseconds to wait after `failures` consecutive failures: growing, and at least the server's `Retry-After`. */
export function waitAfter(error: unknown, failures: number, interval: number): number {
  const minimum = error instanceof RateLimitedError || error instanceof ServerError ? (error.retryAfter ?? 0) * 1000 : 0
  return Math.max(minimum, Math.min(longestWait, interval * 2 ** Math.min(failures, 10)))
}
