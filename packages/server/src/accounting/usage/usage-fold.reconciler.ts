/** Folds moves of capacity into the sums of usage and the lots of purchases. The key is an account. */
import type { Ctx } from '../../core/work/ctx.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { foldAccount, foldKind, sweepAccounts } from './usage-fold.service.ts'

/**
 * Real seconds between two sweeps, which alone find the work: an order would pay for a wake-up, and reads are exact
 * without the fold.
 */
const sweepSeconds = 15

export const usageFoldReconciler: Reconciler = {
  kind: foldKind,
  sweep_seconds: sweepSeconds,
  sweep: (ctx: Ctx) => sweepAccounts(ctx),
  step: (ctx: Ctx, accountId) => foldAccount(ctx, accountId),
}
