/** Locks and reads what trades on one book are decided on. All statements are sent at once, in the lock order. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { lockBalances, readBalances } from '../../billing/money.service.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { forecastCounterparties } from '../book/book-forecast.rules.ts'
import type { MandateRow } from '../pools/mandates.rules.ts'
import { listMandates } from '../pools/mandates.service.ts'
import { type BookReading, readBookLocked, rememberedBook } from './book-cache.service.ts'
import type { ReadOrder } from './order-admission.rules.ts'
import { type AdmissionReading, type Applicant, readAdmission } from './order-admission.service.ts'

/** A locked book with the balances, pools, limits and mandates that its trades depend on. */
export type TradeReading = {
  readonly book: BookReading
  readonly balances: Awaited<ReturnType<typeof readBalances>>
  readonly admission: AdmissionReading
  /** The mandates of `pools`. Those of other pools were not read. */
  readonly mandates: { readonly pools: ReadonlySet<string>; readonly rows: readonly MandateRow[] }
  /** Whether the balances and the pools are locked. */
  readonly takes_locks: boolean
}

/** Locks a book (rank `books`) and reads the rest without locks. Balances and pools are locked when trades settle. */
export async function readForTrades(
  ctx: Ctx,
  skuId: Id<'sku'>,
  applicants: readonly Applicant[],
): Promise<TradeReading> {
  const accounts = [...new Set(applicants.map(({ account_id }) => account_id))]
  const pools = new Set(applicants.flatMap(({ pool_id }) => pool_id ?? []))
  const [book, balances, admission, rows] = await Promise.all([
    readBookLocked(ctx, skuId),
    readBalances(ctx, accounts),
    readAdmission(ctx, skuId, { applicants, others: [], takes_locks: false }),
    listMandates(ctx, skuId, [...pools]),
  ])
  return { book, balances, admission, mandates: { pools, rows }, takes_locks: false }
}

/**
 * The same for orders that are known beforehand, with all locks in the lock order: the book, the balances, the pools.
 * Balances are those of the applicants and of the accounts that their orders would match on the book as this process
 * last saw it. The actual matches can differ. `also` are accounts that an earlier attempt matched. The caller has
 * entered the book.
 */
export async function lockForOrders(
  ctx: Ctx,
  skuId: Id<'sku'>,
  { applicants, also }: { applicants: readonly (Applicant & { order: ReadOrder })[]; also: Iterable<string> },
): Promise<TradeReading> {
  const cached = rememberedBook(ctx.services, skuId)
  const orders = applicants.map(({ account_id, order }) => ({ account_id, ...order }))
  const met = cached ? [...forecastCounterparties(cached, orders)] : []
  const placing = applicants.map(({ account_id }) => account_id)
  const accounts = [...new Set([...placing, ...met.map(({ account_id }) => account_id), ...also])]
  const named = applicants.flatMap(({ pool_id }) => pool_id ?? [])
  const pools = new Set([...named, ...met.map(({ record }) => record.pool_id as Id<'pool'>)])
  const [book, balances, admission, rows] = await Promise.all([
    readBookLocked(ctx, skuId),
    lockBalances(ctx, accounts),
    readAdmission(ctx, skuId, { applicants, others: accounts, takes_locks: true }),
    listMandates(ctx, skuId, [...pools]),
  ])
  return { book, balances, admission, mandates: { pools, rows }, takes_locks: true }
}
