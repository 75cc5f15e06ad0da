/**
 * The list of SKUs, served from memory: what an account sees is read once for each state of the catalogue, and every
 * page of it rendered once. One shared read of versions says whether that still holds, so no replica shows an old page.
 */

import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { listSkus as listContract } from '@bourse/api/market/skus.ts'
import type { Database } from '../core/db.ts'
import type { CursorKeys } from '../core/keys.ts'
import { openListCursor, sealListCursor } from '../core/list-cursor.ts'
import { createRecentCache, type RecentCache } from '../core/recent-cache.ts'
import { refuse } from '../core/refusal.ts'
import type { Bytes, Reading } from '../core/routes.ts'
import { cursorKeysAt, cursorKeysVersion } from '../events/cursor-keys.service.ts'
import { accountSkusVersion, presentSku, skusVersion } from './skus.service.ts'
import { listSeenSkus, type SeenSkuRow } from './skus.store.ts'

type Query = Input<typeof listContract>['query']
type Seen = { readonly state: string; readonly rows: readonly SeenSkuRow[]; readonly pages: RecentCache<string, Bytes> }

const defaultLimit = 50
const accountsMax = 1_000
const pagesMax = 64
const caches = new WeakMap<Database, RecentCache<string, Seen>>()

/** One page of the SKUs that the caller's account sees, as bytes. */
export async function readSkuPage(reading: Reading, { query }: { query: Query }): Promise<Bytes> {
  const { runtime, caller, query_text } = reading
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    refuse('mutually_exclusive', 'Give either starting_after or ending_before.', 'ending_before')
  }
  const versions = [skusVersion, accountSkusVersion(caller.account_id), cursorKeysVersion]
  const pulse = await runtime.pulse({ versions })
  const state = versions.map((name) => pulse.version(name)).join(' ')
  const seen = await seenBy(runtime.database, caller.account_id, state)
  const ready = seen.pages.get(query_text)
  if (ready) return ready
  const { keys } = await cursorKeysAt(runtime.database, pulse.version(cursorKeysVersion))
  const page = renderPage(seen.rows, query, { keys, account_id: caller.account_id })
  seen.pages.set(query_text, page)
  return page
}

async function seenBy(database: Database, account_id: string, state: string): Promise<Seen> {
  const cache = caches.get(database) ?? createRecentCache<string, Seen>(accountsMax)
  caches.set(database, cache)
  const known = cache.get(account_id)
  if (known?.state === state) return known
  // Read after the versions, so what is kept under this state is at least as new.
  const rows = (await listSeenSkus(database.reader, account_id)).filter(({ is_visible }) => is_visible)
  const seen = { state, rows, pages: createRecentCache<string, Bytes>(pagesMax) }
  cache.set(account_id, seen)
  return seen
}

function renderPage(
  rows: readonly SeenSkuRow[],
  query: Query,
  { keys, account_id }: { keys: CursorKeys; account_id: string },
): Bytes {
  const { limit = defaultLimit, starting_after, ending_before, include_deleted = false } = query
  const scope = { prefix: 'skuc', list: 'skuc', account_id, filters: { include_deleted: String(include_deleted) } }
  const shown = include_deleted ? rows : rows.filter(({ deleted_at }) => deleted_at === null)
  const ends = [starting_after, ending_before].map((cursor, index) => {
    if (cursor === undefined) return undefined
    const opened = openListCursor(keys, scope, cursor)
    const field = index === 0 ? 'starting_after' : 'ending_before'
    return opened ?? refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', field)
  })
  const from = ends[0] ? firstBehind(shown, ends[0].last) : 0
  const to = ends[1] ? firstAt(shown, ends[1].first) : shown.length
  const data = ends[1] ? shown.slice(Math.max(0, to - limit), to) : shown.slice(from, from + limit)
  const has_more = ends[1] ? to - limit > 0 : from + limit < to
  const [first] = data
  const last = data.at(-1)
  const cursor =
    first && last ? { cursor: sealListCursor(keys, scope, { first: keysOf(first), last: keysOf(last) }) } : {}
  return { body: Buffer.from(JSON.stringify({ object: 'list', has_more, data: data.map(presentSku), ...cursor })) }
}

function keysOf({ created_at, id }: SeenSkuRow): [number, string] {
  return [created_at, id]
}

function compare(row: SeenSkuRow, [created_at, id]: readonly (string | number)[]): number {
  if (row.created_at !== created_at) return row.created_at - (created_at as number)
  return row.id === id ? 0 : row.id < (id as string) ? -1 : 1
}

/** Place of the first row behind these sort keys; the row that they came from may be gone. */
function firstBehind(rows: readonly SeenSkuRow[], keys: readonly (string | number)[]): number {
  const at = rows.findIndex((row) => compare(row, keys) > 0)
  return at < 0 ? rows.length : at
}

function firstAt(rows: readonly SeenSkuRow[], keys: readonly (string | number)[]): number {
  const at = rows.findIndex((row) => compare(row, keys) >= 0)
  return at < 0 ? rows.length : at
}
