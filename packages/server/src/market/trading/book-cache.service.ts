/**
 * Order books in memory: a cache of the database, validated by the version in the row of the book. If the cached book
 * is older, the orders that changed since are read. If there is none, all resting orders are read. A book that was
 * changed by a transaction that did not commit is discarded. Within a process one transaction at a time uses a book.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { monotonicMilliseconds } from '../../core/base/clock.ts'
import { unavailable } from '../../core/db/db.ts'
import type { RememberedValue } from '../../core/db/history.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Services } from '../../core/work/services.ts'
import { catchUp, loadBook, type StandingRow } from '../book/book.rules.ts'
import type { Book } from '../book/book-state.rules.ts'
import { bestPrices, restingCounts } from '../book/book-views.rules.ts'
import type { BookRow } from '../book/books.rules.ts'
import { findBook, lockBook, openBook } from '../book/books.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { listChangedOrders, listOpenOrders, updateBook } from './book-cache.store.ts'
import { type BookOrder, isOpenRecord, type OrderRecord, type OrderRow } from './trading.rules.ts'

/** A locked book: its row, and the orders in memory at the row's version. */
export type LockedBook = {
  readonly row: BookRow
  /** For reading only. */
  readonly book: Book<BookOrder>
  /** The time of decisions on the book, in seconds. */
  readonly now: number
  /** The version of the book after this transaction, if anything changes. */
  readonly next_version: number
  /** The accounts known to hold allocation of the SKU. Code that stores a holding adds to them. */
  readonly holders: Set<string>
  /** When the next minutes of the book expire, as far as this process knows of a due row for it. */
  lapse_at: number | undefined
  /** The same book for changes. From now on it is discarded unless the change is stored and committed. */
  begin(): Book<BookOrder>
  /** Reports that the book did not change after {@link begin}. */
  keep(): void
  /** Raises the version of the row, with the `seq` of the youngest order. */
  store(last_seq: number): Promise<void>
}

/**
 * What is read of a book behind its lock. Without a row the SKU does not exist. The orders are those that changed since
 * the cached book `since`, or all resting ones.
 */
export type BookReading = {
  readonly row: BookRow | undefined
  readonly orders: OrderRow[]
  readonly since: Cached | undefined
}

type Cached = {
  readonly book: Book<BookOrder>
  readonly born: number
  readonly holders: Set<string>
  version: number
  lapse_at: number | undefined
  /** The last view that was read of it, and of what state. */
  view: CachedView | undefined
}
/** What was read of a book at a version, and when, in milliseconds of the monotonic clock. */
type CachedView = { readonly name: string; readonly version: number; readonly at: number; readonly value: unknown }
type CachedBook = { cached: Cached | undefined; turn: Promise<void>; waiting: number }

/** The books that one server has in memory, by SKU. */
type BookCache = Map<Id<'sku'>, CachedBook>

/** How often a book was used as it was cached, brought up to date, or loaded whole. */
type BookReads = Record<'current' | 'caught_up' | 'loaded', number>

/** Creates the cache of a server, empty. */
export function createBookCache(): BookCache {
  return new Map()
}

declare module '../../core/work/services.ts' {
  interface Services {
    readonly books: RememberedValue<BookCache>
    readonly book_reads: BookReads
  }
}

/**
 * Waits until no other transaction of this process works on a book; returns the function that admits the next one. The
 * caller already has its connection: transactions that wait for the book cannot use up the connections that the one
 * inside needs.
 */
export async function enterBook(services: Services, sku_id: Id<'sku'>): Promise<() => void> {
  const books = services.books.current
  const entry = entryOf(books, sku_id)
  const before = entry.turn
  let end = () => {}
  entry.turn = new Promise((resolve) => {
    end = resolve
  })
  entry.waiting += 1
  await before
  return () => {
    entry.waiting -= 1
    // An entry without a book stays only while a transaction waits for it, so unknown SKUs take no memory.
    if (entry.waiting === 0 && !entry.cached) books.delete(sku_id)
    end()
  }
}

function entryOf(books: BookCache, sku_id: Id<'sku'>): CachedBook {
  const known = books.get(sku_id)
  if (known) return known
  const entry: CachedBook = { cached: undefined, turn: Promise.resolve(), waiting: 0 }
  books.set(sku_id, entry)
  return entry
}

