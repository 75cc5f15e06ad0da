/** Halting the market, or one SKU of it: no orders and transfers, no matching. Cancelling and time go on. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { haltMarket as haltContract, MarketHalt } from '@bourse/api/market/market-administration.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { bookLock, findMarketHalt, listBookIds, listHalts, putBookHalt, putMarketHalt } from '../book/books.store.ts'
import { lockCapacity } from './capacity.service.ts'

/** Kind of the due row that takes matching up again on a book; the key is its SKU. */
export const resumeKind = 'market.resume'

type Wish = Input<typeof haltContract>['body']

/** Halts the whole market or one SKU. What was under way is decided when this is. */
export async function haltMarket(ctx: Ctx, { sku, message }: Wish): Promise<MarketHalt> {
  await allow(ctx, 'platform:write', null)
  if (sku === undefined) await haltWhole(ctx, message ?? null)
  else {
    await lockBookOf(ctx, sku)
    await putBookHalt(ctx.db, sku, { halted: true, message: message ?? null })
  }
  return present(ctx)
}

/** Lets the whole market or one SKU go on; books that have become ready meanwhile are matched at once. */
export async function resumeMarket(ctx: Ctx, { sku }: Pick<Wish, 'sku'>): Promise<MarketHalt> {
  await allow(ctx, 'platform:write', null)
  if (sku === undefined) await resumeWhole(ctx)
  else {
    await lockBookOf(ctx, sku)
    await putBookHalt(ctx.db, sku, { halted: false, message: null })
    ctx.due(resumeKind, sku)
  }
  return present(ctx)
}

/** Halts the whole market for those who judged it. */
export async function haltWhole(ctx: Ctx, message: string | null): Promise<void> {
  await ctx.lock(bookLock, await listBookIds(ctx.db))
  await putMarketHalt(ctx.db, { message })
}

/** Lets the whole market go on, for those who judged it. */
export async function resumeWhole(ctx: Ctx): Promise<void> {
  const books = await listBookIds(ctx.db)
  await ctx.lock(bookLock, books)
  await putMarketHalt(ctx.db, null)
  for (const book of books) ctx.due(resumeKind, book)
}

async function lockBookOf(ctx: Ctx, sku: Id<'sku'>): Promise<void> {
  if (!(await lockCapacity(ctx, sku))) refuse('reference_not_found', 'There is no such SKU.', 'sku')
}

async function present(ctx: Ctx): Promise<MarketHalt> {
  const [whole, books] = await Promise.all([findMarketHalt(ctx.db), listHalts(ctx.db)])
  const [first] = books
  return {
    object: 'market_halt',
    halted: whole ? 'all' : first ? 'some' : 'none',
    skus: books.map(({ sku_id }) => sku_id),
    message: whole ? whole.message : books.length === 1 && first ? first.halt_message : null,
  }
}
