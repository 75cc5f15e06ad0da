import { type Db, statement } from '../../core/db/db.ts'
import type { BookRow } from '../book/books.rules.ts'
import { isOpenSql, type OrderRow, orderColumns } from './trading.rules.ts'

/** Rows of one statement. It keeps the load of a book of any size far below the statement timeout. */
const openPage = 20_000

// The partial index on open orders by (sku_id, seq) serves this.
const selectOpen = statement<OrderRow>(
  'market.list_open_orders',
  `select ${orderColumns}
   from orders o
   where o.sku_id = $1 and ${isOpenSql} and o.seq > $2
   order by o.seq
   limit $3`,
)
// Unordered on purpose: with an order by seq the planner walks all orders that the book ever had.
const selectChanged = statement<OrderRow>(
  'market.list_changed_orders',
  `select ${orderColumns}
   from orders o
   where o.sku_id = $1 and o.book_version > $2`,
)
const updateRow = statement<never>(
  'market.update_book',
  `update books
   set version = $2, last_seq = $3, decided_at = $4, resting_buys = $5, resting_sells = $6, best_bid_micros = $7,
     best_ask_micros = $8
   where sku_id = $1`,
)

/** All resting orders of a book, oldest first. */
export async function listOpenOrders(db: Db, skuId: string): Promise<OrderRow[]> {
  const found: OrderRow[] = []
  for (;;) {
    const page = await db.rows(selectOpen, [skuId, found.at(-1)?.seq ?? 0, openPage])
    for (const row of page) found.push(row)
    if (page.length < openPage) return found
  }
}

/** The orders of a book that changed after a version, those that ended included. */
export function listChangedOrders(db: Db, skuId: string, version: number): Promise<OrderRow[]> {
  return db.rows(selectChanged, [skuId, version])
}

/** What a change of a book stores in its row, with the numbers of its resting orders and their best prices. */
type ChangedBook = Pick<BookRow, 'sku_id' | 'version' | 'last_seq' | 'decided_at'> & {
  readonly resting: { readonly buy: number; readonly sell: number }
  readonly best: { readonly buy: bigint | undefined; readonly sell: bigint | undefined }
}

export async function updateBook(db: Db, book: ChangedBook): Promise<void> {
  const { sku_id, version, last_seq, decided_at, resting, best } = book
  const prices = [best.buy, best.sell].map((price) => price ?? null)
  await db.run(updateRow, [sku_id, version, last_seq, decided_at, resting.buy, resting.sell, ...prices])
}
