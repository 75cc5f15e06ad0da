/**
 * Folds the old history of pools: steps before the kept history become one row at minute 0 for each pool and SKU.
 * Promises of future minutes are cleaned up in orders.reconciler.
 */
import { hourSeconds } from '@bourse/text/time/units.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Reconciler } from '../../core/work/reconciler.ts'
import { keptFrom, nextFold } from './pool-history.rules.ts'
import { findOldestStep, foldAllocation, removePassedPromises } from './pool-history.store.ts'
import { minuteOf } from './pools.rules.ts'
import { historyKey, historyKind } from './pools.service.ts'

/** Real seconds between two sweeps for a missing due row. A database of the previous version has none. */
const sweepSeconds = hourSeconds

/** Folds the oldest steps of all pools. It has a single key. */
export const poolHistoryReconciler: Reconciler = {
  kind: historyKind,
  sweep_seconds: sweepSeconds,
  sweep: async (ctx) => {
    const oldest = await findOldestStep(ctx.db)
    return oldest !== undefined && oldest < keptFrom(minuteOf(ctx.now)) ? [historyKey] : []
  },
  step: async (ctx: Ctx) => {
    const minute = minuteOf(ctx.now)
    const [, , oldest] = await Promise.all([
      foldAllocation(ctx.db, keptFrom(minute)),
      removePassedPromises(ctx.db, minute),
      findOldestStep(ctx.db),
    ])
    return nextFold(oldest, minute) * 60
  },
}
