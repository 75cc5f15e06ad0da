/**
 * Forgets idempotency keys that are past their term. Nobody waits for that, so no deadline is written down for a key: a
 * sweep looks for them.
 */
import type { Ctx } from './ctx.ts'
import { forgetOldKeys, hasOldKeys } from './idempotency.ts'
import type { Reconciler } from './reconciler.ts'

const kind = 'core.old_keys'
const onlyKey = 'all'
/** Real seconds between two looks. */
const sweepSeconds = 600
/** Well within the time of a transaction. */
const forgottenAtOnce = 1_000

/** Forgets the oldest keys, so many in each step; there is one key. */
export const oldKeysReconciler: Reconciler = {
  kind,
  sweep_seconds: sweepSeconds,
  sweep: async (ctx) => ((await hasOldKeys(ctx.db, ctx.now)) ? [onlyKey] : []),
  step: async (ctx: Ctx) => {
    // What is left over is due at once, and a clock that stands still does not hold it up.
    if ((await forgetOldKeys(ctx.db, ctx.now, forgottenAtOnce)) === forgottenAtOnce) ctx.due(kind, onlyKey)
    return undefined
  },
}
