import { endpoint } from '../kit/endpoint.ts'
import { boolean, constant, resource, type Static, shortListOf, text } from '../kit/schema.ts'

export const webhookKey = resource(
  'WebhookKey',
  'A public key of the installation, which signs the deliveries of all webhooks.',
  {
    object: constant('webhook_key'),
    public_key: text({ max: 64, description: '`whpk_` and the base64 of the 32 bytes of an Ed25519 key.' }),
    is_current: boolean({ description: 'Whether new deliveries are signed with it.' }),
  },
)
export type WebhookKey = Static<typeof webhookKey>

export const listWebhookKeys = endpoint({
  name: 'list_webhook_keys',
  method: 'GET',
  path: '/.well-known/webhook-keys',
  area: 'process',
  summary: 'List webhook keys',
  description:
    'Shows the public keys of the signatures `v1a` of webhook messages, newest first. Receivers verify with them ' +
    'instead of the secret of a webhook.',
  response: shortListOf(webhookKey, 100),
  access: 'public',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  rate: 'none',
})

export const operations = [listWebhookKeys] as const
