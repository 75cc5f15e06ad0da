/**
 * Order books in memory: a cache of the database, validated by the version in the locked row of the book. Behind: the
 * orders that changed since are read. Unknown: all that rest are. A book that was changed by a transaction which came
 * to nothing is thrown away. Within a process one transaction at a time works on a book.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/ctx.ts'
import type { Db } from '../core/db.ts'
import { type Memory, memoryOf } from '../core/memory.ts'
import { refuse } from '../core/refusal.ts'
import { catchUp, loadBook, type StandingRow } from './book.rules.ts'
import type { Book } from './book-state.rules.ts'
import { type BookRow, listBooks, updateBook } from './books.store.ts'
import { lockCapacityWith } from './capacity.service.ts'
import { listChangedOrders, listOpenOrders, type OrderRow } from './orders.store.ts'
import { minuteOf } from './pools.rules.ts'
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
  /** The same book, to be changed: from now on it is thrown away unless the change is stored and committed. */
  begin(): Book<BookOrder>
  /** Says that nothing came of it after all. */
  keep(): void
  /** Raises the version of the row, with the `seq` of the youngest order. */
  store(last_seq: number): Promise<void>
}

type Cached = { readonly book: Book<BookOrder>; readonly born: number; version: number }
type Entry = { cached: Cached | undefined; turn: Promise<void> }

/**
 * Locks the book of a SKU (rank `books`) until the end of the transaction and brings its orders up to date. The time of
 * decisions on it never falls: `now` is raised to that of the last one. What `read` reads travels along.
 */
export async function lockBook<T>(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  read: () => Promise<T>,
): Promise<{ locked: LockedBook; beside: T }> {
  const entry = entryOf(ctx.memory, sku_id)
  // Taken at the place of the row's lock in the order of locks, so that nobody waits here holding what is asked for
  // later.
  const leave = await takeTurn(entry)
  let change: 'none' | 'begun' | 'stored' = 'none'
  let version = 0
  ctx.onEnd((isCommitted) => {
    if (change !== 'none') {
      if (isCommitted && change === 'stored' && entry.cached) entry.cached.version = version
      else entry.cached = undefined
    }
    leave()
  })
  const { cached: before } = entry
  const { row, beside } = await lockCapacityWith(ctx, sku_id, () =>
    Promise.all([before && listChangedOrders(ctx.db, sku_id, before.version), read()]),
  )
  if (!row) refuse('sku_not_available', 'There is no such SKU.', 'sku')
  const cached = await bringUpToDate(ctx.db, before, row, {
    minute: minuteOf(Math.max(ctx.now, row.decided_at)),
    changed: beside[0],
  })
  // A reader may have loaded the book while this waited, at a later time than this command's.
  const now = Math.max(ctx.now, row.decided_at, cached.book.minute * 60)
  cached.version = row.version
  entry.cached = cached
  version = row.version + 1
  const begin = () => {
    change = 'begun'
    return cached.book
  }
  const store = (last_seq: number) => {
    change = 'stored'
    return updateBook(ctx.db, { sku_id, version, last_seq, decided_at: now })
  }
  const keep = () => {
    change = 'none'
  }
  return { locked: { row, book: cached.book, now, next_version: version, begin, keep, store }, beside: beside[1] }
}

/** A book as readers see it: validated like a writer's, without the lock; stale by at most the commits under way. */
export async function readBook(ctx: Ctx, sku_id: Id<'sku'>): Promise<Book<BookOrder> | undefined> {
  const entry = entryOf(ctx.memory, sku_id)
  const leave = await takeTurn(entry)
  try {
    const [row] = await listBooks(ctx.db, [sku_id])
    if (!row) return undefined
    entry.cached = await bringUpToDate(ctx.db, entry.cached, row, { minute: minuteOf(ctx.now) })
    entry.cached.version = row.version
    return entry.cached.book
  } finally {
    leave()
  }
}

/** The books in a server's memory, each at its version: for the simulation, which compares them with what is stored. */
export function cachedBooks({ memory }: { readonly memory: Memory }) {
  const books = memoryOf(memory, 'market.books', () => new Map<string, Entry>())
  return [...books].flatMap(([sku_id, { cached }]) => (cached ? [[sku_id, cached] as const] : []))
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

type Known = { readonly minute: number; readonly changed?: readonly OrderRow[] | undefined }

/** `changed`: the orders that changed since the cached version, where they are read already. */
async function bringUpToDate(
  db: Db,
  cached: Cached | undefined,
  row: BookRow,
  { minute, changed }: Known,
): Promise<Cached> {
  const at = { last_seq: row.last_seq, halted: row.halted }
  // A sandbox's world can end, and the next one have the same SKUs.
  if (!cached || cached.born !== row.born || cached.version > row.version) {
    const rows = (await listOpenOrders(db, row.sku_id)).map(standingRowOf)
    return { book: loadBook(rows, { ...at, minute }), born: row.born, version: row.version }
  }
  if (cached.version < row.version) {
    const rows = changed ?? (await listChangedOrders(db, row.sku_id, cached.version))
    for (const order of rows) {
      const known = cached.book.orders.get(order.id)
      if (known) Object.assign(known.order.record, recordOf(order))
    }
    catchUp(cached.book, rows.map(standingRowOf), at)
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

function entryOf(memory: Memory, sku_id: string): Entry {
  const books = memoryOf(memory, 'market.books', () => new Map<string, Entry>())
  const entry = books.get(sku_id) ?? { cached: undefined, turn: Promise.resolve() }
  books.set(sku_id, entry)
  return entry
}

async function takeTurn(entry: Entry): Promise<() => void> {
  const before = entry.turn
  let leave = () => {}
  entry.turn = new Promise((resolve) => {
    leave = resolve
  })
  await before
  return leave
}
