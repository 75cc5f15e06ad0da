/** One attempt of a delivery: the message, its signatures, and the request. */
import { createHmac, type KeyObject } from 'node:crypto'
import type { Id } from '@bourse/api/kit/ids.ts'
import { shownSignature, signatureVersions, signedHeaders } from '@bourse/text/webhook-messages.ts'
import { monotonicMilliseconds, wallMilliseconds } from '../core/base/clock.ts'
import { version } from '../core/base/version.ts'
import { type Egress, type EgressResponse, targetOf } from '../core/egress/egress.ts'
import type { Runtime } from '../core/work/runtime.ts'
import { type AttemptResult, isDelivered, readRetryAfter } from './deliveries.rules.ts'
import { type DeliveryMessage, messageOf } from './messages.service.ts'
import type { EndedAttempt } from './outcomes.service.ts'
import type { Job, MessageSender, Queue } from './webhook-queue.service.ts'
import { openSigningSecrets } from './webhook-secrets.service.ts'

/** The status with which an injected fault fails an attempt; undefined where none does. */
export type AttemptFault = (webhook_id: Id<'webhook'>) => Promise<number | undefined> | undefined

/** One attempt. `now` is the business time in seconds. */
type AttemptRequest = { readonly queue: Queue; readonly job: Job; readonly now: number }

const fixedHeaders = ['content-type', 'application/json', 'user-agent', `Bourse/${version}`]

/** Attempts a delivery. Never throws. */
export async function attempt(
  { keys, log, tracing }: Pick<Runtime, 'keys' | 'log' | 'tracing'>,
  { egress, fault }: { readonly egress: Egress; readonly fault: AttemptFault },
  { queue, job, now }: AttemptRequest,
): Promise<EndedAttempt> {
  const began = monotonicMilliseconds()
  const timestamp = Math.floor(wallMilliseconds() / 1000)
  const { row } = queue
  const attributes = { 'bourse.webhook_id': row.id, 'bourse.account_id': row.account_id }
  const span = tracing?.begin('webhook delivery', { kind: 'call', attributes })
  const end = (result: AttemptResult): EndedAttempt => {
    span?.set({ 'http.response.status_code': result.status ?? undefined })
    span?.end(isDelivered(result) ? undefined : (result.error ?? String(result.status)))
    return { ...result, at: now, duration_ms: Math.round(monotonicMilliseconds() - began) }
  }
  try {
    const failing = fault(row.id)
    const injected = failing && (await failing)
    if (injected !== undefined) return end({ status: injected, error: null })
    const message = messageOf(keys, job, { account: row.account_id, webhook: row.id, now, timestamp })
    queue.sender ??= { target: targetOf(row.url), secrets: openSigningSecrets(keys.master, row) }
    const headers = headersOf(message, { secrets: queue.sender.secrets, now, shared: await message.signatures })
    if (span) headers.push('traceparent', span.traceparent)
    return end(resultOf(await egress.post(queue.sender.target, { headers, body: message.body }), timestamp))
  } catch (error) {
    log.error({ err: error, webhook_id: row.id }, 'An attempt to deliver failed in the server itself.')
    return end({ status: null, error: 'connection_failed' })
  }
}

type Signing = { readonly secrets: MessageSender['secrets']; readonly now: number; readonly shared: readonly string[] }

function headersOf({ id, timestamp, content }: DeliveryMessage, { secrets, now, shared }: Signing): string[] {
  const own = secrets.filter(({ until }) => until > now).map(({ key }) => secretSignature(content, key))
  return [...fixedHeaders, ...Object.entries(signedHeaders({ id, timestamp }, [...own, ...shared])).flat()]
}

function secretSignature(content: Buffer, secret: KeyObject): string {
  return shownSignature(signatureVersions.secret, createHmac('sha256', secret).update(content).digest('base64'))
}

function resultOf(response: EgressResponse, wallSeconds: number): AttemptResult {
  if ('error' in response) return { status: null, error: response.error }
  const { status, retry_after } = response
  const isRedirect = status >= 300 && status < 400
  const retry_after_seconds = readRetryAfter(status, retry_after, wallSeconds)
  return { status, error: isRedirect ? 'redirect' : null, retry_after_seconds }
}
