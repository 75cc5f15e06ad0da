/** One attempt of a delivery: the message, its signatures, and the request. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { monotonicMilliseconds, wallMilliseconds } from '../core/base/clock.ts'
import { version } from '../core/base/version.ts'
import type { Egress, EgressAnswer } from '../core/egress/egress.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { cursorOf, jsonOf } from '../events/log/feed.service.ts'
import { type AttemptResult, readRetryAfter } from './deliveries.rules.ts'
import type { Attempt } from './outcomes.service.ts'
import { eventBody, type Message, signedHeaders, testBody } from './signatures.rules.ts'
import { privateKeysOf } from './webhook-keys.service.ts'
import type { Job } from './webhook-queue.service.ts'
import { secretsOf } from './webhook-secrets.service.ts'
import type { WebhookRow } from './webhooks.rules.ts'

/** The status with which an injected fault fails an attempt; undefined where none does. */
export type AttemptFault = (webhook_id: Id<'webhook'>) => Promise<number | undefined>

const fixedHeaders = { 'content-type': 'application/json', 'user-agent': `Bourse/${version}` }

/** Attempts a delivery. Never throws. `now` is the business time in seconds. */
export async function attempt(
  { keys, log }: Pick<Runtime, 'keys' | 'log'>,
  egress: Egress,
  { row, job, now, fault }: { row: WebhookRow; job: Job; now: number; fault: AttemptFault },
): Promise<Attempt> {
  const began = monotonicMilliseconds()
  const wall_seconds = Math.floor(wallMilliseconds() / 1000)
  const end = (result: AttemptResult): Attempt => {
    return { ...result, at: now, duration_ms: Math.round(monotonicMilliseconds() - began) }
  }
  try {
    const injected = await fault(row.id)
    if (injected !== undefined) return end({ status: injected, error: null })
    const message = messageOf(keys, { row, job, now, timestamp: wall_seconds })
    const signing = { secrets: secretsOf(keys.master, row, now), private_keys: privateKeysOf(keys.master) }
    const headers = { ...fixedHeaders, ...signedHeaders(message, signing) }
    return end(resultOf(await egress.post(row.url, { headers, body: Buffer.from(message.body) }), wall_seconds))
  } catch (error) {
    log.error({ err: error, webhook_id: row.id }, 'An attempt to deliver failed in the server itself.')
    return end({ status: null, error: 'connection_failed' })
  }
}

/** The message of a job. The cursor of an event is made anew, since cursor keys may have changed since it was read. */
function messageOf(
  keys: Runtime['keys'],
  { row, job, now, timestamp }: { row: WebhookRow; job: Job; now: number; timestamp: number },
): Message {
  const { event, row: delivery } = job
  if (event) return { id: event.id, timestamp, body: eventBody({ ...event, json: jsonOf(event) }) }
  if (!delivery) throw new Error('A job has an event or a row.')
  const { event_id, position, occurred_at, action, body } = delivery
  if (event_id === null || position === null || occurred_at === null || action === null || body === null) {
    return { id: delivery.id, timestamp, body: testBody(now) }
  }
  const cursor = cursorOf(keys.cursors(), row.account_id, { position, occurred_at })
  return { id: event_id, timestamp, body: eventBody({ action, occurred_at, json: jsonOf({ body, cursor }) }) }
}

function resultOf(answer: EgressAnswer, wall_seconds: number): AttemptResult {
  if ('error' in answer) return { status: null, error: answer.error }
  const { status, retry_after } = answer
  const isRedirect = status >= 300 && status < 400
  const retry_after_seconds = readRetryAfter(status, retry_after, wall_seconds)
  return { status, error: isRedirect ? 'redirect' : null, retry_after_seconds }
}
