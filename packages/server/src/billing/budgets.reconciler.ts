/** Begins the periods of budgets, and makes the forecasts that their thresholds are compared with. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../core/work/reconciler.ts'
import { budgetDue } from './budget-sums.service.ts'
import { stepBudget } from './budgets.service.ts'

export const budgetReconciler: Reconciler = {
  kind: budgetDue,
  step: (ctx, key) => stepBudget(ctx, key as Id<'budget'>),
}
