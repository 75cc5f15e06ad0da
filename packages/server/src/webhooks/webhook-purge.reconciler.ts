/**
 * Deletes old deliveries, and deleted webhooks with all of theirs. It is not urgent, so webhooks have no due rows for
 * it; a sweep finds them.
 */
import { weekSeconds } from '@bourse/text/time/units.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Reconciler } from '../core/work/reconciler.ts'
import { refreshNextAttempts } from './delivery-rows.service.ts'
import {
  deleteStaleDeliveries,
  deleteWebhookRow,
  listStaleWebhooks,
  markWebhookChanged,
} from './webhook-purge.store.ts'
import { lockWebhooks } from './webhooks.service.ts'

const kind = 'webhooks.purge'
const sweepSeconds = 600
/** For how long deliveries of a webhook are kept. */
export const keptSeconds = weekSeconds
/** The most deliveries of a webhook that are kept. */
export const keptDeliveries = 10_000
/** Few enough to delete well within the time limit of a transaction. */
const deletedAtOnce = 1_000

export const webhookPurgeReconciler: Reconciler = {
  kind,
  sweep_seconds: sweepSeconds,
  sweep: (ctx) => {
    const turn = Math.floor(ctx.now / sweepSeconds)
    return listStaleWebhooks(ctx.db, { before: ctx.now - keptSeconds, kept: keptDeliveries, turn })
  },
  step: async (ctx: Ctx, key) => {
    const [row] = await lockWebhooks(ctx, [key])
    const purge = { before: ctx.now - keptSeconds, kept: keptDeliveries, limit: deletedAtOnce }
    const { deleted, had_pending } = await deleteStaleDeliveries(ctx.db, key, purge)
    if (deleted === deletedAtOnce) ctx.schedule(kind, key)
    else if (!row) await deleteWebhookRow(ctx.db, key)
    if (!row || !had_pending) return undefined
    // The worker counts what is pending.
    await markWebhookChanged(ctx.db, key)
    await refreshNextAttempts(ctx, [key])
    return undefined
  },
}
