import type { listEvents as listEventsEndpoint } from '@bourse/api/events/events.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Db } from '../core/db.ts'
import { type EventCursorKey, type EventListScope, eventCursorKey, openEventCursor } from '../core/event-cursor.ts'
import type { CursorKeys } from '../core/keys.ts'
import { createRecentCache, type RecentCache } from '../core/recent-cache.ts'
import { refuse, throwIfRefused } from '../core/refusal.ts'
import type { Bytes, Reading } from '../core/routes.ts'
import type { Runtime } from '../core/runtime.ts'
import { listScopes } from '../iam/permissions.service.ts'
import { cursorKeysAt, cursorKeysVersion } from './cursor-keys.service.ts'
import { emptyPage, renderRows, renderSelection } from './event-pages.service.ts'
import {
  type Place,
  type Range,
  rangeOf,
  refuseOldCursor,
  refuseRange,
  type Sight,
  type Wanted,
} from './events.rules.ts'
import * as store from './events.store.ts'
import { covers, emptyTail, extendTail, lastPlace, selectEvents, sizeOfTail, type Tail } from './tails.service.ts'

type Query = Input<typeof listEventsEndpoint>['query']

/** What one process knows of the logs since cursor keys last changed. A new generation starts from nothing. */
type Generation = {
  readonly version: number
  readonly keys: CursorKeys
  /** Least recently used first. */
  readonly tails: Map<string, KeptTail>
  bytes: number
  /** How far a cursor's reader has seen that nothing more is there for it. */
  readonly caught_up: RecentCache<string, number>
}
type KeptTail = { tail: Tail; size: number; advancing: Promise<void> | undefined }

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
/** Tails of all accounts together. */
const tailBytesMax = 64 * 1024 * 1024
/** What a tail begins with; further back the database is asked. */
const tailLength = 128
const advanceMax = 1000
const versions = [cursorKeysVersion]
const noFilters = {}
const emptyAnswer: Bytes = { body: emptyPage, half_price: true }

const generations = new WeakMap<Runtime, Generation>()

/** A page of the account's log, oldest first, as far as the caller may see it (surface 12.1). */
export async function listEvents(reading: Reading, { query }: Input<typeof listEventsEndpoint>): Promise<Bytes> {
  throwIfRefused(refuseRange(query))
  const { runtime, caller } = reading
  const { account_id } = caller
  for (;;) {
    const pulse = await runtime.pulse({ account_id, versions })
    const version = pulse.version(cursorKeysVersion)
    const generation = generations.get(runtime)
    if (generation?.version !== version) {
      await beginGeneration(runtime, version)
      continue
    }
    const asked = askedOf(reading, query, pulse.now, pulse.position(account_id))
    const body = await readPage(generation, asked)
    return body === emptyPage ? emptyAnswer : { body }
  }
}

/** Takes the cursor keys as they stand now; whoever asked by older ones asks for the pulse again. */
async function beginGeneration(runtime: Runtime, wanted: number): Promise<void> {
  const { version, keys } = await cursorKeysAt(runtime.database, wanted)
  if ((generations.get(runtime)?.version ?? -1) >= version) return
  generations.set(runtime, { version, keys, tails: new Map(), bytes: 0, caught_up: createRecentCache(16_384) })
}

function askedOf({ runtime, caller, query_text }: Reading, query: Query, now: number, counter: number): Asked {
  const visible = listScopes(caller, 'event:list')
  return {
    db: runtime.database.reader,
    scope: { account_id: caller.account_id, filters: filtersOf(query, query_text) },
    query,
    wanted:
      query.action === undefined && query.target === undefined && query.target_type === undefined ? undefined : query,
    sight: visible === 'all' ? visible : new Set(visible),
    sight_name: visible === 'all' ? visible : visible.toSorted().join(),
    limit: query.limit ?? defaultLimit,
    now,
    counter,
  }
}

/** The filters as they were sent, which cursors are bound to. */
function filtersOf(query: Query, query_text: string): EventListScope['filters'] {
  const { action, target, target_type, since, until } = query
  if (
    action === undefined &&
    target === undefined &&
    target_type === undefined &&
    since === undefined &&
    until === undefined
  ) {
    return noFilters
  }
  const sent = since === undefined && until === undefined ? undefined : new URLSearchParams(query_text)
  return { action, target, target_type, since: sent?.get('since') ?? undefined, until: sent?.get('until') ?? undefined }
}

