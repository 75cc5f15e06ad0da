/** The messages of webhooks, signed by the keys of the installation. The secret of the webhook signs in attempts. */
import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import {
  type Addressee,
  eventBody,
  shownSignature,
  signatureVersions,
  signedContent,
  testBody,
} from '@bourse/text/webhook-messages.ts'
import type { ServerKeys } from '../core/keys/server-keys.ts'
import { cursorOf, jsonOf } from '../events/log/feed.service.ts'
import { privateKeysOf } from './webhook-keys.service.ts'
import type { Job } from './webhook-queue.service.ts'

/** A message without the signatures of secrets. */
export type DeliveryMessage = {
  readonly id: string
  /** The second of the wall clock in which it is sent. */
  readonly timestamp: number
  /** What signatures cover; `body` is its end. */
  readonly content: Buffer
  readonly body: Buffer
  /** The signatures of the installation. */
  readonly signatures: Promise<readonly string[]>
}

/** Off the event loop: a signature takes as long as everything else of an attempt. */
const signAside = promisify((content: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) =>
  sign(null, content, key, done),
)

/** When and for whom a message is made. `now` is business time, `timestamp` the wall clock, both in seconds. */
type Sending = Addressee & { readonly now: number; readonly timestamp: number }

/** The message of a job. */
export function messageOf(keys: ServerKeys, { event, row }: Job, sending: Sending): DeliveryMessage {
  const { account, now, timestamp } = sending
  if (event) {
    return render(keys, { id: event.id, timestamp, body: eventBody(sending, { ...event, json: jsonOf(event) }) })
  }
  if (!row) throw new Error('A job has an event or a row.')
  const { event_id, position, occurred_at, action, body } = row
  if (event_id === null || position === null || occurred_at === null || action === null || body === null) {
    return render(keys, { id: row.id, timestamp, body: testBody(sending, now) })
  }
  // Made anew, since cursor keys may have changed since the row was written.
  const json = jsonOf({ body, cursor: cursorOf(keys.cursors(), account, { position, occurred_at }) })
  return render(keys, { id: event_id, timestamp, body: eventBody(sending, { action, occurred_at, json }) })
}

function render(
  keys: ServerKeys,
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): DeliveryMessage {
  const content = Buffer.from(signedContent({ id, timestamp, body }))
  const signatures = Promise.all(
    privateKeysOf(keys.master).map(async (key) => {
      const signature = await signAside(content, key)
      return shownSignature(signatureVersions.public_key, signature.toString('base64'))
    }),
  )
  const bodyBytes = content.subarray(content.length - Buffer.byteLength(body))
  return { id, timestamp, content, body: bodyBytes, signatures }
}
