import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  constant,
  createdAt,
  id,
  integer,
  nullable,
  oneOf,
  openOneOf,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  timestamp,
} from '../kit/schema.ts'

const area = 'webhooks'

/** What is delivered: an event, the same again by a replay or on request, or a test. */
export const deliveryOrigins = ['event', 'replay', 'redelivery', 'test'] as const
/** The states of a delivery. */
export const deliveryStates = ['pending', 'succeeded', 'failed'] as const
/** The states that can follow each. A redelivery is a new delivery. */
export const deliveryTransitions = {
  pending: { next: ['succeeded', 'failed'] },
  succeeded: { next: [] },
  failed: { next: [] },
} as const satisfies Record<(typeof deliveryStates)[number], { next: readonly string[] }>
/** The most attempts of a delivery. */
export const deliveryAttemptsMax = 8

/** Why an attempt got no status, or why its status is a failure. */
export const attemptErrors = [
  'address_not_allowed',
  'dns_failed',
  'connection_failed',
  'tls_failed',
  'timeout',
  'invalid_answer',
  'redirect',
] as const
/** One of {@link attemptErrors}. */
export type AttemptError = (typeof attemptErrors)[number]

export const deliveryAttempt = resource('WebhookDeliveryAttempt', 'One attempt of a delivery.', {
  at: timestamp({ description: 'When it was made, in Unix seconds.' }),
  status: nullable(
    integer({ min: 100, max: 999, description: 'The HTTP status of the response. `null`: there was none.' }),
  ),
  error: nullable(
    openOneOf(attemptErrors, { description: 'Why the attempt failed. `null`: only the status says why.' }),
  ),
  duration_ms: integer({
    unit: 'milliseconds',
    min: 0,
    max: 3_600_000,
    description: 'How long it took, in milliseconds.',
  }),
})
export type DeliveryAttempt = Static<typeof deliveryAttempt>

export const webhookDelivery = resource(
  'WebhookDelivery',
  'A delivery that did not succeed at the first attempt, or was requested. Others leave no record.',
  {
    object: constant('webhook_delivery'),
    id: id('webhook_delivery'),
    webhook: id('webhook'),
    event: nullable(id('event', { description: 'Id of the event. `null`: a test.' })),
    origin: oneOf(deliveryOrigins, {
      description: 'Why it was made: for an event, by a replay, by a request to deliver again, or as a test.',
    }),
    state: oneOf(deliveryStates, {
      description: '`pending`: an attempt follows. `failed`: the last one has failed.',
    }),
    attempts: array(deliveryAttempt, {
      max: deliveryAttemptsMax,
      description: 'The attempts so far, oldest first.',
    }),
    next_attempt_at: nullable(
      timestamp({
        description:
          'When the next attempt is due, in Unix seconds. `null`: after the last one, and while it waits for an ' +
          'earlier delivery of its target.',
      }),
    ),
    created_at: createdAt,
  },
)
export type WebhookDelivery = Static<typeof webhookDelivery>

const ofWebhook = { id: id('webhook') }
const ofDelivery = { id: id('webhook'), delivery: id('webhook_delivery') }

export const listWebhookDeliveries = endpoint({
  name: 'list_webhook_deliveries',
  method: 'GET',
  path: '/preview/v2/webhooks/:id/deliveries',
  area,
  summary: 'List deliveries',
  description:
    'Shows deliveries that failed at the first attempt or were requested, newest first. A delivery that succeeded ' +
    'at once is not listed. They are kept for 7 days, the newest 10,000 of a webhook.',
  params: ofWebhook,
  query: {
    ...pageParameters('wdlvc'),
    state: repeated(oneOf(deliveryStates, { description: 'Only deliveries in this state.' })),
    event: optional(id('event', { description: 'Only deliveries of this event.' })),
  },
  response: pageOf(webhookDelivery, 'wdlvc'),
  access: 'webhook:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const getWebhookDelivery = endpoint({
  name: 'get_webhook_delivery',
  method: 'GET',
  path: '/preview/v2/webhooks/:id/deliveries/:delivery',
  area,
  summary: 'Get a delivery',
  description:
    'Shows each attempt of a delivery with its status, its error and how long it took, and when the next one is ' +
    'made. `redeliver_webhook_delivery` sends it again.',
  params: ofDelivery,
  response: webhookDelivery,
  access: 'webhook:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const redeliverWebhookDelivery = endpoint({
  name: 'redeliver_webhook_delivery',
  method: 'POST',
  path: '/preview/v2/webhooks/:id/deliveries/:delivery/redeliver',
  area,
  summary: 'Repeat a delivery',
  description:
    'Sends the same message as a new delivery, with the same `webhook-id`, so that receivers can recognise it. The ' +
    'old delivery stays as it is.',
  params: ofDelivery,
  response: webhookDelivery,
  access: 'webhook:write',
  trust: {
    limited: 'networks',
    recent_sign_in: 'never',
    trail: 'entry',
    unasked: 'It sends what the URL gets anyway.',
  },
  scope: 'account',
  idempotent: true,
  errors: ['forbidden', 'not_found', 'limit_exceeded'],
})

export const operations = [listWebhookDeliveries, getWebhookDelivery, redeliverWebhookDelivery] as const