/** The book as this process last saw it, for forecasts only. The caller has entered the book. */
export function rememberedBook({ books }: Services, sku_id: Id<'sku'>): Book<BookOrder> | undefined {
  return books.current.get(sku_id)?.cached?.book
}

/**
 * Locks a book (rank `books`) and reads behind the lock: its row, and the orders that changed since this process last
 * saw it, or all resting orders. All statements are sent at once. The caller has entered the book.
 */
export async function readBookLocked(ctx: Ctx, sku_id: Id<'sku'>): Promise<BookReading> {
  const { db, services } = ctx
  const cached = services.books.current.get(sku_id)?.cached
  const [, row, orders] = await Promise.all([
    // The first order of a SKU finds no row.
    cached ? undefined : openBook(ctx, sku_id),
    lockBook(ctx, sku_id),
    cached ? listChangedOrders(db, sku_id, cached.version) : listOpenOrders(db, sku_id),
  ])
  return { row, orders, since: cached }
}

/**
 * Brings a cached book up to date with what was read behind its lock. The time of decisions on a book never decreases:
 * `now` is at least the time of the last decision.
 */
export async function openLockedBook(ctx: Ctx, row: BookRow, reading: BookReading): Promise<LockedBook> {
  const { sku_id } = row
  const entry = entryOf(ctx.services.books.current, sku_id)
  refuseIfBehind(ctx, entry.cached, row)
  // Since the read, the history of the database may have changed, and the cached book with it.
  const orders = reading.since === entry.cached ? reading.orders : undefined
  let change: 'none' | 'begun' | 'stored' = 'none'
  const next_version = row.version + 1
  const minute = minuteOf(Math.max(ctx.now, row.decided_at))
  const cached = await bringUpToDate(ctx, entry.cached, row, { minute, orders })
  // A reader can have loaded the book at a later time than this command's, while the command waited.
  const now = Math.max(ctx.now, row.decided_at, cached.book.minute * 60)
  cached.version = row.version
  entry.cached = cached
  const locked: LockedBook = {
    row,
    book: cached.book,
    now,
    next_version,
    holders: cached.holders,
    lapse_at: cached.lapse_at,
    begin: () => {
      change = 'begun'
      return cached.book
    },
    store: (last_seq) => {
      change = 'stored'
      const { book } = cached
      const from = minuteOf(now)
      return updateBook(ctx.db, {
        sku_id,
        version: next_version,
        last_seq,
        decided_at: now,
        resting: restingCounts(book),
        best: bestPrices(book, { from, to: from + 60 }),
      })
    },
    keep: () => {
      change = 'none'
    },
  }
  ctx.onFinish((isCommitted) => {
    if (change === 'none') return
    if (isCommitted && change === 'stored') {
      cached.version = next_version
      cached.lapse_at = locked.lapse_at
    } else entry.cached = undefined
  })
  return locked
}

/** A book for readers, validated by its version without the lock. It lacks at most the commits that are in flight. */
export async function readBook(ctx: Ctx, sku_id: Id<'sku'>): Promise<Book<BookOrder> | undefined> {
  return readCurrent(ctx, sku_id, ({ book }) => book)
}

/**
 * A view of a book for readers. One is remembered for each book: it is made again for another name, which says all that
 * the view depends on besides the orders, and where the book has changed. To make it costs a walk of all offers, so
 * that of a great book which changes all the time is used for a while: then the walks take a bounded share of the
 * time, whoever reads and however often.
 */
export async function readBookView<V>(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  name: string,
  viewOf: (book: Book<BookOrder>) => V,
): Promise<{ readonly book: Book<BookOrder>; readonly view: V } | undefined> {
  return readCurrent(ctx, sku_id, (cached) => {
    const { book, version, view: last } = cached
    const now = monotonicMilliseconds()
    const isGood = last?.version === version || (last && now - last.at < viewMillisecondsOf(book))
    if (isGood && last.name === name) return { book, view: last.value as V }
    const value = viewOf(book)
    cached.view = { name, version, at: now, value }
    return { book, view: value }
  })
}

/** How long a view of a book that has changed is good: some twenty times as long as it takes to make. */
function viewMillisecondsOf(book: Book<BookOrder>): number {
  const { buy, sell } = restingCounts(book)
  return Math.floor((buy + sell) / 1_000) * 40
}

