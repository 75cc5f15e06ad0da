import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  cursorParameter,
  here,
  id,
  idOfAnyKind,
  nullable,
  object,
  oneOf,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
  text,
  timestamp,
  updatedAt,
} from '../kit/schema.ts'
import { webhookDelivery } from './webhook-deliveries.ts'

const area = 'webhooks'

/** The most entries of each filter of a webhook. */
export const webhookFilterMax = 50
/** The longest URL of a webhook. */
export const webhookUrlLengthMax = 2048

/** The order in which a webhook delivers. `per_target`: the events of one target one after the other. */
export const webhookOrderings = ['none', 'per_target'] as const
/** Why a webhook is disabled: its receiver answered 410, all attempts failed for days, or a request disabled it. */
export const webhookDisabledReasons = ['gone', 'failures', 'user'] as const

const actionPattern = text({
  min: 1,
  max: 128,
  pattern: '^[a-z0-9_]+\\.(?:[a-z0-9_]+|\\*)$',
  form: 'an action such as `order.filled`, or all of a kind such as `order.*`',
  examples: ['order.filled', 'order.*', 'instance.terminated'],
})
const targetType = text({
  min: 1,
  max: 64,
  pattern: '^[a-z0-9_]+$',
  form: 'a kind of resource such as `instance`',
  examples: ['instance', 'order', 'image'],
})

const targetLimits = { max: webhookFilterMax, description: 'Only events about these resources: their ids. Empty: all.' }
const filters = {
  actions: array(actionPattern, {
    max: webhookFilterMax,
    description: 'Only events with these actions, such as `order.filled` or `instance.*`. Empty: all.',
  }),
  target_types: array(targetType, {
    max: webhookFilterMax,
    description: 'Only events about these kinds of resources, such as `instance`. Empty: all.',
  }),
  // Webhooks that older versions made may have resource paths here, which match nothing.
  targets: array(text({ min: 1, max: 255 }), targetLimits),
}
const targets = array(idOfAnyKind(), targetLimits)

const url = text({
  min: 1,
  max: webhookUrlLengthMax,
  description:
    'URL of the receiver: https, with a public address, without user, password and fragment. The address is checked ' +
    'at each connection. A sandbox also takes http and private addresses.',
})
const description = text({ max: 255, description: 'A note for people.' })
const orderingText =
  '`per_target`: events about one resource are sent one after the other, the next only after success or the last ' +
  'attempt. `none`: in any order.'
const ordering = oneOf(webhookOrderings, { description: orderingText })

const eventCursor = (description: string) => text({ max: 64, pattern: '^evtc_[A-Za-z0-9_-]+$', description })

export const webhookReplay = resource(
  'WebhookReplay',
  'A repeated delivery of events that the webhook has already passed.',
  {
    cursor: eventCursor('How far it is: the cursor of an event of a list without filters.'),
    until: eventCursor('Where it ends: the cursor of an event of a list without filters.'),
  },
)

const fields = {
  object: constant('webhook'),
  id: id('webhook'),
  url,
  description: nullable(description),
  ...filters,
  ordering,
  enabled: boolean({ description: 'Whether it sends events.' }),
  state: oneOf(['active', 'failing', 'disabled'], {
    description: '`failing`: it is enabled, and the last attempts have all failed.',
  }),
  disabled_reason: nullable(
    oneOf(webhookDisabledReasons, {
      description:
        'Why it is disabled: its receiver responded with 410 (`gone`), all attempts failed for days, or a request ' +
        'did it. `null`: it is enabled.',
    }),
  ),
  cursor: text({
    max: 64,
    pattern: '^evtc_[A-Za-z0-9_-]+$',
    description:
      'An event cursor without filters: every event up to it was delivered, does not match the filters, is a pending ' +
      'or failed delivery, or happened while the webhook was disabled or before it began.',
  }),
  replay: nullable(here(webhookReplay, 'The replay that runs. `null`: none.')),
  last_success_at: nullable(
    timestamp({ description: 'When an attempt last succeeded, in Unix seconds. `null`: none has.' }),
  ),
  last_failure_at: nullable(
    timestamp({ description: 'When an attempt last failed, in Unix seconds. `null`: none has.' }),
  ),
  created_at: createdAt,
  updated_at: updatedAt,
}

export const webhook = resource('Webhook', 'An address to which the server sends the events of the account.', fields)
export type Webhook = Static<typeof webhook>

export const webhookWithSecret = resource('WebhookWithSecret', 'A webhook with a new secret.', {
  ...fields,
  secret: text({
    max: 64,
    description: '`whsec_` and the base64 of 32 bytes, which sign deliveries. Shown here only.',
  }),
})
export type WebhookWithSecret = Static<typeof webhookWithSecret>

const params = { id: id('webhook') }

