/** Ends halts of the market that were to last for some time. Not this file's work: setting them (faults.service.ts). */
import type { Reconciler } from '../../core/work/reconciler.ts'
import { endMarketHalt, haltEndKind } from './faults.service.ts'

export const marketHaltReconciler: Reconciler = {
  kind: haltEndKind,
  step: async (ctx) => {
    await endMarketHalt(ctx)
    return undefined
  },
}