/** Reads within the turn of the book, in which no transaction changes it. */
async function readCurrent<T>(ctx: Ctx, sku_id: Id<'sku'>, read: (cached: Cached) => T): Promise<T | undefined> {
  const leave = await enterBook(ctx.services, sku_id)
  try {
    const row = await findBook(ctx, sku_id)
    if (!row) return undefined
    const entry = entryOf(ctx.services.books.current, sku_id)
    refuseIfBehind(ctx, entry.cached, row)
    entry.cached = await bringUpToDate(ctx, entry.cached, row, { minute: minuteOf(ctx.now), orders: undefined })
    entry.cached.version = row.version
    return read(entry.cached)
  } finally {
    leave()
  }
}

/** The cached books with their versions. The simulation compares them with the database. */
export function cachedBooks({ services }: { readonly services: Services }) {
  return [...services.books.current].flatMap(([sku_id, { cached }]) => (cached ? [[sku_id, cached] as const] : []))
}

/** The order of a row, as the book holds it. */
export function bookOrderOf(row: OrderRow): BookOrder {
  return {
    id: row.id,
    account_id: row.account_id,
    side: row.side,
    price_micros: row.price_micros,
    seq: row.priority_seq ?? row.seq,
    start_minute: row.start_minute,
    end_minute: row.end_minute,
    node_count: row.node_count,
    allow_standing: row.allow_standing,
    allow_partial: row.allow_partial,
    ...(row.requested ? { requested: row.requested } : {}),
    filled_before: row.filled_before,
    record: recordOf(row),
  }
}

/** A version below one that was read before proves that the database has lost commits. */
function refuseIfBehind({ services }: Ctx, cached: Cached | undefined, row: BookRow): void {
  if (!cached || cached.born !== row.born || cached.version <= row.version) return
  const lost = `The order book of ${row.sku_id} had version ${cached.version} and has version ${row.version} now.`
  services.recordLoss(lost)
  throw unavailable()
}

type KnownOrders = { readonly minute: number; readonly orders: readonly OrderRow[] | undefined }

/** `orders` are those that changed since the cached version, or all resting ones without a cached book, if read. */
async function bringUpToDate(
  { db, services: { book_reads } }: Pick<Ctx, 'db' | 'services'>,
  cached: Cached | undefined,
  row: BookRow,
  { minute, orders }: KnownOrders,
): Promise<Cached> {
  const at = { last_seq: row.last_seq, halted: row.halted }
  // A reset of the sandbox starts a new world, which can have the same SKUs.
  if (!cached || cached.born !== row.born) {
    book_reads.loaded += 1
    const rows = (cached ? undefined : orders) ?? (await listOpenOrders(db, row.sku_id))
    const book = loadBook(rows.map(standingRowOf), { ...at, minute })
    return { book, born: row.born, holders: new Set(), version: row.version, lapse_at: undefined, view: undefined }
  }
  book_reads[cached.version < row.version ? 'caught_up' : 'current'] += 1
  if (cached.version < row.version) {
    const rows = orders ?? (await listChangedOrders(db, row.sku_id, cached.version))
    for (const order of rows) {
      const known = cached.book.orders.get(order.id)
      if (known) Object.assign(known.order.record, recordOf(order))
    }
    catchUp(cached.book, rows.map(standingRowOf), at)
    // Another process changed the book and can have moved its due row.
    cached.lapse_at = undefined
  }
  cached.book.halted = row.halted
  return cached
}

function standingRowOf(row: OrderRow): StandingRow<BookOrder> {
  const remaining = isOpenRecord(row) ? row.remaining : []
  return { order: bookOrderOf(row), remaining, lapsed: row.lapsed }
}

function recordOf(row: OrderRow): OrderRecord {
  return {
    id: row.id,
    pool_id: row.pool_id,
    workspace_id: row.workspace_id,
    state: row.state,
    remaining: row.remaining,
    filled: row.filled,
    lapsed: row.lapsed,
    filled_node_minutes: row.filled_node_minutes,
    filled_value_micros: row.filled_value_micros,
    filled_cut_sixtieths: row.filled_cut_sixtieths,
    filled_at: row.filled_at,
    cancelled_at: row.cancelled_at,
    cancel_reason: row.cancel_reason,
    amended_by: row.amended_by,
  }
}
