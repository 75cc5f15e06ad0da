import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import type { BookRow } from './books.rules.ts'

const columns = `b.sku_id, s.alias, s.simulated, b.born, b.version, b.last_seq, b.decided_at,
  b.halted or h.only_row is not null as halted,
  coalesce(h.message, b.halt_message) as halt_message,
  s.hourly_fee_micros::numeric as hourly_fee_micros, s.fee_bps, s.price_step_micros::numeric as price_step_micros,
  s.deleted_at is not null as is_retired`

const selectBooks = statement<BookRow>(
  'market.list_books',
  `select ${columns}
   from books b
   join skus s on s.id = b.sku_id
   left join market_halt h on true
   where b.sku_id = any($1)
   order by b.sku_id`,
)
const insertMissing = statement<never>(
  'market.open_books',
  `insert into books (sku_id, born)
   select s.id, pg_current_xact_id()::text::bigint
   from skus s
   where s.id = any($1)
   order by s.id
   on conflict do nothing`,
)
const selectAllIds = statement<{ sku_id: Id<'sku'> }>(
  'market.list_book_ids',
  `select sku_id
   from books
   order by sku_id`,
)

/** The lock of a SKU's market: orders, capacity and halts of the SKU change only under it. */
export const bookLock = defineLock(
  'book',
  'books',
  `select sku_id as id
   from books
   where sku_id = any($1)
   order by sku_id
   for no key update`,
)

/** The rows of some books, with the fees and price steps of their SKUs. */
export function listBooks(db: Db, skuIds: readonly string[]): Promise<BookRow[]> {
  return db.rows(selectBooks, [skuIds])
}

/** Inserts the rows of books that do not exist yet. */
export async function insertMissingBooks(db: Db, skuIds: readonly string[]): Promise<void> {
  await db.run(insertMissing, [skuIds])
}

/** The SKUs of all books. */
export async function listBookIds(db: Db): Promise<Id<'sku'>[]> {
  return (await db.rows(selectAllIds)).map(({ sku_id }) => sku_id)
}
