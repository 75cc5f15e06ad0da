/** Ends credits that no second operator has approved in time. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Reconciler } from '../core/work/reconciler.ts'
import { expirePendingCredit, pendingCreditEnd } from './pending-credits.service.ts'

export const pendingCreditReconciler: Reconciler = {
  kind: pendingCreditEnd,
  step: (ctx, key) => expirePendingCredit(ctx, key as Id<'pending_credit'>),
}
