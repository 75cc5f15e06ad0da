import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

const selectHaltedBooks = statement<{ sku_id: Id<'sku'>; halt_message: string | null }>(
  'market.list_halts',
  `select sku_id, halt_message
   from books
   where halted
   order by sku_id`,
)
const selectMarketHalt = statement<{ message: string | null }>(
  'market.find_halt',
  `select message
   from market_halt`,
)
const selectBookHalt = statement<{ message: string | null }>(
  'market.find_book_halt',
  `select halt_message as message
   from books
   where sku_id = $1 and halted`,
)
const upsertMarketHalt = statement<never>(
  'market.halt_all',
  `insert into market_halt (message)
   values ($1)
   on conflict (only_row) do update set message = excluded.message`,
)
const deleteMarketHalt = statement<never>('market.resume_all', 'delete from market_halt')
const updateBookHalt = statement<never>(
  'market.halt_book',
  `update books
   set halted = $2, halt_message = $3
   where sku_id = $1`,
)

/** The books that are halted on their own. */
export function listHaltedBooks(db: Db): Promise<{ sku_id: Id<'sku'>; halt_message: string | null }[]> {
  return db.rows(selectHaltedBooks)
}

/** The halt of the whole market, if there is one. */
export function findMarketHalt(db: Db): Promise<{ message: string | null } | undefined> {
  return db.row(selectMarketHalt)
}

/** The halt of one book on its own, if there is one. */
export function findBookHalt(db: Db, skuId: string): Promise<{ message: string | null } | undefined> {
  return db.row(selectBookHalt, [skuId])
}

/** Halts the whole market; null ends the halt. */
export async function putMarketHalt(db: Db, halt: { message: string | null } | null): Promise<void> {
  if (halt) await db.run(upsertMarketHalt, [halt.message])
  else await db.run(deleteMarketHalt)
}

/** Halts one book, or ends its halt. */
export async function putBookHalt(
  db: Db,
  skuId: string,
  { halted, message }: { halted: boolean; message: string | null },
): Promise<void> {
  await db.run(updateBookHalt, [skuId, halted, message])
}
