/**
 * What trades on one book are decided on: sent at once, in the order of locks, and read behind the lock of the book.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { lockBalances, readBalances } from '../../billing/money.service.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { likelyMet } from '../book/book-forecast.rules.ts'
import { listMandates, type MandateRow } from '../pools/mandates.store.ts'
import { type BookReading, readBookLocked, rememberedBook } from './book-cache.service.ts'
import type { ReadOrder } from './order-admission.rules.ts'
import { type AdmissionReading, type Applicant, readAdmission } from './order-admission.service.ts'

/** What is decided on: a book behind its lock, and what stands around it. */
export type TradeReading = {
  readonly book: BookReading
  readonly balances: Awaited<ReturnType<typeof readBalances>>
  readonly admission: AdmissionReading
  /** Who orders for some pools: for these pools it is known. */
  readonly mandates: { readonly pools: ReadonlySet<string>; readonly rows: readonly MandateRow[] }
  /** Whether the money and the pools are held already. */
  readonly holds: boolean
}

/** Sends the lock of a book (rank `books`) and what is read behind it. Money and pools are locked at its end. */
export async function readForTrades(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  applicants: readonly Applicant[],
): Promise<TradeReading> {
  const accounts = [...new Set(applicants.map(({ account_id }) => account_id))]
  const pools = new Set(applicants.flatMap(({ pool_id }) => pool_id ?? []))
  const [book, balances, admission, rows] = await Promise.all([
    readBookLocked(ctx, sku_id),
    readBalances(ctx, accounts),
    readAdmission(ctx, sku_id, { applicants, others: [], holds: false }),
    listMandates(ctx.db, sku_id, [...pools]),
  ])
  return { book, balances, admission, mandates: { pools, rows }, holds: false }
}

/**
 * The same for orders that are known beforehand, with all locks in their order: the book; the money of those who place,
 * and whom their orders would meet on the book as this process remembers it; the pools. Whom they meet in fact shows
 * later. The caller has entered the book; `also` are accounts that an earlier try met.
 */
export async function holdForOrders(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { applicants, also }: { applicants: readonly (Applicant & { order: ReadOrder })[]; also: Iterable<string> },
): Promise<TradeReading> {
  const remembered = rememberedBook(ctx.services, sku_id)
  const orders = applicants.map(({ account_id, order }) => ({ account_id, ...order }))
  const met = remembered ? [...likelyMet(remembered, orders)] : []
  const placing = applicants.map(({ account_id }) => account_id)
  const accounts = [...new Set([...placing, ...met.map(({ account_id }) => account_id), ...also])]
  const named = applicants.flatMap(({ pool_id }) => pool_id ?? [])
  const pools = new Set([...named, ...met.map(({ record }) => record.pool_id)])
  const [book, balances, admission, rows] = await Promise.all([
    readBookLocked(ctx, sku_id),
    lockBalances(ctx, accounts),
    readAdmission(ctx, sku_id, { applicants, others: accounts, holds: true }),
    listMandates(ctx.db, sku_id, [...pools]),
  ])
  return { book, balances, admission, mandates: { pools, rows }, holds: true }
}
