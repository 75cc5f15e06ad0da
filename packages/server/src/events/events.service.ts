import type { listEvents as listEventsEndpoint } from '@bourse/api/events/events.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Db } from '../core/db.ts'
import { type EventListScope, eventCursorKey, openEventCursor } from '../core/event-cursor.ts'
import { refuse, throwIfRefused } from '../core/refusal.ts'
import type { Bytes, Reading } from '../core/routes.ts'
import { listScopes } from '../iam/permissions.service.ts'
import {
  type AccountLog,
  advanceLog,
  beginGeneration,
  findGeneration,
  type Generation,
  noFilters,
  tailLength,
  useLog,
} from './account-logs.service.ts'
import { cursorKeysVersion } from './cursor-keys.service.ts'
import { emptyPage, renderRows, renderSelection } from './event-pages.service.ts'
import { type Range, rangeOf, refuseOldCursor, refuseRange, type Sight, type Wanted } from './events.rules.ts'
import * as store from './events.store.ts'
import { covers, selectEvents, type Tail } from './tails.service.ts'

type Query = Input<typeof listEventsEndpoint>['query']

/** One request for a page. */
type Asked = {
  readonly db: Db
  readonly scope: EventListScope
  readonly query: Query
  readonly wanted: Wanted | undefined
  readonly sight: Sight
  /** What of a reader's rights decides its pages. */
  readonly sight_name: string
  readonly limit: number
  readonly now: number
  /** The account's counter: every event up to it was committed before this was asked. */
  readonly counter: number
}

const defaultLimit = 50
const versions = [cursorKeysVersion]
const emptyAnswer: Bytes = { body: emptyPage, half_price: true }

/** A page of the account's log, oldest first, as far as the caller may see it (surface 12.1). */
export async function listEvents(reading: Reading, { query }: Input<typeof listEventsEndpoint>): Promise<Bytes> {
  throwIfRefused(refuseRange(query))
  const { runtime, caller } = reading
  const { account_id } = caller
  for (;;) {
    const pulse = await runtime.pulse({ account_id, versions })
    const version = pulse.version(cursorKeysVersion)
    const generation = findGeneration(runtime, version)
    if (generation) {
      const page = readPage(generation, askedOf(reading, query, pulse.now, pulse.position(account_id)))
      const body = page instanceof Promise ? await page : page
      return body === emptyPage ? emptyAnswer : { body }
    }
    await beginGeneration(runtime, version)
  }
}

function askedOf({ runtime, caller, query_text }: Reading, query: Query, now: number, counter: number): Asked {
  const { action, target, target_type } = query
  const isPlain = action === undefined && target === undefined && target_type === undefined
  const visible = listScopes(caller, 'event:list')
  return {
    db: runtime.database.reader,
    scope: { account_id: caller.account_id, filters: filtersOf(query, isPlain, query_text) },
    query,
    wanted: isPlain ? undefined : query,
    sight: visible === 'all' ? visible : new Set(visible),
    sight_name: visible === 'all' ? visible : visible.toSorted().join(),
    limit: query.limit ?? defaultLimit,
    now,
    counter,
  }
}

/** The filters as they were sent, which cursors are bound to. */
function filtersOf(query: Query, isPlain: boolean, query_text: string): EventListScope['filters'] {
  const { action, target, target_type } = query
  const isTimed = query.since !== undefined || query.until !== undefined
  if (isPlain && !isTimed) return noFilters
  const sent = isTimed ? new URLSearchParams(query_text) : undefined
  return { action, target, target_type, since: sent?.get('since') ?? undefined, until: sent?.get('until') ?? undefined }
}

function readPage(generation: Generation, asked: Asked): Buffer | Promise<Buffer> {
  const { query, now, counter, scope } = asked
  const log = useLog(generation, scope.account_id)
  const cursor =
    query.starting_after === undefined ? undefined : openCursor(generation, log, asked, query.starting_after)
  if (cursor) throwIfRefused(refuseOldCursor(cursor, now))
  const range = rangeOf(query, cursor, now)
  if (range.after.position >= counter) return emptyPage
  const seen = cursor ? (generation.caught_up.get(pollName(asked)) ?? 0) : 0
  if (seen >= counter) return emptyPage
  const behind = Math.max(range.after.position, seen)
  if (counter - behind > tailLength && !coversBehind(log.tail, range, behind)) {
    return readFromDatabase(generation, log, asked, range)
  }
  if (log.tail.end >= counter) return readFromTail(generation, log, asked, range, behind)
  const advanced = advanceLog(generation, log, asked.db, counter)
  return advanced.then(() => readFromTail(generation, log, asked, range, behind))
}

function openCursor({ keys }: Generation, log: AccountLog, { scope }: Asked, sent: string) {
  const own = scope.filters === noFilters ? log.key : undefined
  return (
    openEventCursor(keys, scope, sent, own) ??
    refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', 'starting_after')
  )
}

function pollName({ scope, sight_name, query }: Asked): string {
  return `${scope.account_id} ${sight_name} ${query.starting_after}`
}

/** Whether the tail holds all that a reader can still get: what it was found to have no part in need not be there. */
function coversBehind(tail: Tail, { after }: Range, behind: number): boolean {
  return covers(tail, after) || behind >= (tail.positions[0] ?? Number.POSITIVE_INFINITY) - 1
}

function readFromTail(
  generation: Generation,
  log: AccountLog,
  asked: Asked,
  range: Range,
  behind: number,
): Buffer | Promise<Buffer> {
  const { tail } = log
  if (!coversBehind(tail, range, behind)) return readFromDatabase(generation, log, asked, range)
  const selection = selectEvents(tail, range, asked)
  if (selection.count === 0) noteCaughtUp(generation, asked)
  const isSealed = asked.scope.filters === noFilters
  return renderSelection(tail, selection, isSealed ? undefined : currentKey(generation, log, asked))
}

async function readFromDatabase(generation: Generation, log: AccountLog, asked: Asked, range: Range): Promise<Buffer> {
  const { db, scope, sight, limit } = asked
  const wanted = asked.wanted ?? noFilters
  const rows = await store.listEvents(db, scope.account_id, range, { wanted, sight, limit: limit + 1 })
  if (rows.length === 0) noteCaughtUp(generation, asked)
  return renderRows(rows.slice(0, limit), rows.length > limit, currentKey(generation, log, asked))
}

function noteCaughtUp({ caught_up }: Generation, asked: Asked): void {
  if (asked.query.starting_after !== undefined) caught_up.set(pollName(asked), asked.counter)
}

function currentKey({ keys }: Generation, log: AccountLog, { scope }: Asked) {
  return scope.filters === noFilters ? log.key : eventCursorKey(keys.current, scope)
}
