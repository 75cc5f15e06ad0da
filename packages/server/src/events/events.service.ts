import type { listEvents as listEventsEndpoint } from '@bourse/api/events/events.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { Refusal, refuse, throwIfRefused } from '../core/base/refusal.ts'
import type { Db } from '../core/db/db.ts'
import { readCommonPosition } from '../core/db/history.ts'
import type { Bytes, Reading } from '../core/http/routes.ts'
import {
  type EventListScope,
  eventCursorKey,
  type OpenedEventCursor,
  openEventCursor,
} from '../core/keys/event-cursor.ts'
import { listScopes } from '../iam/access/permissions.service.ts'
import {
  type AccountLog,
  advanceLog,
  beginGeneration,
  findGeneration,
  type Generation,
  noFilters,
  tailLength,
  useDays,
  useLog,
} from './account-logs.service.ts'
import { cursorKeysVersion } from './cursor-keys.service.ts'
import { daysOfPage } from './event-days.rules.ts'
import { emptyPage, renderRead, renderSelection } from './event-pages.service.ts'
import {
  isKept,
  lostCursor,
  type Range,
  rangeOf,
  refuseOldCursor,
  refuseRange,
  type Visibility,
  type Wanted,
} from './events.rules.ts'
import * as store from './events.store.ts'
import { covers, findCursor, selectEvents, type Tail } from './tails.service.ts'

type Query = Input<typeof listEventsEndpoint>['query']

/** One request for a page. */
type PageRequest = {
  readonly db: Db
  readonly scope: EventListScope
  readonly query: Query
  readonly wanted: Wanted | undefined
  readonly visibility: Visibility
  /** The request, with notes that its repetitions share. */
  readonly reading: Reading
  readonly limit: number
  readonly now: number
  /** The account's counter: every event up to it was committed before the request. */
  readonly counter: number
}

const defaultLimit = 50
const versions = [cursorKeysVersion]
const emptyAnswer: Bytes = { body: emptyPage, half_price: true }

/**
 * The state of a reader that has read all events, kept with its request, so that a repetition does not verify the
 * cursor again. The rights belong to one token, so they also identify the account.
 */
type CaughtUp = {
  /** The version of the cursor keys. */
  readonly version: number
  /** The epoch of the database's history. */
  readonly epoch: number
  readonly rights: unknown
  /** When its cursor was recorded. */
  readonly recorded_at: number
  /** Up to this position there is no event after the cursor for this reader. */
  readonly up_to: number
}

/** A page of the events of the account that the caller may list, oldest first (docs/concepts/events.md). */
export function listEvents(reading: Reading, input: Input<typeof listEventsEndpoint>): Promise<Bytes> {
  const { query } = input
  throwIfRefused(refuseRange(query))
  const { runtime, caller } = reading
  const { account_id } = caller
  return runtime.services.readSnapshot({ account_id, versions }).then((snapshot) => {
    const version = snapshot.version(cursorKeysVersion)
    const generation = findGeneration(runtime, version)
    if (!generation) return beginGeneration(runtime, version).then(() => listEvents(reading, input))
    const { now } = snapshot
    const counter = snapshot.position(account_id)
    const before = caughtUpBefore(generation, reading)
    if (before && before.up_to >= counter && isKept(before.recorded_at, now)) return emptyAnswer
    const page = readPage(generation, pageRequestOf(reading, query, { counter, now }))
    return page instanceof Promise ? page.then(answerOf) : answerOf(page)
  })
}

function answerOf(body: Buffer): Bytes {
  return body === emptyPage ? emptyAnswer : { body }
}

/** The state of an earlier equal request that found no more events. */
function caughtUpBefore({ version, epoch }: Generation, { notes, caller }: Reading): CaughtUp | undefined {
  const kept = notes.kept as CaughtUp | undefined
  const isCurrent = kept?.version === version && kept.epoch === epoch && kept.rights === caller.rights
  return isCurrent ? kept : undefined
}

// Keyed by the rights object, which never changes: after a change of grants a caller has another one. Without the
// cache, each page took 10 µs for the rights in twenty workspaces.
const visibilities = new WeakMap<object, Visibility>()

function visibilityOf(caller: Reading['caller']): Visibility {
  const rights = caller.rights as object
  const known = visibilities.get(rights)
  if (known !== undefined) return known
  const visible = listScopes(caller, 'event:list')
  const visibility = visible === 'all' ? visible : new Set(visible)
  visibilities.set(rights, visibility)
  return visibility
}

type Moment = Pick<PageRequest, 'counter' | 'now'>

function pageRequestOf(reading: Reading, query: Query, moment: Moment): PageRequest {
  const { runtime, caller, query_text } = reading
  const { action, target, target_type } = query
  const isPlain = action === undefined && target === undefined && target_type === undefined
  return {
    ...moment,
    reading,
    visibility: visibilityOf(caller),
    db: runtime.database.readerOf(caller.account_id),
    scope: { account_id: caller.account_id, filters: filtersOf(query, isPlain, query_text) },
    query,
    wanted: isPlain ? undefined : query,
    limit: query.limit ?? defaultLimit,
  }
}

/** The filters as the caller sent them. Cursors are bound to them. */
function filtersOf(query: Query, isPlain: boolean, query_text: string): EventListScope['filters'] {
  const { action, target, target_type } = query
  const isTimed = query.since !== undefined || query.until !== undefined
  if (isPlain && !isTimed) return noFilters
  const sent = isTimed ? new URLSearchParams(query_text) : undefined
  return { action, target, target_type, since: sent?.get('since') ?? undefined, until: sent?.get('until') ?? undefined }
}

