/**
 * The messages about events. All webhooks of an account get the same bytes, signed by the keys of the installation.
 * Only the signature of its secret is a webhook's own. So an event is rendered and signed once a second for all.
 */
import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { RecentCache } from '../core/base/recent-cache.ts'
import type { ServerKeys } from '../core/keys/server-keys.ts'
import { cursorOf, type FeedEvent, jsonOf } from '../events/log/feed.service.ts'
import { contentOf, eventBody, keySignature, testBody } from './signatures.rules.ts'
import { privateKeysOf } from './webhook-keys.service.ts'
import type { Job } from './webhook-queue.service.ts'

/** A message without the signatures of secrets. */
export type Message = {
  readonly id: string
  /** The second of the wall clock in which it is sent. */
  readonly timestamp: number
  /** What signatures cover; `body` is its end. */
  readonly content: Buffer
  readonly body: Buffer
  /** The signatures of the installation. */
  readonly signatures: Promise<readonly string[]>
}

/** The messages of the last events of a server, by the cursor of the event. */
export type Messages = RecentCache<string, Message>

/** The bytes of messages that are remembered. */
export const messagesBytesMax = 8 * 2 ** 20

/** Off the event loop: a signature takes as long as everything else of an attempt. */
const signAside = promisify((content: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
  sign(null, content, key, done),
)

/** The weight of a message among those that are remembered. */
export function bytesOf({ content }: Message): number {
  return content.length
}

/** When and for whom a message is made. `now` is business time, `timestamp` the wall clock, both in seconds. */
export type Sending = { readonly account_id: string; readonly now: number; readonly timestamp: number }

/** The message of a job. */
export function messageOf(messages: Messages, keys: ServerKeys, { event, row }: Job, sending: Sending): Message {
  const { account_id, now, timestamp } = sending
  if (event) return messageOfEvent(messages, keys, event, timestamp)
  if (!row) throw new Error('A job has an event or a row.')
  const { event_id, position, occurred_at, action, body } = row
  if (event_id === null || position === null || occurred_at === null || action === null || body === null) {
    return render(keys, { id: row.id, timestamp, body: testBody(now) })
  }
  // Made anew, since cursor keys may have changed since the row was written.
  const cursor = cursorOf(keys.cursors(), account_id, { position, occurred_at })
  return render(keys, {
    id: event_id,
    timestamp,
    body: eventBody({ action, occurred_at, json: jsonOf({ body, cursor }) }),
  })
}

function messageOfEvent(messages: Messages, keys: ServerKeys, event: FeedEvent, timestamp: number): Message {
  const known = messages.get(event.cursor)
  if (known?.timestamp === timestamp) return known
  const made = render(keys, { id: event.id, timestamp, body: eventBody({ ...event, json: jsonOf(event) }) })
  messages.set(event.cursor, made)
  return made
}

function render(keys: ServerKeys, { id, timestamp, body }: { id: string; timestamp: number; body: string }): Message {
  const content = contentOf({ id, timestamp, body })
  const signatures = Promise.all(
    privateKeysOf(keys.master).map(async (key) => keySignature(await signAside(content, key))),
  )
  const bodyBytes = content.subarray(content.length - Buffer.byteLength(body))
  return { id, timestamp, content, body: bodyBytes, signatures }
}
