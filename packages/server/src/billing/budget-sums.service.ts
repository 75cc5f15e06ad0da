/**
 * The sums of budgets, which change with the balances of their account, and the thresholds that they reach. Which ones
 * are reached is decided in budgets.rules.
 */
import type { Db } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { listBudgetsOf, putBudgetSums } from './budget-sums.store.ts'
import { type BudgetRow, newlyReached, withReached } from './budgets.rules.ts'

/** Kind of the due row of a budget; the key is its id. */
export const budgetDue = 'billing.budget'

/** How long after a change of its sums a forecast is made, in seconds, so that many changes share one. */
const forecastAfterSeconds = 60

/** The budgets of some accounts, by account. */
export async function readBudgets(db: Db, accountIds: readonly string[]): Promise<Map<string, BudgetRow[]>> {
  return Map.groupBy(await listBudgetsOf(db, accountIds), ({ account_id }) => account_id)
}

/** Stores the sums of budgets and the thresholds that were announced. */
export async function saveBudgets(db: Db, budgets: ReadonlySet<BudgetRow>): Promise<void> {
  if (budgets.size > 0) await putBudgetSums(db, [...budgets])
}

/** Emits the thresholds that budgets reach by what is spent, and schedules the forecasts of the others. */
export function announceBudgets(ctx: Ctx, budgets: Iterable<BudgetRow>): void {
  for (const budget of budgets) {
    if (budget.threshold_basis === 'forecast') ctx.schedule(budgetDue, budget.id, ctx.now + forecastAfterSeconds)
    else budget.reached_percent = announceReached(ctx, budget, budget.spent_micros).reached_percent
  }
}

/** Emits the thresholds that an amount reaches for the first time in the period; returns the budget afterwards. */
export function announceReached(ctx: Ctx, budget: BudgetRow, comparedMicros: bigint): BudgetRow {
  const percents = newlyReached(budget, comparedMicros)
  const { account_id, workspace_id, id } = budget
  const target = { action: 'budget.threshold_reached', target_type: 'budget', target_id: id }
  for (const _ of percents) ctx.emit({ account_id, workspace_id, ...target, actor: { type: 'system' } })
  return percents.length === 0 ? budget : withReached(budget, percents)
}
