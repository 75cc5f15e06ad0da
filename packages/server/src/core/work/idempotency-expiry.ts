/**
 * Deletes expired idempotency keys. The deletion is not urgent, so keys have no rows in `due`; a sweep finds them.
 */
import type { Ctx } from './ctx.ts'
import { forgetOldKeys, hasOldKeys } from './idempotency.ts'
import type { Reconciler } from './reconciler.ts'

const kind = 'core.old_keys'
const onlyKey = 'all'
/** Real seconds between two sweeps. */
const sweepSeconds = 600
/** Few enough to delete well within the time limit of a transaction. */
const forgottenAtOnce = 1_000

/** Deletes the oldest keys, a limited number in each step. The reconciler has a single key. */
export const idempotencyExpiryReconciler: Reconciler = {
  kind,
  sweep_seconds: sweepSeconds,
  sweep: async (ctx) => ((await hasOldKeys(ctx.db, ctx.now)) ? [onlyKey] : []),
  step: async (ctx: Ctx) => {
    // The rest is due at once, not a second later, so the work also continues while the sandbox clock is frozen.
    if ((await forgetOldKeys(ctx.db, ctx.now, forgottenAtOnce)) === forgottenAtOnce) ctx.schedule(kind, onlyKey)
    return undefined
  },
}
