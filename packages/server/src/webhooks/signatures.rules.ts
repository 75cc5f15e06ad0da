/** The messages of webhooks and their signatures, as Standard Webhooks specifies them (v1 and v1a). */
import { createHmac, type KeyObject, sign } from 'node:crypto'

/** The prefix of a secret, before the base64 of its bytes. */
export const secretPrefix = 'whsec_'
/** The prefix of a public key, before the base64 of its bytes. */
export const publicKeyPrefix = 'whpk_'
/** The bytes of a secret. */
export const secretBytes = 32

/** The keys that sign a message: the secrets of the webhook as bytes, and the keys of the installation. */
type SigningKeysOfWebhook = {
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
export function signedHeaders(
  message: Message,
  { secrets, private_keys }: SigningKeysOfWebhook,
): Record<string, string> {
  const content = contentOf(message)
  const signatures = [
    ...secrets.map((secret) => secretSignature(content, secret)),
    ...private_keys.map((key) => keySignature(sign(null, content, key))),
  ]
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** What the signatures of a message cover. It ends with the body. */
export function contentOf({ id, timestamp, body }: Message): Buffer {
  return Buffer.from(`${id}.${timestamp}.${body}`)
}

/** The signature of a secret. */
export function secretSignature(content: Buffer, secret: Buffer | KeyObject): string {
  return `v1,${createHmac('sha256', secret).update(content).digest('base64')}`
}

/** An Ed25519 signature as messages show it. */
export function keySignature(signature: Buffer): string {
  return `v1a,${signature.toString('base64')}`
}

/**
 * Whom a message is for: the account whose events the webhook sends, and the webhook; null for a sender that is none.
 * Both are signed with the body, so that no message verifies at the receiver of another account.
 */
export type Addressee = { readonly account: string; readonly webhook: string | null }

/** The body of the message about an event. `json` is the event as the event list shows it. */
export function eventBody(
  addressee: Addressee,
  { action, occurred_at, json }: { action: string; occurred_at: number; json: string },
): string {
  return `${headOf(addressee, action, occurred_at)},"data":${json}}`
}

/** The body of a test message. */
export function testBody(addressee: Addressee, now: number): string {
  return `${headOf(addressee, 'webhook.test', now)},"data":{"object":"webhook_test"}}`
}

function headOf({ account, webhook }: Addressee, type: string, second: number): string {
  return JSON.stringify({ type, timestamp: rfc3339(second), account, webhook }).slice(0, -1)
}

function rfc3339(second: number): string {
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z')
}
