import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'

export type BookRow = {
  sku_id: Id<'sku'>
  alias: string
  /** Tells this row from one of the same SKU in a sandbox's former world. */
  born: number
  version: number
  last_seq: number
  decided_at: number
  halted: boolean
  halt_message: string | null
  flat_fee_micros: bigint
  fee_bps: number
  is_retired: boolean
}

const columns = `b.sku_id, s.alias, b.born, b.version, b.last_seq, b.decided_at,
  b.halted or h.only_row is not null as halted,
  coalesce(h.message, b.halt_message) as halt_message, s.flat_fee_micros::numeric as flat_fee_micros, s.fee_bps,
  s.deleted_at is not null as is_retired`
const withMarket = 'from books b join skus s on s.id = b.sku_id left join market_halt h on true'

const selectBooks = statement<BookRow>(
  'market.list_books',
  `select ${columns} ${withMarket} where b.sku_id = any($1) order by b.sku_id`,
)
const insertMissing = statement<never>(
  'market.open_books',
  `insert into books (sku_id, born)
   select s.id, pg_current_xact_id()::text::bigint from skus s where s.id = any($1) order by s.id
   on conflict do nothing`,
)
const updateRow = statement<never>(
  'market.update_book',
  'update books set version = $2, last_seq = $3, decided_at = $4 where sku_id = $1',
)
const selectHalts = statement<{ sku_id: Id<'sku'>; halt_message: string | null }>(
  'market.list_halts',
  'select sku_id, halt_message from books where halted order by sku_id',
)
const selectMarketHalt = statement<{ message: string | null }>('market.find_halt', 'select message from market_halt')
const haltAll = statement<never>(
  'market.halt_all',
  'insert into market_halt (message) values ($1) on conflict (only_row) do update set message = excluded.message',
)
const resumeAll = statement<never>('market.resume_all', 'delete from market_halt')
const haltRow = statement<never>(
  'market.halt_book',
  'update books set halted = $2, halt_message = $3 where sku_id = $1',
)
const selectAllIds = statement<{ sku_id: Id<'sku'> }>(
  'market.list_book_ids',
  'select sku_id from books order by sku_id',
)

/** The one lock of a SKU's market. */
export const bookLock = defineLock(
  'book',
  'books',
  'select sku_id as id from books where sku_id = any($1) order by sku_id for no key update',
)

/** The rows of some books, with the fees of their SKUs. */
export function listBooks(db: Db, sku_ids: readonly string[]): Promise<BookRow[]> {
  return db.rows(selectBooks, [sku_ids])
}

/** Makes the rows of books that nobody traded on yet. */
export async function openBooks(db: Db, sku_ids: readonly string[]): Promise<void> {
  await db.run(insertMissing, [sku_ids])
}

export async function updateBook(
  db: Db,
  { sku_id, version, last_seq, decided_at }: Pick<BookRow, 'sku_id' | 'version' | 'last_seq' | 'decided_at'>,
): Promise<void> {
  await db.run(updateRow, [sku_id, version, last_seq, decided_at])
}

/** The books that are halted one by one. */
export function listHalts(db: Db): Promise<{ sku_id: Id<'sku'>; halt_message: string | null }[]> {
  return db.rows(selectHalts)
}

/** The halt of the whole market, if there is one. */
export function findMarketHalt(db: Db): Promise<{ message: string | null } | undefined> {
  return db.row(selectMarketHalt)
}

/** Halts the whole market, or with null lets it go on. */
export async function putMarketHalt(db: Db, halt: { message: string | null } | null): Promise<void> {
  if (halt) await db.run(haltAll, [halt.message])
  else await db.run(resumeAll)
}

/** Halts one book, or lets it go on. */
export async function putBookHalt(
  db: Db,
  sku_id: string,
  { halted, message }: { halted: boolean; message: string | null },
): Promise<void> {
  await db.run(haltRow, [sku_id, halted, message])
}

/** Every book that there is. */
export async function listBookIds(db: Db): Promise<Id<'sku'>[]> {
  return (await db.rows(selectAllIds)).map(({ sku_id }) => sku_id)
}
