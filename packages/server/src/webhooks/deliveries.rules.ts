/** When a delivery is attempted again, and what its attempts say about its webhook. */

import type { Id } from '@bourse/api/kit/ids.ts'
import type { AttemptError, DeliveryAttempt, WebhookDelivery } from '@bourse/api/webhooks/webhook-deliveries.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { Tables } from '../core/generated/tables.ts'

/** A delivery that has a row. */
export type DeliveryRow = Omit<Tables['webhook_deliveries'], 'id'> & {
  id: Id<'webhook_delivery'>
  origin: WebhookDelivery['origin']
  state: WebhookDelivery['state']
  attempts: DeliveryAttempt[]
}

/** The outcome of an attempt in the row of its delivery. */
export type DeliveryChange = Pick<DeliveryRow, 'id' | 'state' | 'attempts' | 'next_attempt_at'>

/** The pending deliveries of a target. */
export type PendingOfTarget = { readonly origin: string; readonly target_id: string | null; readonly pending: number }

/** The columns of {@link DeliveryRow}, of the table as `d`. */
export const deliveryColumns = `d.id, d.webhook_id, d.origin, d.event_id, d.position, d.occurred_at, d.action,
     d.target_id, d.body, d.state, d.attempts, d.next_attempt_at, d.created_at`

/** The most pending deliveries of the events of a webhook. Beyond them new events wait behind the cursor. */
export const pendingMax = 1_000

/** The result of an attempt. `status` null: there was no answer. */
export type AttemptResult = {
  readonly status: number | null
  readonly error: AttemptError | null
  /** The seconds for which the receiver asks to be left alone. */
  readonly retry_after_seconds?: number | undefined
}

/** What a webhook remembers of its attempts. Times are those of the business clock, in seconds. */
export type WebhookHealth = {
  /** Failed attempts in a row, and when the first of them was. */
  readonly failures: number
  readonly failures_since: number | null
  readonly is_failing: boolean
  readonly enabled: boolean
  readonly disabled_reason: 'gone' | 'failures' | 'user' | null
}

/** A change of a webhook's health that is written to the log. */
export type HealthEvent = 'webhook.failing' | 'webhook.recovered' | 'webhook.disabled'

/** The seconds between the attempts of a delivery. */
const retrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const
const jitter = 0.1
const retryAfterMax = hourSeconds
const failingAfter = 10
const disabledAfterSeconds = 5 * daySeconds
const gone = 410

/** Whether an attempt delivered. */
export function isDelivered({ status, error }: AttemptResult): boolean {
  return error === null && status !== null && status >= 200 && status < 300
}

/**
 * When a delivery with `made` failed attempts is attempted again; undefined after the last one. `chance` from 0 to 1
 * spreads the attempts by a tenth.
 */
export function nextAttemptAt(
  made: number,
  { now, chance, retry_after_seconds = 0 }: { now: number; chance: number; retry_after_seconds?: number | undefined },
): number | undefined {
  const seconds = retrySeconds[made - 1]
  if (seconds === undefined) return undefined
  const spread = Math.round(seconds * (1 - jitter + 2 * jitter * chance))
  return now + Math.max(1, spread, retry_after_seconds)
}

/**
 * The seconds for which a receiver asks to be left alone, at most an hour; undefined if it does not ask. Only 429 and
 * 503 can. `wallSeconds` is the real time, for a date instead of seconds.
 */
export function readRetryAfter(status: number, header: string | undefined, wallSeconds: number): number | undefined {
  if (header === undefined || (status !== 429 && status !== 503)) return undefined
  const seconds = /^\d{1,10}$/.test(header.trim()) ? Number(header) : Math.ceil(Date.parse(header) / 1000 - wallSeconds)
  return seconds > 0 ? Math.min(seconds, retryAfterMax) : undefined
}

/** The health after a success, and the events to write. */
export function afterSuccess(health: WebhookHealth): { health: WebhookHealth; events: HealthEvent[] } {
  const events: HealthEvent[] = health.enabled && health.is_failing ? ['webhook.recovered'] : []
  return { health: { ...health, failures: 0, failures_since: null, is_failing: false }, events }
}

/** The health after a failure, and the events to write. A webhook that is already disabled stays so. */
export function afterFailure(
  before: WebhookHealth,
  { status }: AttemptResult,
  now: number,
): { health: WebhookHealth; events: HealthEvent[] } {
  const failures = before.failures + 1
  const failures_since = before.failures_since ?? now
  const counted = { ...before, failures, failures_since }
  if (!before.enabled) return { health: counted, events: [] }
  const isOver = failures >= failingAfter && now - failures_since >= disabledAfterSeconds
  if (status === gone || isOver) {
    const disabled_reason = status === gone ? ('gone' as const) : ('failures' as const)
    return { health: { ...counted, enabled: false, disabled_reason }, events: ['webhook.disabled'] }
  }
  if (before.is_failing || failures < failingAfter) return { health: counted, events: [] }
  return { health: { ...counted, is_failing: true }, events: ['webhook.failing'] }
}

/** For how long the clock of a sandbox waits for the attempt, whether the receiver answers or not. */
const heldMilliseconds = 2_000
/**
 * After so many turns of the worker since then, the attempt was at least begun. Until then the clock waits on: on a
 * busy machine the process may have had no turn in those two seconds. The turns do not depend on receivers.
 */
const heldTicks = 5

/** A moment in monotonic milliseconds, and in turns of the worker of webhooks so far; none without a worker. */
export type WorkerMoment = { readonly milliseconds: number; readonly ticks: number }

/**
 * Whether the clock of a sandbox still waits now for an attempt that has been due since a moment: for two seconds, and
 * beyond them only while the worker has not had its turns.
 */
export function isAttemptAwaited(since: WorkerMoment, now: WorkerMoment): boolean {
  const isWorkerBehind = now.ticks > 0 && now.ticks - since.ticks < heldTicks
  return isWorkerBehind || now.milliseconds - since.milliseconds < heldMilliseconds
}
