/** Stops the clock of a sandbox at each attempt that is due, until it has been made (webhook-clock.service.ts). */
import type { Id } from '@bourse/api/kit/ids.ts'
import { monotonicMilliseconds } from '../core/base/clock.ts'
import { lockedElsewhere, type Reconciler } from '../core/work/reconciler.ts'
import { isAttemptAwaited } from './deliveries.rules.ts'
import { attemptsDueKind } from './webhook-clock.service.ts'
import { findAnyWebhook } from './webhooks.service.ts'

export const attemptsDueReconciler: Reconciler = {
  kind: attemptsDueKind,
  step: async (ctx, key) => {
    const { held, ticks, wake } = ctx.services.webhook_clock
    const at = (await findAnyWebhook(ctx, key as Id<'webhook'>))?.next_attempt_at ?? null
    if (at === null || at > ctx.now) {
      held.delete(key)
      return at ?? undefined
    }
    const known = held.get(key)
    const now = { milliseconds: monotonicMilliseconds(), ticks }
    const since = known?.at === at ? known.since : now
    held.set(key, { at, since })
    wake()
    if (isAttemptAwaited(since, now)) return lockedElsewhere
    // The outcome of the attempt brings the next due row.
    held.delete(key)
    return undefined
  },
}
