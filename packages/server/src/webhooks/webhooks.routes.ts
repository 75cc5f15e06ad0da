import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhookDelivery,
} from '@bourse/api/webhooks/webhook-deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@bourse/api/webhooks/webhooks.ts'
import { handle } from '../core/http/routes.ts'
import * as deliveries from './deliveries.service.ts'
import * as webhooks from './webhooks.service.ts'

export const webhookRoutes = [
  handle(createWebhook, (ctx, { body }) => webhooks.createWebhook(ctx, body), { restore: webhooks.restoreSecret }),
  handle(listWebhooks, (ctx, { query }) => webhooks.listWebhooks(ctx, query)),
  handle(getWebhook, (ctx, { params }) => webhooks.getWebhook(ctx, params.id)),
  handle(updateWebhook, (ctx, { params, body }) => webhooks.updateWebhook(ctx, params.id, body)),
  handle(deleteWebhook, (ctx, { params }) => webhooks.deleteWebhook(ctx, params.id)),
  handle(rotateWebhookSecret, (ctx, { params }) => webhooks.rotateWebhookSecret(ctx, params.id)),
  handle(testWebhook, (ctx, { params }) => deliveries.testWebhook(ctx, params.id)),
  handle(replayWebhook, (ctx, { params, body }) => webhooks.replayWebhook(ctx, params.id, body)),
  handle(listWebhookDeliveries, (ctx, input) => deliveries.listDeliveries(ctx, input)),
  handle(getWebhookDelivery, (ctx, { params }) => deliveries.getDelivery(ctx, params)),
  handle(redeliverWebhookDelivery, (ctx, { params }) => deliveries.redeliver(ctx, params)),
]
