/**
 * The list of SKUs, served from memory: the market is read once for each state of the catalogue, each SKU rendered
 * once, and each page kept as it was sent. One shared read of versions says whether that still holds, so no replica
 * shows an old page.
 */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { listSkus as listContract } from '@bourse/api/market/skus.ts'
import type { Database } from '../core/db.ts'
import type { CursorKeys } from '../core/keys.ts'
import { type ListScope, openListCursor, type SortKeys, sealListCursor } from '../core/list-cursor.ts'
import { refuse } from '../core/refusal.ts'
import type { Bytes, Reading } from '../core/routes.ts'
import { cursorKeysAt, cursorKeysVersion } from '../events/cursor-keys.service.ts'
import { accountSkusVersion, presentSku, skusVersion } from './skus.service.ts'
import { listSeenSkus, type SeenSkuRow } from './skus.store.ts'

type Query = Input<typeof listContract>['query']

/** SKUs that somebody sees, in list order, each with its JSON. */
type View = readonly { readonly row: SeenSkuRow; readonly json: Buffer }[]

/** A page as it was sent, and the versions that it was made at. */
type KeptPage = Bytes & { readonly market: number; readonly own: number; readonly keys: number }

type Shelf = {
  /** What accounts see that have nothing of their own. */
  plain: { readonly version: number; readonly view: View } | undefined
  /** Least recently used first. */
  readonly pages: Map<string, KeptPage>
  bytes: number
}

const defaultLimit = 50
/** Pages of all accounts together. */
const pageBytesMax = 32 * 1024 * 1024
const shelves = new WeakMap<Database, Shelf>()
const comma = Buffer.from(',')

/** One page of the SKUs that the caller's account sees, as bytes. */
export async function readSkuPage(
  { runtime, caller, query_text }: Reading,
  { query }: { query: Query },
): Promise<Bytes> {
  const { account_id } = caller
  const ownVersion = accountSkusVersion(account_id)
  const pulse = await runtime.pulse({ versions: [skusVersion, ownVersion, cursorKeysVersion] })
  const market = pulse.version(skusVersion)
  const own = pulse.version(ownVersion)
  const sealedUnder = pulse.version(cursorKeysVersion)
  const shelf = shelfOf(runtime.database)
  const name = `${account_id} ${query_text}`
  const kept = shelf.pages.get(name)
  if (kept?.market === market && kept.own === own && kept.keys === sealedUnder) {
    shelf.pages.delete(name)
    shelf.pages.set(name, kept)
    return kept
  }
  const { database } = runtime
  const view = own === 0 ? await plainView(database, shelf, market) : await viewOf(database, account_id)
  const { keys } = await cursorKeysAt(database, sealedUnder)
  const body = renderPage(view, query, { keys, account_id })
  keepPage(shelf, name, { body, market, own, keys: sealedUnder })
  return { body }
}

function shelfOf(database: Database): Shelf {
  const known = shelves.get(database)
  if (known) return known
  const shelf: Shelf = { plain: undefined, pages: new Map(), bytes: 0 }
  shelves.set(database, shelf)
  return shelf
}

async function plainView(database: Database, shelf: Shelf, version: number): Promise<View> {
  if (shelf.plain?.version === version) return shelf.plain.view
  // Read after the version, so what is kept under it is at least as new. No account has the empty id.
  const view = await viewOf(database, '')
  if (shelf.plain === undefined || shelf.plain.version < version) shelf.plain = { version, view }
  return view
}

async function viewOf({ reader }: Database, account_id: string): Promise<View> {
  const rows = await listSeenSkus(reader, account_id)
  const seen = rows.filter(({ is_visible }) => is_visible)
  return seen.map((row) => ({ row, json: Buffer.from(JSON.stringify(presentSku(row))) }))
}

function keepPage(shelf: Shelf, name: string, page: KeptPage): void {
  shelf.bytes += page.body.length - (shelf.pages.get(name)?.body.length ?? 0)
  shelf.pages.delete(name)
  shelf.pages.set(name, page)
  for (const [oldest, { body }] of shelf.pages) {
    if (shelf.bytes <= pageBytesMax) return
    shelf.pages.delete(oldest)
    shelf.bytes -= body.length
  }
}

function renderPage(view: View, query: Query, { keys, account_id }: { keys: CursorKeys; account_id: string }): Buffer {
  const { limit = defaultLimit, starting_after, ending_before, include_deleted = false } = query
  if (starting_after !== undefined && ending_before !== undefined) {
    refuse('mutually_exclusive', 'Give either starting_after or ending_before.', 'ending_before')
  }
  const filters = { include_deleted: String(include_deleted) }
  const scope: ListScope = { prefix: 'skuc', list: 'skuc', account_id, filters }
  const shown = include_deleted ? view : view.filter(({ row }) => row.deleted_at === null)
  const from = starting_after === undefined ? 0 : firstBehind(shown, endsOf(keys, scope, { starting_after }).last)
  const to = ending_before === undefined ? shown.length : firstAt(shown, endsOf(keys, scope, { ending_before }).first)
  const isBackward = ending_before !== undefined
  const page = isBackward ? shown.slice(Math.max(0, to - limit), to) : shown.slice(from, from + limit)
  const has_more = isBackward ? to > limit : from + limit < to
  const [first] = page
  const last = page.at(-1)
  const ends = first && last && { first: keysOf(first.row), last: keysOf(last.row) }
  return joinPage(page, has_more, ends && sealListCursor(keys, scope, ends))
}

function joinPage(page: View, has_more: boolean, cursor: string | undefined): Buffer {
  const parts: Buffer[] = [Buffer.from('{"object":"list","data":[')]
  for (const [i, { json }] of page.entries()) {
    if (i > 0) parts.push(comma)
    parts.push(json)
  }
  parts.push(Buffer.from(`],"has_more":${has_more}${cursor === undefined ? '' : `,"cursor":"${cursor}"`}}`))
  return Buffer.concat(parts)
}

function endsOf(keys: CursorKeys, scope: ListScope, sent: Pick<Query, 'starting_after' | 'ending_before'>) {
  const [[field, cursor] = ['', '']] = Object.entries(sent)
  return (
    openListCursor(keys, scope, cursor) ??
    refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', field)
  )
}

function keysOf({ created_at, id }: SeenSkuRow): SortKeys {
  return [created_at, id]
}

function compare(row: SeenSkuRow, [created_at, id]: SortKeys): number {
  if (row.created_at !== created_at) return row.created_at - Number(created_at)
  return row.id === id ? 0 : row.id < String(id) ? -1 : 1
}

/** Place of the first row behind these sort keys; the row that they came from may be gone. */
function firstBehind(view: View, keys: SortKeys): number {
  const at = view.findIndex(({ row }) => compare(row, keys) > 0)
  return at < 0 ? view.length : at
}

function firstAt(view: View, keys: SortKeys): number {
  const at = view.findIndex(({ row }) => compare(row, keys) >= 0)
  return at < 0 ? view.length : at
}
