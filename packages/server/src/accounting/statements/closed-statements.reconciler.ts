/** Stores the sums of months that are closed. The key is an account. */
import type { Reconciler } from '../../core/work/reconciler.ts'
import { closeMonth, closingKind, findAccountsToClose } from './closed-statements.service.ts'

/** Real seconds between two sweeps. Until a month is stored, its statement is added up. */
const sweepSeconds = 60

export const closingReconciler: Reconciler = {
  kind: closingKind,
  sweep_seconds: sweepSeconds,
  sweep: (ctx) => findAccountsToClose(ctx),
  step: (ctx, accountId) => closeMonth(ctx, accountId),
}
