/** Verifies the messages of webhooks: the signatures v1 and v1a of Standard Webhooks, by WebCrypto. */
import { decodeBase64 } from '@bourse/text/base64.ts'
import {
  keyBytes,
  publicKeyPrefix,
  secretPrefix,
  signatureVersions,
  signedHead,
} from '@bourse/text/webhook-messages.ts'
import { type WebhookVerificationCode, WebhookVerificationError } from './errors.ts'
import type { LogEvent } from './follow.ts'
import type { WebhookId } from './generated/types.ts'
import { wallSeconds } from './timing.ts'

/** A verified message about an event. A test has the type `webhook.test`. */
export type WebhookMessage = {
  /** The same for all attempts to deliver an event: use it to recognise repeats. */
  readonly id: string
  /** The action of the event. */
  readonly type: LogEvent['action']
  /** When it occurred (RFC 3339). */
  readonly timestamp: string
  /** The id of the account whose events the webhook sends. */
  readonly account: string
  /** The webhook that sent it; null if `bourse webhooks listen` did. */
  readonly webhook: WebhookId | null
  readonly data: LogEvent | { readonly object: 'webhook_test' }
}

/** The headers of a request: of `fetch`, of Node, or any object with names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** What to expect of a message. */
export type VerifyOptions = {
  /**
   * The id of your account, as `GET /preview/v2/account` and `bourse whoami` show it. The public keys of an
   * installation sign the messages of all of its accounts, so only this refuses those of somebody else's webhook.
   */
  readonly account: string
  /** The id of the webhook, `whk_…`. By default any one of the account. */
  readonly webhook?: string
  /** The seconds by which the time of the message may differ from the clock of this machine. Default 300. */
  readonly tolerance?: number
}

const defaultTolerance = 300

/**
 * Verifies a message and returns it. `keys`: the secret of the webhook (`whsec_…`), a public key of the installation
 * (`whpk_…`, from /.well-known/webhook-keys), or several of them; one valid signature is enough. `rawBody`: the body as
 * it was received, not parsed and printed again. Throws WebhookVerificationError, whose `code` says why.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  keys: string | readonly string[],
  options: VerifyOptions,
): Promise<WebhookMessage> {
  // Callers without types may leave the options out.
  const { account, webhook, tolerance = defaultTolerance }: Partial<VerifyOptions> = options ?? {}
  if (!account) throw refusal('missing_account', 'Give the id of your account: messages of others are genuine too.')
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signature) throw refusal('invalid_headers', 'A header of the webhook is missing.')
  if (!/^\d{1,15}$/.test(timestamp)) throw refusal('invalid_headers', 'The header webhook-timestamp is no time.')
  if (Math.abs(wallSeconds() - Number(timestamp)) > tolerance) {
    throw refusal('outside_tolerance', 'The time of the message is too far from the clock of this machine.')
  }
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody
  const content = joined(new TextEncoder().encode(signedHead({ id, timestamp })), body)
  const given = signature.split(' ').map(splitSignature)
  for (const key of [keys].flat()) {
    if (await isSignedBy(key, content, given)) return { id, ...expect(parse(body), account, webhook) }
  }
  throw refusal('invalid_signature', 'No signature of the message is valid.')
}

/** The message, if it is for the account and the webhook. */
function expect(message: Signed, account: string, webhook: string | undefined): Signed {
  if (message.account === undefined) {
    throw refusal('unaddressed', 'The message names no account: an older server sent it.')
  }
  if (message.account !== account) {
    throw refusal('other_account', `The message is for the account ${message.account}, not for ${account}.`)
  }
  if (webhook !== undefined && message.webhook !== webhook) {
    throw refusal('other_webhook', `The message is of the webhook ${message.webhook}, not of ${webhook}.`)
  }
  return message
}

/** What the signatures cover besides the id. */
type Signed = Omit<WebhookMessage, 'id'>

type Signature = { readonly version: string; readonly bytes: Uint8Array<ArrayBuffer> }

async function isSignedBy(
  key: string,
  content: Uint8Array<ArrayBuffer>,
  signatures: readonly Signature[],
): Promise<boolean> {
  const isPublic = key.startsWith(publicKeyPrefix)
  const bytes = keyBytes(isPublic ? publicKeyPrefix : secretPrefix, key)
  if (!bytes) throw refusal('invalid_key', 'A key begins with whsec_ or whpk_, followed by base64.')
  const algorithm = isPublic ? { name: 'Ed25519' } : { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
  for (const { version, bytes: signature } of signatures) {
    if (version !== signatureVersions[isPublic ? 'public_key' : 'secret']) continue
    if (await crypto.subtle.verify(algorithm.name, imported, signature, content)) return true
  }
  return false
}

function splitSignature(text: string): Signature {
  const comma = text.indexOf(',')
  return { version: text.slice(0, comma), bytes: decodeBase64(text.slice(comma + 1)) ?? new Uint8Array() }
}

function parse(body: Uint8Array): Signed {
  const message = parseJson(body)
  if (typeof message !== 'object' || message === null) throw refusal('invalid_body', 'The body is no JSON object.')
  return message as Signed
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function refusal(code: WebhookVerificationCode, message: string): WebhookVerificationError {
  return new WebhookVerificationError(message, code)
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([other]) => other.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : value?.[0]
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + body.length)
  whole.set(head)
  whole.set(body, head.length)
  return whole
}
