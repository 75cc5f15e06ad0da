/** The rows of order books and their locks. A book gets its row with the first command that needs it. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { BookRow } from './books.rules.ts'
import { bookLock, insertMissingBooks, listBooks, listBookIds as listIds } from './books.store.ts'

/** Inserts the row of a book if it is missing. */
export async function openBook({ db }: Pick<Ctx, 'db'>, skuId: Id<'sku'>): Promise<void> {
  await insertMissingBooks(db, [skuId])
}

/** Locks books (rank `books`). A book without a row is not locked. */
export async function lockBooks({ lock }: Pick<Ctx, 'lock'>, skuIds: readonly Id<'sku'>[]): Promise<void> {
  await lock(bookLock, skuIds)
}

/** Locks a book (rank `books`) and reads its row behind the lock; undefined where the book has no row. */
export async function lockBook({ db, lock }: Pick<Ctx, 'db' | 'lock'>, skuId: Id<'sku'>): Promise<BookRow | undefined> {
  const [locked, [row]] = await Promise.all([lock(bookLock, [skuId]), listBooks(db, [skuId])])
  return locked.length > 0 ? row : undefined
}

/** Reads the row of a book without a lock. */
export async function findBook({ db }: Pick<Ctx, 'db'>, skuId: Id<'sku'>): Promise<BookRow | undefined> {
  const [row] = await listBooks(db, [skuId])
  return row
}

/** The SKUs of all books. */
export function listBookIds({ db }: Pick<Ctx, 'db'>): Promise<Id<'sku'>[]> {
  return listIds(db)
}
