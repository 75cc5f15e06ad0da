/** Keeps the audit trail sealed up to the last hour that has ended. */
import { lockedElsewhere, type Reconciler } from '../../core/work/reconciler.ts'
import { needsSeal, sealEntries } from './seals.service.ts'

const kind = 'iam.audit_seals'
const onlyKey = 'all'
/**
 * Real seconds between two sweeps. A row of `due` for each hour would have to be written by the commands that record,
 * and a sandbox clock that jumps a year would stop at each hour.
 */
const sweepSeconds = 20

/** Makes one seal in each step. The reconciler has a single key, and all replicas sweep for it. */
export const auditSealReconciler: Reconciler = {
  kind,
  sweep_seconds: sweepSeconds,
  sweep: async (ctx) => ((await needsSeal(ctx)) ? [onlyKey] : []),
  step: async (ctx) => {
    const left = await sealEntries(ctx)
    if (left === lockedElsewhere) return lockedElsewhere
    if (left) ctx.schedule(kind, onlyKey)
    return undefined
  },
}