export const createWebhook = endpoint({
  name: 'create_webhook',
  method: 'POST',
  path: '/preview/v2/webhooks',
  area,
  summary: 'Create a webhook',
  description: `Only this response shows the secret of the webhook. The server sends a POST with the headers of
[Standard Webhooks](https://www.standardwebhooks.com) for each event that all filters match: \`webhook-id\` (the id of
the event), \`webhook-timestamp\` and \`webhook-signature\`. The body is \`{"type": action, "timestamp": RFC 3339,
"account": id, "webhook": id, "data": event}\`. A status 2xx within 15 seconds is a success. Events are delivered at
least once: \`webhook-id\` tells repeats apart.`,
  body: object({
    url,
    description: optional(description),
    actions: optional(filters.actions),
    target_types: optional(filters.target_types),
    targets: optional(targets),
    ordering: optional(oneOf(webhookOrderings, { description: `${orderingText} Default \`none\`.` })),
    enabled: optional(
      boolean({ default: true, description: 'Send events at once.', negative: 'Create it without sending events.' }),
    ),
    starting_after: optional(
      cursorParameter(
        'evtc',
        'Also send the events after this one: the cursor of an event of a list without filters. Default: only new ' +
          'ones.',
      ),
    ),
  }),
  response: webhookWithSecret,
  access: 'webhook:create',
  also_access: ['event:list'],
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  idempotent: true,
  no_store: true,
  secret_fields: ['secret'],
  errors: [
    'insufficient_user_authentication',
    'duplicate_entry',
    'invalid_cursor',
    'forbidden',
    'gone',
    'address_not_allowed',
    'limit_exceeded',
  ],
})

export const listWebhooks = endpoint({
  name: 'list_webhooks',
  method: 'GET',
  path: '/preview/v2/webhooks',
  area,
  summary: 'List webhooks',
  description:
    'Newest first, disabled ones too. No entry shows the secret; `state` and `replay` say how delivery goes.',
  query: { ...pageParameters('whkc'), id: repeated(id('webhook', onlyThis)) },
  response: pageOf(webhook, 'whkc'),
  access: 'webhook:list',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getWebhook = endpoint({
  name: 'get_webhook',
  method: 'GET',
  path: '/preview/v2/webhooks/:id',
  area,
  summary: 'Get a webhook',
  description:
    'Shows the filters of a webhook, how delivery goes and how far a replay is, but not the secret. ' +
    '`list_webhook_deliveries` shows what failed.',
  params,
  response: webhook,
  access: 'webhook:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const updateWebhook = endpoint({
  name: 'update_webhook',
  method: 'PATCH',
  path: '/preview/v2/webhooks/:id',
  area,
  summary: 'Change a webhook',
  description:
    'A change takes effect within about a second; until then messages are sent with the old settings. Disabling ends ' +
    'the pending deliveries of events. An enabled webhook gets events from now on: `replay_webhook` delivers the ' +
    'events in between.',
  params,
  body: object({
    url: optional(url),
    description: optional(nullable(description)),
    actions: optional(filters.actions),
    target_types: optional(filters.target_types),
    targets: optional(targets),
    ordering: optional(ordering),
    enabled: optional(boolean({ description: 'Send events.', negative: 'Send no more events.' })),
  }),
  response: webhook,
  access: 'webhook:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  conditional_access: [
    { permission: 'event:list', when: 'where the request changes the URL or a filter, or enables the webhook' },
  ],
  scope: 'account',
  errors: ['insufficient_user_authentication', 'duplicate_entry', 'forbidden', 'not_found', 'address_not_allowed'],
})

export const deleteWebhook = endpoint({
  name: 'delete_webhook',
  method: 'DELETE',
  path: '/preview/v2/webhooks/:id',
  area,
  summary: 'Delete a webhook',
  description:
    'Nothing more is sent, and the deliveries of the webhook can no longer be read. The events stay in the log.',
  params,
  access: 'webhook:delete',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const rotateWebhookSecret = endpoint({
  name: 'rotate_webhook_secret',
  method: 'POST',
  path: '/preview/v2/webhooks/:id/rotate_secret',
  area,
  summary: 'Rotate a webhook secret',
  description:
    'Creates a new secret, which only this response shows. For 24 hours each message is signed with both, so that ' +
    'receivers can change over.',
  params,
  success: 200,
  response: webhookWithSecret,
  access: 'webhook:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  unconfirmed: 'The old secret stays valid for a day.',
  scope: 'account',
  no_store: true,
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const testWebhook = endpoint({
  name: 'test_webhook',
  method: 'POST',
  path: '/preview/v2/webhooks/:id/test',
  area,
  summary: 'Send a test message',
  description:
    'Delivers a message that is no event, also to a disabled webhook. The body is `{"type": "webhook.test", ' +
    '"timestamp": RFC 3339, "data": {"object": "webhook_test"}}`. `get_webhook_delivery` shows the result.',
  params,
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

export const replayWebhook = endpoint({
  name: 'replay_webhook',
  method: 'POST',
  path: '/preview/v2/webhooks/:id/replay',
  area,
  summary: 'Replay events to a webhook',
  description:
    'Delivers events again, from a time or a cursor up to the present, with the same `webhook-id`s. It runs beside ' +
    'the delivery of new events; the member `replay` of the webhook shows how far it is. A second replay, while one ' +
    'is running, extends it.',
  params,
  body: object({
    since: optional(
      timestamp({ description: 'Send the events again that happened at this time or later, in Unix seconds.' }),
    ),
    starting_after: optional(
      cursorParameter(
        'evtc',
        'Send the events after this one again: the cursor of an event of a list without filters.',
      ),
    ),
  }),
  success: 202,
  response: webhook,
  access: 'webhook:write',
  also_access: ['event:list'],
  trust: {
    limited: 'networks',
    recent_sign_in: 'never',
    trail: 'entry',
    unasked: 'It sends what the URL gets anyway.',
  },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'invalid_state', 'gone', 'mutually_exclusive'],
})

export const operations = [
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  replayWebhook,
] as const
