/**
 * Halts of the whole market or of one SKU. A halted book takes no orders and no transfers and matches nothing. Orders
 * can still be cancelled, and they still expire.
 */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { haltMarket as haltContract, MarketHalt } from '@bourse/api/market/market-administration.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow, rightsOfCaller } from '../../iam/access/permissions.service.ts'
import { listBookIds, lockBooks } from '../book/books.service.ts'
import { lockCapacity } from './capacity.service.ts'
import {
  type BookHalt,
  findBookHalt,
  findMarketHalt,
  type HaltRow,
  listHaltedBooks,
  type NewHalt,
  putBookHalt,
  putMarketHalt,
} from './halts.store.ts'

/** Kind of the due row that resumes matching on a book; the key is its SKU. */
export const resumeKind = 'market.resume'

type HaltRequest = Input<typeof haltContract>['body']

/** What of the market is halted. */
export async function getMarketHalt(ctx: Ctx): Promise<MarketHalt> {
  await allow(ctx, 'platform:read', null)
  return present(ctx)
}

/** Halts the whole market or one SKU. Commands under way on these books commit before the halt. */
export async function haltMarket(ctx: Ctx, { sku, message }: HaltRequest): Promise<MarketHalt> {
  await allow(ctx, 'platform:write', null)
  if (sku === undefined) await haltWhole(ctx, message ?? null)
  else {
    await lockBookOf(ctx, sku)
    await putBookHalt(ctx.db, sku, haltBy(ctx, message ?? null))
  }
  return present(ctx)
}

/** Resumes the whole market or one SKU. Orders that became matchable during the halt are matched at once. */
export async function resumeMarket(ctx: Ctx, { sku }: Pick<HaltRequest, 'sku'>): Promise<MarketHalt> {
  await allow(ctx, 'platform:write', null)
  if (sku === undefined) await resumeWhole(ctx)
  else {
    await lockBookOf(ctx, sku)
    await putBookHalt(ctx.db, sku, null)
    ctx.schedule(resumeKind, sku)
  }
  return present(ctx)
}

/** The halt of the whole market, which also holds for a SKU whose book was never used; undefined without one. */
export function readMarketHalt({ db }: Pick<Ctx, 'db'>): Promise<BookHalt | undefined> {
  return findMarketHalt(db)
}

/** The halt of one SKU on its own; undefined without one. */
export function readBookHalt({ db }: Pick<Ctx, 'db'>, sku: Id<'sku'>): Promise<BookHalt | undefined> {
  return findBookHalt(db, sku)
}

/** Halts the whole market. The caller checks permissions. */
export async function haltWhole(ctx: Ctx, message: string | null): Promise<void> {
  await lockBooks(ctx, await listBookIds(ctx))
  await putMarketHalt(ctx.db, haltBy(ctx, message))
}

/** Resumes the whole market. The caller checks permissions. */
export async function resumeWhole(ctx: Ctx): Promise<void> {
  const books = await listBookIds(ctx)
  await lockBooks(ctx, books)
  await putMarketHalt(ctx.db, null)
  for (const book of books) ctx.schedule(resumeKind, book)
}

function haltBy(ctx: Ctx, message: string | null): NewHalt {
  const { token_id, user_id } = ctx.caller ? { ...ctx.caller, ...rightsOfCaller(ctx.caller) } : noCaller
  return { message, halted_at: ctx.now, halted_by_token_id: token_id, halted_by_user_id: user_id }
}

const noCaller = { token_id: null, user_id: null }

async function lockBookOf(ctx: Ctx, sku: Id<'sku'>): Promise<void> {
  if (!(await lockCapacity(ctx, sku))) refuse('reference_not_found', 'There is no such SKU.', 'sku')
}

async function present(ctx: Ctx): Promise<MarketHalt> {
  const [whole, books] = await Promise.all([findMarketHalt(ctx.db), listHaltedBooks(ctx.db)])
  const [first] = books
  return {
    object: 'market_halt',
    halted: whole ? 'all' : first ? 'some' : 'none',
    skus: books.map(({ sku_id }) => sku_id),
    message: whole ? whole.message : books.length === 1 && first ? first.message : null,
    halts: [...(whole ? [{ sku_id: null, ...whole }] : []), ...books].map(presentHalt),
  }
}

function presentHalt({ sku_id, message, halted_at, ...by }: HaltRow & { sku_id: Id<'sku'> | null }) {
  const { halted_by_token_id: token_id, halted_by_user_id: user_id, halted_by_name: name } = by
  const user = user_id && ({ type: 'user', id: user_id, email: by.halted_by_email } as const)
  const token = token_id && ({ type: 'token', id: token_id, ...(name === null ? {} : { name }) } as const)
  return { sku: sku_id, message, halted_at, halted_by: user || token || null }
}