function readPage(generation: Generation, request: PageRequest): Buffer | Promise<Buffer> {
  const { query, now, counter, scope } = request
  const log = useLog(generation, scope.account_id)
  const cursor =
    query.starting_after === undefined ? undefined : openCursor(generation, log, request, query.starting_after)
  if (cursor) {
    throwIfRefused(refuseOldCursor(cursor, now))
    const isLost = cursor.position > counter
    if (isLost || cursor.history !== generation.keys.current.history) {
      return refuseLostCursor(request, cursor).then(() => readRange(generation, log, request, cursor))
    }
  }
  return readRange(generation, log, request, cursor)
}

/**
 * Refuses a cursor of an earlier history whose event is not among the events that the present one began with. A cursor
 * of the present history cannot lie behind the counter unless commits are missing.
 */
async function refuseLostCursor({ reading, scope, counter }: PageRequest, cursor: OpenedEventCursor): Promise<void> {
  const { runtime } = reading
  const { account_id } = scope
  const common = await readCommonPosition(runtime.database.reader, account_id, cursor.history)
  if (cursor.position <= Math.min(common ?? counter, counter)) return
  if (common === undefined) {
    const evidence = `A cursor of account ${account_id} is at position ${cursor.position}, the log ends at ${counter}.`
    await runtime.database.recordLoss(evidence)
  }
  throw new Refusal(lostCursor)
}

function readRange(
  generation: Generation,
  log: AccountLog,
  request: PageRequest,
  cursor: OpenedEventCursor | undefined,
): Buffer | Promise<Buffer> {
  const { query, now, counter } = request
  const range = rangeOf(query, cursor, now)
  const place: Placed = { range, behind: range.after.position, recorded_at: cursor?.recorded_at }
  if (place.behind >= counter) return nothingMore(generation, request, place)
  const caughtUpTo = cursor ? (caughtUpBefore(generation, request.reading)?.up_to ?? 0) : 0
  place.behind = Math.max(place.behind, caughtUpTo)
  if (counter - place.behind > tailLength && !coversBehind(log.tail, place)) {
    return readFromDatabase(generation, log, request, place)
  }
  if (log.tail.end >= counter) return readFromTail(generation, log, request, place)
  const advanced = advanceLog(generation, log, request.db, counter)
  return advanced.then(() => readFromTail(generation, log, request, place))
}

/** Where a page starts. The reader has read or may not see any event up to the position `behind`. */
type Placed = { readonly range: Range; behind: number; readonly recorded_at: number | undefined }

function openCursor({ keys }: Generation, log: AccountLog, { scope }: PageRequest, sent: string): OpenedEventCursor {
  const isPlain = scope.filters === noFilters
  const ofTail = isPlain ? findCursor(log.tail, sent) : undefined
  if (ofTail) return { ...ofTail, ended: false, history: keys.current.history }
  const own = isPlain ? log.key : undefined
  return (
    openEventCursor(keys, scope, sent, own) ??
    refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', 'starting_after')
  )
}

/** Whether the tail contains every event that the page may need. Events up to `behind` are not needed. */
function coversBehind(tail: Tail, { range, behind }: Placed): boolean {
  // A tail that was never loaded ends at 0 and contains no event.
  if (tail.end === 0) return false
  return covers(tail, range.after) || behind >= (tail.positions[0] ?? Number.POSITIVE_INFINITY) - 1
}

function readFromTail(
  generation: Generation,
  log: AccountLog,
  request: PageRequest,
  place: Placed,
): Buffer | Promise<Buffer> {
  const { tail } = log
  if (!coversBehind(tail, place)) return readFromDatabase(generation, log, request, place)
  const selection = selectEvents(tail, place.range, request)
  if (selection.count === 0) return nothingMore(generation, request, place)
  const isSealed = request.scope.filters === noFilters
  return renderSelection(tail, selection, isSealed ? undefined : currentKey(generation, log, request))
}

async function readFromDatabase(
  generation: Generation,
  log: AccountLog,
  request: PageRequest,
  place: Placed,
): Promise<Buffer> {
  const { db, scope, visibility, limit, now } = request
  const sought = { wanted: request.wanted ?? noFilters, visibility, limit: limit + 1 }
  const days = daysOfPage(await useDays(generation, log, db, now), place.range, sought)
  if (!days) return nothingMore(generation, request, place)
  const page = await store.listEvents(db, scope.account_id, place.range, { ...sought, days })
  if (page.marks.length === 0) return nothingMore(generation, request, place)
  return renderRead(page, limit, currentKey(generation, log, request))
}

/** The empty page of a reader that has read all events. Keeps its state for the next request with the same cursor. */
function nothingMore(
  { version, epoch }: Generation,
  { reading, counter }: PageRequest,
  { recorded_at }: Placed,
): Buffer {
  const { notes, caller } = reading
  if (recorded_at !== undefined) {
    notes.kept = { version, epoch, rights: caller.rights, recorded_at, up_to: counter } satisfies CaughtUp
  }
  return emptyPage
}

function currentKey({ keys }: Generation, log: AccountLog, { scope }: PageRequest) {
  return scope.filters === noFilters ? log.key : eventCursorKey(keys.current, scope)
}
