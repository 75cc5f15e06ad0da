/**
 * Order books in memory: a cache of the database, validated by the version in the locked row of the book. Behind: the
 * orders that changed since are read. Unknown: all that rest are. A book that was changed by a transaction which came
 * to nothing is thrown away. Within a process one transaction at a time works on a book.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Db } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Services } from '../../core/work/services.ts'
import { catchUp, loadBook, type StandingRow } from '../book/book.rules.ts'
import type { Book } from '../book/book-state.rules.ts'
import { type BookRow, bookLock, listBooks, openBooks, updateBook } from '../book/books.store.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { listChangedOrders, listOpenOrders, type OrderRow } from './orders.store.ts'
import { type BookOrder, isOpenRecord, type OrderRecord } from './trading.rules.ts'

/** A locked book: its row, and the orders in memory as they stand at the row's version. */
export type LockedBook = {
  readonly row: BookRow
  /** To look at. */
  readonly book: Book<BookOrder>
  /** When decisions on it are taken, in seconds. */
  readonly now: number
  /** The version that it has after this transaction, if anything changes. */
  readonly next_version: number
  /** The accounts that are known to hold allocation of the SKU; whoever stores a holding adds to them. */
  readonly holders: Set<string>
  /** When minutes fall out of it, as far as this process has seen that planned; for who plans anew. */
  lapse_at: number | undefined
  /** The same book, to be changed: from now on it is thrown away unless the change is stored and committed. */
  begin(): Book<BookOrder>
  /** Says that nothing came of it after all. */
  keep(): void
  /** Raises the version of the row, with the `seq` of the youngest order. */
  store(last_seq: number): Promise<void>
}

/** What is read of a book behind its lock. No row: there is no such SKU. */
export type BookReading = { readonly row: BookRow | undefined; readonly orders: OrderRow[] }

type Cached = {
  readonly book: Book<BookOrder>
  readonly born: number
  readonly holders: Set<string>
  version: number
  lapse_at: number | undefined
}
type Entry = { cached: Cached | undefined; turn: Promise<void>; waiting: number }

/** The books that one server has in memory, by SKU. */
export type BookCache = Map<Id<'sku'>, Entry>

declare module '../../core/work/services.ts' {
  interface Services {
    readonly books: BookCache
  }
}

/**
 * Waits until nobody else of this process works on a book; gives what lets the next one in. Whoever enters has its
 * connection in hand, so that those who wait for the book cannot keep it from one.
 */
export async function enterBook({ books }: Services, sku_id: Id<'sku'>): Promise<() => void> {
  const entry = books.get(sku_id) ?? { cached: undefined, turn: Promise.resolve(), waiting: 0 }
  books.set(sku_id, entry)
  const before = entry.turn
  let end = () => {}
  entry.turn = new Promise((resolve) => {
    end = resolve
  })
  entry.waiting += 1
  await before
  return () => {
    entry.waiting -= 1
    // SKUs that there are not leave nothing behind.
    if (entry.waiting === 0 && !entry.cached) books.delete(sku_id)
    end()
  }
}

/** The book as it was when this process last worked on it: to guess from, not to decide on. The caller has entered. */
export function rememberedBook({ books }: Services, sku_id: Id<'sku'>): Book<BookOrder> | undefined {
  return books.get(sku_id)?.cached?.book
}

/**
 * Sends the lock of a book (rank `books`) and what has to be read behind it: its row, and the orders that changed since
 * this process last saw it, or all that rest. The caller has entered.
 */
export async function readBookLocked({ db, lock, services }: Ctx, sku_id: Id<'sku'>): Promise<BookReading> {
  const cached = services.books.get(sku_id)?.cached
  const [, , [row], orders] = await Promise.all([
    // Nobody may have traded on it yet.
    cached ? undefined : openBooks(db, [sku_id]),
    lock(bookLock, [sku_id]),
    listBooks(db, [sku_id]),
    cached ? listChangedOrders(db, sku_id, cached.version) : listOpenOrders(db, sku_id),
  ])
  return { row, orders }
}

/**
 * Brings the orders of a locked book up to date with what was read behind its lock. The time of decisions on it never
 * falls: `now` is raised to that of the last one.
 */
