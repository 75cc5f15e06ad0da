/** Stops the clock of a sandbox at each attempt that is due, until it has been made (webhook-clock.service.ts). */
import type { Id } from '@bourse/api/kit/ids.ts'
import { monotonicMilliseconds } from '../core/base/clock.ts'
import { lockedElsewhere, type Reconciler } from '../core/work/reconciler.ts'
import { attemptsDueKind } from './webhook-clock.service.ts'
import { findAnyWebhook } from './webhooks.service.ts'

/** A receiver that does not answer stops the clock for no longer than this. */
const heldMilliseconds = 2_000
/** A worker that has not had its turn so often has not attempted it yet: a busy machine stops the whole process. */
const heldTicks = 5

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
    const from = known?.at === at ? known : { at, since: monotonicMilliseconds(), ticks }
    held.set(key, from)
    wake()
    const isWorking = ticks > 0 && ticks - from.ticks < heldTicks
    if (isWorking || monotonicMilliseconds() - from.since < heldMilliseconds) return lockedElsewhere
    // The outcome of the attempt brings the next due row.
    held.delete(key)
    return undefined
  },
}
