/**
 * The list of SKUs, served from memory. The SKUs are read once for each version of the catalog, each SKU is rendered
 * once, and each page is cached as bytes. A shared read of versions validates the cache, so no replica serves a stale
 * page.
 */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { listSkus as listContract } from '@bourse/api/market/skus.ts'
import { createRecentCache, type RecentCache } from '../../core/base/recent-cache.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Database } from '../../core/db/db.ts'
import type { RememberedValue } from '../../core/db/history.ts'
import type { ReaderInput } from '../../core/http/handlers.ts'
import type { Bytes } from '../../core/http/rendering.ts'
import type { CursorKeys } from '../../core/keys/keys.ts'
import { type ListScope, openListCursor, type SortKeys, sealListCursor } from '../../core/keys/list-cursor.ts'
import { refuseBothCursors } from '../../core/work/page.ts'
import { cursorKeysAt, cursorKeysVersion } from '../../events/log/cursor-keys.service.ts'
import type { AccountSkuRow } from './skus.rules.ts'
import { accountSkusVersion, listVisibleSkus, presentSku, skusVersion } from './skus.service.ts'

type SkusQuery = Input<typeof listContract>['query']

/** The SKUs that an account sees, in list order, each with its JSON. */
type View = readonly { readonly row: AccountSkuRow; readonly json: Buffer }[]

/**
 * A cached page without its head, because the head holds a cursor that differs by account. `market` and `own` are the
 * versions of the catalog and of the account's overrides that it was rendered from.
 */
type CachedPage = {
  readonly market: number
  readonly own: number
  readonly body: Buffer
  readonly bounds: SkuBounds | undefined
}
/** The head of a page for one account, and the versions that it was rendered from. */
type CachedLead = { readonly market: number; readonly own: number; readonly keys: number; readonly lead: string }
type SkuBounds = { readonly first: SortKeys; readonly last: SortKeys }

/** The pages of SKUs that one server has in memory. */
type SkuPageCache = {
  /** The view of accounts without overrides or holdings. */
  plain: { readonly version: number; readonly view: View } | undefined
  readonly pages: RecentCache<string, CachedPage>
  readonly leads: RecentCache<string, CachedLead>
}

const defaultLimit = 50
/** The most bytes that pages of all accounts take. */
const pageBytesMax = 32 * 1024 * 1024
const leadsMax = 16_384
const comma = Buffer.from(',')

declare module '../../core/work/services.ts' {
  interface Services {
    readonly sku_pages: RememberedValue<SkuPageCache>
  }
}

/** Makes the cache of a server, empty. */
export function createSkuPageCache(): SkuPageCache {
  const pages = createRecentCache<string, CachedPage>(pageBytesMax, ({ body }) => body.length)
  return { plain: undefined, pages, leads: createRecentCache(leadsMax) }
}

/** One page of the SKUs that the caller's account sees, as bytes. */
export async function readSkuPage(
  { runtime, caller, query_text }: ReaderInput,
  { query }: { query: SkusQuery },
): Promise<Bytes> {
  const { services } = runtime
  const { account_id } = caller
  const ownVersion = accountSkusVersion(account_id)
  const snapshot = await services.readSnapshot({ versions: [skusVersion, ownVersion, cursorKeysVersion] })
  const market = snapshot.version(skusVersion)
  const own = snapshot.version(ownVersion)
  const sealedUnder = snapshot.version(cursorKeysVersion)
  const cache = services.sku_pages.current
  const { pages, leads } = cache
  const name = `${account_id} ${query_text}`
  const pageName = own === 0 ? query_text : name
  const page = pages.get(pageName)
  const isPageGood = page?.market === market && page.own === own
  const cached = isPageGood ? leads.get(name) : undefined
  if (isPageGood && cached?.market === market && cached.own === own && cached.keys === sealedUnder) {
    return { body: page.body, lead: cached.lead }
  }
  const { keys } = await cursorKeysAt(services.cursor_keys, sealedUnder)
  const scope = scopeOf(account_id, query)
  const made = await makePage(runtime.database, cache, { account_id, query, market, own }, { keys, scope })
  const lead = leadOf(made.bounds && sealListCursor(keys, scope, made.bounds))
  pages.set(pageName, made)
  leads.set(name, { market, own, keys: sealedUnder, lead })
  return { body: made.body, lead }
}

