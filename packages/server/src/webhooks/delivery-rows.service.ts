/**
 * The rows of deliveries, for all that write them: each change of what is pending also sets the next attempt of its
 * webhook, by which servers find what is due. Not this file's work: which change (outcomes, requests).
 */
import type { Ctx } from '../core/work/ctx.ts'
import type { DeliveryChange, DeliveryRow } from './deliveries.rules.ts'
import * as store from './delivery-rows.store.ts'
import { noteNextAttempts } from './webhook-clock.service.ts'

/** A delivery of any webhook. */
export function findDelivery({ db }: Ctx, id: string): Promise<DeliveryRow | undefined> {
  return store.findDelivery(db, id)
}

/** A page of the deliveries of a webhook, newest first. */
export const listDeliveryRows = store.listDeliveries

/** The number of pending deliveries of a webhook. */
export function countPendingDeliveries({ db }: Ctx, webhookId: string): Promise<number> {
  return store.countPendingDeliveries(db, webhookId)
}

/** Adds a delivery that is due at once. The webhook is locked. */
export async function addDelivery(ctx: Ctx, row: DeliveryRow): Promise<void> {
  await store.insertDeliveries(ctx.db, [row])
  await refreshNextAttempts(ctx, [row.webhook_id])
}

/** Changes of deliveries of some webhooks, which are locked. */
type DeliveryChanges = {
  readonly webhook_ids: readonly string[]
  readonly inserts: readonly DeliveryRow[]
  readonly updates: readonly DeliveryChange[]
  /** Webhooks of which everything ends that is pending. */
  readonly ended: readonly string[]
  /** Webhooks that deliver the events of a target one after the other. */
  readonly ordered: readonly string[]
}

/** Writes the outcomes of attempts. */
export async function writeDeliveries(ctx: Ctx, changes: DeliveryChanges): Promise<void> {
  const { db, now } = ctx
  // The connection keeps this order.
  const [, , , , next] = await Promise.all([
    store.insertDeliveries(db, changes.inserts),
    store.updateDeliveries(db, changes.updates),
    store.endPendingDeliveries(db, changes.ended),
    store.releaseFirstOfTargets(db, changes.ordered, now),
    store.putNextAttempts(db, changes.webhook_ids),
  ])
  noteNextAttempts(ctx, next)
}

/** Ends what is pending of a webhook that is disabled. Tests and requested deliveries go on. */
export async function endPendingOf(ctx: Ctx, webhookId: string): Promise<void> {
  await store.endPendingDeliveries(ctx.db, [webhookId])
}

/** Makes everything due that waits for an earlier delivery of its target. */
export async function releaseWaitingOf({ db, now }: Ctx, webhookId: string): Promise<void> {
  await store.releaseAllOf(db, webhookId, now)
}

/** Sets the next attempts of webhooks from their deliveries. */
export async function refreshNextAttempts(ctx: Ctx, webhookIds: readonly string[]): Promise<void> {
  noteNextAttempts(ctx, await store.putNextAttempts(ctx.db, webhookIds))
}
