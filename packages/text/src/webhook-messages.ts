/**
 * The messages of webhooks and what their signatures cover, as Standard Webhooks specifies them (v1 and v1a). Who signs
 * or verifies computes the signatures with the cryptography of its platform.
 */
import { decodeBase64, encodeBase64 } from './base64.ts'

/** The prefix of a secret, before the base64 of its bytes. */
export const secretPrefix = 'whsec_'
/** The prefix of a public key, before the base64 of its bytes. */
export const publicKeyPrefix = 'whpk_'
/** The bytes of a secret. */
export const secretBytes = 32

/** A secret as its webhook shows it. */
export function showSecret(secret: Uint8Array): string {
  return secretPrefix + encodeBase64(secret)
}

/** The bytes of a key by its prefix; undefined for any other text. */
export function keyBytes(prefix: string, text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = text.startsWith(prefix) ? decodeBase64(text.slice(prefix.length)) : undefined
  return bytes && bytes.length > 0 ? bytes : undefined
}

/** The version of a signature by the kind of key: HMAC-SHA-256 of a secret, Ed25519 of a public key. */
export const signatureVersions = { secret: 'v1', public_key: 'v1a' } as const
export type SignatureVersion = (typeof signatureVersions)[keyof typeof signatureVersions]

/** A message before it is signed. `timestamp` is the time of the attempt in Unix seconds. */
export type UnsignedMessage = { readonly id: string; readonly timestamp: number | string; readonly body: string }

/** What signatures cover before the body. */
export function signedHead({ id, timestamp }: Omit<UnsignedMessage, 'body'>): string {
  return `${id}.${timestamp}.`
}

/** What the signatures of a message cover. It ends with the body. */
export function signedContent(message: UnsignedMessage): string {
  return signedHead(message) + message.body
}

/** A signature as messages show it. */
export function shownSignature(version: SignatureVersion, base64: string): string {
  return `${version},${base64}`
}

/** The headers of a message. */
export function signedHeaders(
  { id, timestamp }: Omit<UnsignedMessage, 'body'>,
  signatures: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
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
