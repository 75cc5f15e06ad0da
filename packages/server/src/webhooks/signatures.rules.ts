/** The messages of webhooks and their signatures, as Standard Webhooks specifies them (v1 and v1a). */
import { createHmac, type KeyObject, sign } from 'node:crypto'

/** The prefix of a secret, before the base64 of its bytes. */
export const secretPrefix = 'whsec_'
/** The prefix of a public key, before the base64 of its bytes. */
export const publicKeyPrefix = 'whpk_'
/** The bytes of a secret. */
export const secretBytes = 32

/** The keys that sign a message: the secrets of the webhook as bytes, and the keys of the installation. */
export type SigningKeysOfWebhook = {
  readonly secrets: readonly Buffer[]
  readonly private_keys: readonly KeyObject[]
}

/** A message before it is signed. `timestamp` is the time of the attempt in Unix seconds. */
export type Message = { readonly id: string; readonly timestamp: number; readonly body: string }

/** A secret as its webhook shows it. */
export function showSecret(secret: Buffer): string {
  return secretPrefix + secret.toString('base64')
}

/** The headers of a message. */
export function signedHeaders(message: Message, keys: SigningKeysOfWebhook): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signaturesOf(message, keys),
  }
}

/** All signatures of a message, separated by spaces. */
export function signaturesOf(
  { id, timestamp, body }: Message,
  { secrets, private_keys }: SigningKeysOfWebhook,
): string {
  const content = Buffer.from(`${id}.${timestamp}.${body}`)
  return [
    ...secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`),
    ...private_keys.map((key) => `v1a,${sign(null, content, key).toString('base64')}`),
  ].join(' ')
}

/** The body of the message about an event. `json` is the event as the event list shows it. */
export function eventBody({
  action,
  occurred_at,
  json,
}: {
  action: string
  occurred_at: number
  json: string
}): string {
  return `{"type":${JSON.stringify(action)},"timestamp":"${rfc3339(occurred_at)}","data":${json}}`
}

/** The body of a test message. */
export function testBody(now: number): string {
  return JSON.stringify({ type: 'webhook.test', timestamp: rfc3339(now), data: { object: 'webhook_test' } })
}

function rfc3339(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z')
}
