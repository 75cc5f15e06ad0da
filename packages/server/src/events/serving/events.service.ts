import type { listEvents as listEventsEndpoint } from '@bourse/api/events/events.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { throwIfRefused } from '../../core/base/refusal.ts'
import type { ReaderInput } from '../../core/http/handlers.ts'
import type { Bytes } from '../../core/http/rendering.ts'
import type { EventListScope, OpenedEventCursor } from '../../core/keys/event-cursor.ts'
import {
  type AccountLog,
  beginGeneration,
  findGeneration,
  type Generation,
  noFilters,
  useLog,
} from '../log/account-logs.service.ts'
import { cursorKeysVersion } from '../log/cursor-keys.service.ts'
import { type FoundEvents, readEvents, type SoughtEvents } from '../log/event-reading.service.ts'
import { gapBehind, isKept, rangeOf, refuseGap, refuseRange } from '../log/events.rules.ts'
import { emptyPage, renderRead, renderSelection } from './event-pages.service.ts'
import {
  askedBy,
  type EventsQuery,
  isLostPlace,
  openCursor,
  selectionKey,
  visibilityOf,
} from './event-scopes.service.ts'

/** One request for a page. */
type PageRequest = SoughtEvents & {
  readonly scope: EventListScope
  readonly query: EventsQuery
  /** The request, with notes that its repetitions share. */
  readonly reading: ReaderInput
}

const defaultLimit = 50
const versions = [cursorKeysVersion]
const emptyResponse: Bytes = { body: emptyPage, half_price: true }

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
export function listEvents(reading: ReaderInput, input: Input<typeof listEventsEndpoint>): Promise<Bytes> {
  const { query } = input
  const { runtime, caller } = reading
  const { account_id } = caller
  return runtime.services.readSnapshot({ account_id, versions }).then((snapshot) => {
    const version = snapshot.version(cursorKeysVersion)
    const generation = findGeneration(runtime, version)
    if (!generation) return beginGeneration(runtime, version).then(() => listEvents(reading, input))
    const { now } = snapshot
    throwIfRefused(refuseRange(query, now))
    const counter = snapshot.position(account_id)
    const before = caughtUpBefore(generation, reading)
    if (before && before.up_to >= counter && isKept(before.recorded_at, now)) return emptyResponse
    const page = readPage(generation, pageRequestOf(reading, query, { counter, now }))
    return page instanceof Promise ? page.then(responseOf) : responseOf(page)
  })
}

function responseOf(body: Buffer): Bytes {
  return body === emptyPage ? emptyResponse : { body }
}

/** The state of an earlier equal request that found no more events. */
function caughtUpBefore({ version, epoch }: Generation, { notes, caller }: ReaderInput): CaughtUp | undefined {
  const kept = notes.kept as CaughtUp | undefined
  const isCurrent = kept?.version === version && kept.epoch === epoch && kept.rights === caller.rights
  return isCurrent ? kept : undefined
}

type PageMoment = Pick<PageRequest, 'counter' | 'now'>

function pageRequestOf(reading: ReaderInput, query: EventsQuery, { counter, now }: PageMoment): PageRequest {
  const { runtime, caller, query_text } = reading
  const { account_id } = caller
  return {
    ...askedBy(account_id, query, query_text),
    account_id,
    counter,
    now,
    reading,
    query,
    visibility: visibilityOf(caller),
    db: runtime.database.readerOf(account_id),
    limit: query.limit ?? defaultLimit,
  }
}

function readPage(generation: Generation, request: PageRequest): Buffer | Promise<Buffer> {
  const { query, scope, account_id, counter } = request
  const log = useLog(generation, account_id)
  if (query.starting_after === undefined) return readRange(generation, log, request, undefined)
  const cursor = openCursor(generation, log, scope, query.starting_after, 'starting_after')
  throwIfRefused(refuseGap(gapBehind(cursor, request.now)))
  const lost = isLostPlace(request.reading.runtime, generation, { ...cursor, account_id, counter })
  if (!lost) return readRange(generation, log, request, cursor)
  return lost.then((isLost) => {
    throwIfRefused(refuseGap(isLost ? 'lost_commits' : undefined))
    return readRange(generation, log, request, cursor)
  })
}

function readRange(
  generation: Generation,
  log: AccountLog,
  request: PageRequest,
  cursor: OpenedEventCursor | undefined,
): Buffer | Promise<Buffer> {
  const range = rangeOf(request.query, cursor, request.now)
  const caughtUpTo = cursor ? (caughtUpBefore(generation, request.reading)?.up_to ?? 0) : 0
  const behind = Math.max(range.after.position, caughtUpTo)
  return readEvents(generation, log, { ...request, range, behind }, (found) =>
    found ? renderPage(generation, log, request, found) : nothingMore(generation, request, cursor?.recorded_at),
  )
}

function renderPage(generation: Generation, log: AccountLog, { scope, limit }: PageRequest, found: FoundEvents) {
  const key = selectionKey(generation, log, scope)
  if ('page' in found) return renderRead(found.page, limit, key)
  const isSealed = scope.filters === noFilters
  return renderSelection(found.tail, found.selection, isSealed ? undefined : key)
}

/** The empty page of a reader that has read all events. Keeps its state for the next request with the same cursor. */
function nothingMore(
  { version, epoch }: Generation,
  { reading, counter }: PageRequest,
  recorded_at: number | undefined,
): Buffer {
  const { notes, caller } = reading
  if (recorded_at !== undefined) {
    notes.kept = { version, epoch, rights: caller.rights, recorded_at, up_to: counter } satisfies CaughtUp
  }
  return emptyPage
}