type SkuPageInput = {
  readonly account_id: string
  readonly query: SkusQuery
  readonly market: number
  readonly own: number
}

async function makePage(
  database: Database,
  cache: SkuPageCache,
  { account_id, query, market, own }: SkuPageInput,
  sealed: Sealed,
) {
  const view = own === 0 ? await plainView(database, cache, market) : await viewOf(database, account_id)
  return { market, own, ...renderPage(view, query, sealed) }
}

async function plainView(database: Database, cache: SkuPageCache, version: number): Promise<View> {
  if (cache.plain?.version === version) return cache.plain.view
  // Read after the version, so the cached view is at least as new as its version. No account has the empty id.
  const view = await viewOf(database, '')
  if (cache.plain === undefined || cache.plain.version < version) cache.plain = { version, view }
  return view
}

async function viewOf({ reader }: Database, account_id: string): Promise<View> {
  const rows = await listVisibleSkus(reader, account_id)
  return rows.map((row) => ({ row, json: Buffer.from(JSON.stringify(presentSku(row))) }))
}

type Sealed = { readonly keys: CursorKeys; readonly scope: ListScope }

function scopeOf(account_id: string, { include_deleted = false }: SkusQuery): ListScope {
  return { prefix: 'skuc', list: 'skuc', account_id, filters: { include_deleted: String(include_deleted) } }
}

function renderPage(view: View, query: SkusQuery, { keys, scope }: Sealed): Pick<CachedPage, 'body' | 'bounds'> {
  const { limit = defaultLimit, starting_after, ending_before, include_deleted = false } = query
  refuseBothCursors(query)
  const shown = include_deleted ? view : view.filter(({ row }) => row.deleted_at === null)
  const from = starting_after === undefined ? 0 : firstBehind(shown, boundsOf(keys, scope, { starting_after }).last)
  const to = ending_before === undefined ? shown.length : firstAt(shown, boundsOf(keys, scope, { ending_before }).first)
  const isBackward = ending_before !== undefined
  const page = isBackward ? shown.slice(Math.max(0, to - limit), to) : shown.slice(from, from + limit)
  const hasMore = isBackward ? to > limit : from + limit < to
  const [first] = page
  const last = page.at(-1)
  const bounds = first && last && { first: keysOf(first.row), last: keysOf(last.row) }
  return { body: joinPage(page, hasMore), bounds }
}

function joinPage(page: View, hasMore: boolean): Buffer {
  const parts: Buffer[] = []
  for (const [i, { json }] of page.entries()) {
    if (i > 0) parts.push(comma)
    parts.push(json)
  }
  parts.push(Buffer.from(`],"has_more":${hasMore}}`))
  return Buffer.concat(parts)
}

/** The head of a page, which comes before the cached bytes. */
function leadOf(cursor: string | undefined): string {
  return `{"object":"list",${cursor === undefined ? '' : `"cursor":"${cursor}",`}"data":[`
}

function boundsOf(keys: CursorKeys, scope: ListScope, sent: Pick<SkusQuery, 'starting_after' | 'ending_before'>) {
  const [[field, cursor] = ['', '']] = Object.entries(sent)
  return (
    openListCursor(keys, scope, cursor) ??
    refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', field)
  )
}

function keysOf({ created_at, id }: AccountSkuRow): SortKeys {
  return [created_at, id]
}

function compare(row: AccountSkuRow, [createdAt, id]: SortKeys): number {
  if (row.created_at !== createdAt) return row.created_at - Number(createdAt)
  return row.id === id ? 0 : row.id < String(id) ? -1 : 1
}

/** Index of the first row after these sort keys. The row that they came from may be deleted. */
function firstBehind(view: View, keys: SortKeys): number {
  const at = view.findIndex(({ row }) => compare(row, keys) > 0)
  return at < 0 ? view.length : at
}

function firstAt(view: View, keys: SortKeys): number {
  const at = view.findIndex(({ row }) => compare(row, keys) >= 0)
  return at < 0 ? view.length : at
}
