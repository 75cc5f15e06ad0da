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
export async function readSums(ctx: Ctx, account_id: string, month: Month): Promise<MonthSums> {
  const closed = await findClosedMonth(ctx.db, account_id, month.start)
  return closed ? { opening: closed.opening_micros, lines: closed.lines } : addUp(ctx, account_id, month)
}

/** The accounts with a month that is closed and not stored yet. */
export function findAccountsToClose(ctx: Ctx): Promise<string[]> {
  return findInFolds(ctx, openMonthAt(ctx.now))
}

/** Stores the next closed month of an account. Months without transactions are passed over. */
export async function closeMonth(ctx: Ctx, account_id: string): Promise<StepResult> {
  // No fold runs meanwhile, so what is folded and what is not stay apart.
  const fold = await lockFold(ctx, account_id)
  if (!fold) return lockedElsewhere
  const first_open = openMonthAt(ctx.now)
  const at = await findFirstTransaction(ctx.db, account_id, fold.open_month)
  if (at === undefined || at >= first_open) {
    await recordOpenMonth(ctx, account_id, Math.max(first_open, fold.open_month))
    return undefined
  }
  const month = monthAt(at)
  const { opening, lines } = await addUp(ctx, account_id, month)
  const closing_micros = opening + changeOf(totalOf(lines))
  const sums = { month_start: month.start, opening_micros: opening, closing_micros, lines }
  await insertClosedMonth(ctx.db, account_id, sums, ctx.now)
  await recordOpenMonth(ctx, account_id, month.end)
  return month.end < first_open ? ctx.now : undefined
}

/** Adds up a month. What was before comes from the newest month that is stored. */
async function addUp(ctx: Ctx, account_id: string, month: Month): Promise<MonthSums> {
  const closed = await findClosedBefore(ctx.db, account_id, month.start)
  const before = closed && { closing: closed.closing_micros, end: monthAt(closed.month_start).end }
  return readMonth(ctx, account_id, month, before)
}
