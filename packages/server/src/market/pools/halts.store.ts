import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A halt that begins: what the operator says, when, and who it is. */
export type NewHalt = {
  readonly message: string | null
  readonly halted_at: number
  readonly halted_by_token_id: Id<'token'> | null
  readonly halted_by_user_id: Id<'user'> | null
}
/** A halt as it is stored; those of older programs do not say since when and by whom. */
export type HaltRow = Omit<NewHalt, 'halted_at'> & {
  readonly halted_at: number | null
  readonly halted_by_name: string | null
  readonly halted_by_email: string | null
}

/** The halt of a book as buyers see it. */
export type BookHalt = Pick<HaltRow, 'message' | 'halted_at'>

const who = `h.halted_at, h.halted_by_token_id, h.halted_by_user_id, n.name as halted_by_name,
     u.email as halted_by_email`
const joins = `left join names n on n.id = h.halted_by_token_id
   left join users u on u.id = h.halted_by_user_id`

const selectHaltedBooks = statement<HaltRow & { sku_id: Id<'sku'> }>(
  'market.list_halts',
  `select h.sku_id, h.halt_message as message, ${who}
   from books h
   ${joins}
   where h.halted
   order by h.sku_id`,
)
const selectMarketHalt = statement<HaltRow>(
  'market.find_halt',
  `select h.message, ${who}
   from market_halt h
   ${joins}`,
)
const selectBookHalt = statement<BookHalt>(
  'market.find_book_halt',
  `select halt_message as message, halted_at
   from books
   where sku_id = $1 and halted`,
)
const upsertMarketHalt = statement<never>(
  'market.halt_all',
  `insert into market_halt (message, halted_at, halted_by_token_id, halted_by_user_id)
   values ($1, $2, $3, $4)
   on conflict (only_row) do update set message = excluded.message`,
)
const deleteMarketHalt = statement<never>('market.resume_all', 'delete from market_halt')
const updateBookHalt = statement<never>(
  'market.halt_book',
  `update books
   set halted = $2, halt_message = $3,
     halted_at = case when halted and $2 then halted_at else $4::bigint end,
     halted_by_token_id = case when halted and $2 then halted_by_token_id else $5 end,
     halted_by_user_id = case when halted and $2 then halted_by_user_id else $6 end
   where sku_id = $1`,
)

/** The books that are halted on their own. */
export function listHaltedBooks(db: Db): Promise<(HaltRow & { sku_id: Id<'sku'> })[]> {
  return db.rows(selectHaltedBooks)
}

/** The halt of the whole market, if there is one. */
export function findMarketHalt(db: Db): Promise<HaltRow | undefined> {
  return db.row(selectMarketHalt)
}

/** The halt of one book on its own, if there is one. */
export function findBookHalt(db: Db, skuId: string): Promise<BookHalt | undefined> {
  return db.row(selectBookHalt, [skuId])
}

/** Halts the whole market; null ends the halt. One that is in force keeps its beginning. */
export async function putMarketHalt(db: Db, halt: NewHalt | null): Promise<void> {
  if (halt) await db.run(upsertMarketHalt, valuesOf(halt))
  else await db.run(deleteMarketHalt)
}

/** Halts one book; null ends the halt. One that is in force keeps its beginning. */
export async function putBookHalt(db: Db, skuId: string, halt: NewHalt | null): Promise<void> {
  await db.run(updateBookHalt, [skuId, halt !== null, ...(halt ? valuesOf(halt) : [null, null, null, null])])
}

function valuesOf({ message, halted_at, halted_by_token_id, halted_by_user_id }: NewHalt) {
  return [message, halted_at, halted_by_token_id, halted_by_user_id]
}
