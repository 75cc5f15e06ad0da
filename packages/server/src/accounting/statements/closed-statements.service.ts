/** Months that are closed: their sums are stored once, and read instead of being added up again. */
import type { Ctx } from '../../core/work/ctx.ts'
import { lockedElsewhere, type StepResult } from '../../core/work/reconciler.ts'
import { findAccountsToClose as findInFolds, lockFold, recordOpenMonth } from '../usage/usage-fold.service.ts'
import {
  findClosedBefore,
  findClosedMonth,
  findFirstTransaction,
  insertClosedMonth,
} from './closed-statements.store.ts'
import { type MonthSums, readMonth } from './month-sums.service.ts'
import { changeOf, type Month, monthAt, openMonthAt, totalOf } from './statements.rules.ts'

/** Kind of the due rows of closings; the key is an account. */
export const closingKind = 'accounting.statement_closing'

/**
 * The sums of a month. Between the closing of a month and its storing they are added up, from transactions that cannot
 * change any more.
 */
export async function readSums(ctx: Ctx, accountId: string, month: Month): Promise<MonthSums> {
  const closed = await findClosedMonth(ctx.db, accountId, month.start)
  return closed ? { opening: closed.opening_micros, lines: closed.lines } : addUp(ctx, accountId, month)
}

/** The accounts with a month that is closed and not stored yet. */
export function findAccountsToClose(ctx: Ctx): Promise<string[]> {
  return findInFolds(ctx, openMonthAt(ctx.now))
}

/** Stores the next closed month of an account. Months without transactions are passed over. */
export async function closeMonth(ctx: Ctx, accountId: string): Promise<StepResult> {
  // No fold runs meanwhile, so what is folded and what is not stay apart.
  const fold = await lockFold(ctx, accountId)
  if (!fold) return lockedElsewhere
  const firstOpen = openMonthAt(ctx.now)
  const at = await findFirstTransaction(ctx.db, accountId, fold.open_month)
  if (at === undefined || at >= firstOpen) {
    await recordOpenMonth(ctx, accountId, Math.max(firstOpen, fold.open_month))
    return undefined
  }
  const month = monthAt(at)
  const { opening, lines } = await addUp(ctx, accountId, month)
  const closing_micros = opening + changeOf(totalOf(lines))
  const sums = { month_start: month.start, opening_micros: opening, closing_micros, lines }
  await insertClosedMonth(ctx.db, accountId, sums, ctx.now)
  await recordOpenMonth(ctx, accountId, month.end)
  return month.end < firstOpen ? ctx.now : undefined
}

/** Adds up a month. What was before comes from the newest month that is stored. */
async function addUp(ctx: Ctx, accountId: string, month: Month): Promise<MonthSums> {
  const closed = await findClosedBefore(ctx.db, accountId, month.start)
  const before = closed && { closing: closed.closing_micros, end: monthAt(closed.month_start).end }
  return readMonth(ctx, accountId, month, before)
}