export async function openLockedBook(
  ctx: Ctx,
  { row, orders }: { row: BookRow; orders: readonly OrderRow[] },
): Promise<LockedBook> {
  const { sku_id } = row
  const entry = ctx.services.books.get(sku_id) as Entry
  let change: 'none' | 'begun' | 'stored' = 'none'
  const next_version = row.version + 1
  const minute = minuteOf(Math.max(ctx.now, row.decided_at))
  const cached = await bringUpToDate(ctx.db, entry.cached, row, { minute, orders })
  // A reader may have loaded the book while this waited, at a later time than this command's.
  const now = Math.max(ctx.now, row.decided_at, cached.book.minute * 60)
  cached.version = row.version
  entry.cached = cached
  const locked: LockedBook = {
    ...{ row, book: cached.book, now, next_version, holders: cached.holders, lapse_at: cached.lapse_at },
    begin: () => {
      change = 'begun'
      return cached.book
    },
    store: (last_seq) => {
      change = 'stored'
      return updateBook(ctx.db, { sku_id, version: next_version, last_seq, decided_at: now })
    },
    keep: () => {
      change = 'none'
    },
  }
  ctx.onEnd((isCommitted) => {
    if (change === 'none') return
    if (isCommitted && change === 'stored') {
      cached.version = next_version
      cached.lapse_at = locked.lapse_at
    } else entry.cached = undefined
  })
  return locked
}

/** A book as readers see it: validated like a writer's, without the lock; stale by at most the commits under way. */
export async function readBook(ctx: Ctx, sku_id: Id<'sku'>): Promise<Book<BookOrder> | undefined> {
  const leave = await enterBook(ctx.services, sku_id)
  try {
    const [row] = await listBooks(ctx.db, [sku_id])
    if (!row) return undefined
    const entry = ctx.services.books.get(sku_id) as Entry
    entry.cached = await bringUpToDate(ctx.db, entry.cached, row, { minute: minuteOf(ctx.now), orders: undefined })
    entry.cached.version = row.version
    return entry.cached.book
  } finally {
    leave()
  }
}

/** The books in a server's memory, each at its version: for the simulation, which compares them with what is stored. */
export function cachedBooks({ services }: { readonly services: Services }) {
  return [...services.books].flatMap(([sku_id, { cached }]) => (cached ? [[sku_id, cached] as const] : []))
}

/** An order as the book carries it. */
export function bookOrderOf(row: OrderRow): BookOrder {
  const { id, account_id, side, price_micros, seq, start_minute, end_minute, node_count } = row
  const { allow_standing, allow_partial } = row
  return {
    ...{ id, account_id, side, price_micros, seq, start_minute, end_minute, node_count, allow_standing, allow_partial },
    record: recordOf(row),
  }
}

type Known = { readonly minute: number; readonly orders: readonly OrderRow[] | undefined }

/** `orders`: those that changed since the cached version, or without one all that rest, where they are read already. */
async function bringUpToDate(
  db: Db,
  cached: Cached | undefined,
  row: BookRow,
  { minute, orders }: Known,
): Promise<Cached> {
  const at = { last_seq: row.last_seq, halted: row.halted }
  // A sandbox's world can end, and the next one have the same SKUs.
  if (!cached || cached.born !== row.born || cached.version > row.version) {
    const rows = (cached ? undefined : orders) ?? (await listOpenOrders(db, row.sku_id))
    const book = loadBook(rows.map(standingRowOf), { ...at, minute })
    return { book, born: row.born, holders: new Set(), version: row.version, lapse_at: undefined }
  }
  if (cached.version < row.version) {
    const rows = orders ?? (await listChangedOrders(db, row.sku_id, cached.version))
    for (const order of rows) {
      const known = cached.book.orders.get(order.id)
      if (known) Object.assign(known.order.record, recordOf(order))
    }
    catchUp(cached.book, rows.map(standingRowOf), at)
    // Whoever changed it may have planned another time.
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
  const { id, pool_id, workspace_id, state, remaining, filled, lapsed, filled_node_minutes, filled_value_micros } = row
  const { filled_at, cancelled_at, cancel_reason } = row
  return {
    ...{ id, pool_id, workspace_id, state, remaining, filled, lapsed, filled_node_minutes, filled_value_micros },
    ...{ filled_at, cancelled_at, cancel_reason },
  }
}