function readPage(generation: Generation, asked: Asked): Buffer | Promise<Buffer> {
  const { keys } = generation
  const { scope, query, now, counter } = asked
  const cursor = query.starting_after === undefined ? undefined : openEventCursor(keys, scope, query.starting_after)
  if (query.starting_after !== undefined && !cursor) {
    refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', 'starting_after')
  }
  if (cursor) throwIfRefused(refuseOldCursor(cursor, now))
  const range = rangeOf(query, cursor, now)
  if (counter === 0 || range.after.position >= counter) return emptyPage
  const seen = cursor ? (generation.caught_up.get(pollName(asked)) ?? 0) : 0
  if (seen >= counter) return emptyPage
  const behind = Math.max(range.after.position, seen)
  const kept = generation.tails.get(scope.account_id)
  if (counter - behind > tailLength && !(kept && coversBehind(kept.tail, range.after, behind))) {
    return readFromDatabase(generation, asked, range)
  }
  if (kept && kept.tail.end >= counter) return readFromTail(generation, kept, asked, range, behind)
  return advanceTail(generation, asked).then((advanced) => readFromTail(generation, advanced, asked, range, behind))
}

function pollName({ scope, sight_name, query }: Asked): string {
  return `${scope.account_id} ${sight_name} ${query.starting_after}`
}

/** Whether the tail holds all that a reader can still get: what it was found to have no part in need not be there. */
function coversBehind(tail: Tail, after: Place, behind: number): boolean {
  return covers(tail, after) || behind >= (tail.positions[0] ?? Number.POSITIVE_INFINITY) - 1
}

function readFromTail(
  generation: Generation,
  kept: KeptTail,
  asked: Asked,
  range: Range,
  behind: number,
): Buffer | Promise<Buffer> {
  const { tail } = kept
  if (!coversBehind(tail, range.after, behind)) return readFromDatabase(generation, asked, range)
  const { account_id, filters } = asked.scope
  // Used last, unless it was evicted while it was read.
  if (generation.tails.get(account_id) === kept) {
    generation.tails.delete(account_id)
    generation.tails.set(account_id, kept)
  }
  const selection = selectEvents(tail, range, asked)
  if (selection.count === 0) noteCaughtUp(generation, asked)
  return renderSelection(tail, selection, filters === noFilters ? undefined : currentKey(generation, asked.scope))
}

async function readFromDatabase(generation: Generation, asked: Asked, range: Range): Promise<Buffer> {
  const { db, scope, sight, limit } = asked
  const wanted = asked.wanted ?? noFilters
  const rows = await store.listEvents(db, scope.account_id, range, { wanted, sight, limit: limit + 1 })
  if (rows.length === 0) noteCaughtUp(generation, asked)
  return renderRows(rows.slice(0, limit), rows.length > limit, currentKey(generation, scope))
}

function noteCaughtUp({ caught_up }: Generation, asked: Asked): void {
  if (asked.query.starting_after !== undefined) caught_up.set(pollName(asked), asked.counter)
}

function currentKey({ keys }: Generation, scope: EventListScope): EventCursorKey {
  return eventCursorKey(keys.current, scope)
}

/** Reads what was appended since the tail was last looked at; all who wait for it share one reading. */
async function advanceTail(generation: Generation, { db, scope, counter }: Asked): Promise<KeptTail> {
  const { account_id } = scope
  const key = currentKey(generation, { account_id, filters: noFilters })
  for (;;) {
    const kept = generation.tails.get(account_id) ?? keepTail(generation, account_id)
    if (kept.tail.end >= counter) return kept
    kept.advancing ??= advance(generation, kept, { db, account_id, counter, key }).finally(() => {
      kept.advancing = undefined
    })
    await kept.advancing
  }
}

type Advance = { db: Db; account_id: string; counter: number; key: EventCursorKey }

async function advance(
  generation: Generation,
  kept: KeptTail,
  { db, account_id, counter, key }: Advance,
): Promise<void> {
  const from = lastPlace(kept.tail)
  if (from && counter - kept.tail.end <= advanceMax) {
    extendTail(kept.tail, await store.listEventsBehind(db, account_id, from, advanceMax), key)
  } else {
    const rows = await store.listNewestEvents(db, account_id, tailLength)
    const tail = emptyTail()
    extendTail(tail, rows, key)
    tail.is_whole = rows.length < tailLength || rows[0]?.position === 1
    kept.tail = tail
  }
  // What was counted and is not there has been purged.
  kept.tail.end = Math.max(kept.tail.end, counter)
  generation.bytes -= kept.size
  kept.size = sizeOfTail(kept.tail)
  generation.bytes += kept.size
  evictTails(generation, account_id)
}

function keepTail({ tails }: Generation, account_id: string): KeptTail {
  const kept = { tail: emptyTail(), size: 0, advancing: undefined }
  tails.set(account_id, kept)
  return kept
}

function evictTails(generation: Generation, except: string): void {
  for (const [account_id, { size, advancing }] of generation.tails) {
    if (generation.bytes <= tailBytesMax) return
    if (advancing || account_id === except) continue
    generation.tails.delete(account_id)
    generation.bytes -= size
  }
}
