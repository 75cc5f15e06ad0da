/** Ends halts of the market at their end time. Not this file's work: creating them (faults.service.ts). */
import type { Reconciler } from '../../core/work/reconciler.ts'
import { endMarketHalt, haltEndKind } from './faults.service.ts'

export const marketHaltReconciler: Reconciler = {
  kind: haltEndKind,
  step: async (ctx) => {
    await endMarketHalt(ctx)
    return undefined
  },
}
