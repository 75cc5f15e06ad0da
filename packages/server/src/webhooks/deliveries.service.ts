/** The deliveries of a webhook as its account sees them: reads, tests and repeated deliveries. */
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { listWebhookDeliveries as listContract, WebhookDelivery } from '@bourse/api/webhooks/webhook-deliveries.ts'
import { refuse } from '../core/base/refusal.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { pageResponse } from '../core/work/page.ts'
import { refuseNotFound } from '../iam/access/permissions.service.ts'
import { type DeliveryRow, pendingMax } from './deliveries.rules.ts'
import { addDelivery, countPendingDeliveries, findDelivery, listDeliveryRows } from './delivery-rows.service.ts'
import { wakeAfterCommit } from './webhook-clock.service.ts'
import { loadWebhook, lockWebhook } from './webhooks.service.ts'

/** The requested deliveries that may be pending besides those of events. */
const requestedMax = 100

type DeliveryParams = { readonly id: Id<'webhook'>; readonly delivery: Id<'webhook_delivery'> }

/** Lists the deliveries of a webhook that have a row. */
export async function listDeliveries(ctx: Ctx, { params, query }: Input<typeof listContract>) {
  const { id } = await loadWebhook(ctx, params.id, 'read')
  const page = await listDeliveryRows(ctx, id, query)
  return pageResponse(page, page.rows.map(present))
}

/** Reads one delivery. */
export async function getDelivery(ctx: Ctx, { id, delivery }: DeliveryParams): Promise<WebhookDelivery> {
  await loadWebhook(ctx, id, 'read')
  return present(await loadDelivery(ctx, id, delivery))
}

/** Delivers a test, which is due at once. */
export async function testWebhook(ctx: Ctx, id: Id<'webhook'>): Promise<WebhookDelivery> {
  await loadWebhook(ctx, id, 'write')
  const nothing = { event_id: null, position: null, occurred_at: null, action: null, target_id: null, body: null }
  return add(ctx, { webhook_id: id, origin: 'test', ...nothing })
}

/** Delivers the same again, at once. */
export async function redeliver(ctx: Ctx, { id, delivery }: DeliveryParams): Promise<WebhookDelivery> {
  await loadWebhook(ctx, id, 'write')
  const before = await loadDelivery(ctx, id, delivery)
  const { webhook_id, event_id, position, occurred_at, action, target_id, body } = before
  const origin = before.origin === 'test' ? 'test' : 'redelivery'
  return add(ctx, { webhook_id, origin, event_id, position, occurred_at, action, target_id, body })
}

type NewDelivery = Omit<DeliveryRow, 'id' | 'state' | 'attempts' | 'next_attempt_at' | 'created_at'>

async function add(ctx: Ctx, fields: NewDelivery): Promise<WebhookDelivery> {
  const { id: webhook_id } = await lockWebhook(ctx, fields.webhook_id)
  if ((await countPendingDeliveries(ctx, webhook_id)) >= pendingMax + requestedMax) {
    refuse('limit_exceeded', 'Too many deliveries of this webhook are pending. Wait until its receiver answers.')
  }
  const row: DeliveryRow = {
    ...fields,
    id: ctx.newId('webhook_delivery'),
    state: 'pending',
    attempts: [],
    next_attempt_at: ctx.now,
    created_at: ctx.now,
  }
  await addDelivery(ctx, row)
  wakeAfterCommit(ctx)
  return present(row)
}

async function loadDelivery(ctx: Ctx, webhook_id: string, id: string): Promise<DeliveryRow> {
  const row = await findDelivery(ctx, id)
  return row?.webhook_id === webhook_id ? row : refuseNotFound()
}

function present(row: DeliveryRow): WebhookDelivery {
  const { id, webhook_id, event_id, origin, state, attempts, next_attempt_at, created_at } = row
  return {
    object: 'webhook_delivery',
    id,
    webhook: webhook_id,
    event: event_id,
    origin,
    state,
    attempts: attempts.map(({ at, status, error, duration_ms }) => ({ at, status, error, duration_ms })),
    next_attempt_at,
    created_at,
  }
}
