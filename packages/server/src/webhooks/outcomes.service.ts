/**
 * Writes the outcomes of attempts, many in one transaction: deliveries of events that failed, the next attempts of
 * others, and the health of webhooks with its events. Outcomes of a server that no longer delivers for the webhook are
 * refused. Not this file's work: successes at once, which move only the cursor (workers.store.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { systemCommand } from '../core/work/command.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Runtime } from '../core/work/runtime.ts'
import {
  type AttemptResult,
  afterFailure,
  afterSuccess,
  type DeliveryChange,
  type DeliveryRow,
  type HealthEvent,
  isDelivered,
  nextAttemptAt,
} from './deliveries.rules.ts'
import { writeDeliveries } from './delivery-rows.service.ts'
import { type HealthColumns, putHealth } from './outcomes.store.ts'
import type { Job, Queue, QueueEntry } from './webhook-queue.service.ts'
import type { WebhookRow } from './webhooks.rules.ts'
import { lockWebhooks } from './webhooks.service.ts'

/** An attempt that has ended. `at` is business time in seconds. */
export type EndedAttempt = AttemptResult & { readonly at: number; readonly duration_ms: number }

/** What has to be written about a job. Without an attempt, the event waits for an earlier one of its target. */
export type JobOutcome = {
  readonly queue: Queue
  readonly job: Job
  readonly entry: QueueEntry | undefined
  readonly attempt: EndedAttempt | undefined
  /** Whether a failed event gets a delivery. */
  readonly keeps: boolean
  /** Whether another attempt has succeeded since the last recorded failure. */
  readonly after_success: boolean
}

/** What became of an outcome. `state` is that of the delivery; undefined if it has none, or had one before. */
export type Recorded = {
  readonly state: DeliveryRow['state'] | undefined
  /** The webhook as it is now. */
  readonly row: WebhookRow
}

/** A webhook while its outcomes are applied. */
type WebhookAccount = { row: WebhookRow; readonly before: WebhookRow; readonly events: HealthEvent[] }
type WrittenDeliveries = { readonly inserts: DeliveryRow[]; readonly updates: DeliveryChange[] }

/** Records outcomes in their order; the results are in the same order. */
export function recordOutcomes(
  runtime: Runtime,
  workerId: string,
  outcomes: readonly JobOutcome[],
): Promise<(Recorded | undefined)[]> {
  return systemCommand(runtime, (ctx) => record(ctx, workerId, outcomes))
}

async function record(ctx: Ctx, workerId: string, outcomes: readonly JobOutcome[]): Promise<(Recorded | undefined)[]> {
  const rows = await lockWebhooks(ctx, [...new Set(outcomes.map(({ queue }) => queue.row.id))])
  const accounts = new Map<string, WebhookAccount>(rows.map((row) => [row.id, { row, before: row, events: [] }]))
  const own = ({ queue }: JobOutcome): WebhookAccount | undefined => {
    const account = accounts.get(queue.row.id)
    const isOwn = account?.row.worker_id === workerId && account.row.epoch === queue.row.epoch
    return isOwn ? account : undefined
  }
  const written: WrittenDeliveries = { inserts: [], updates: [] }
  const states = outcomes.map((outcome) => {
    const account = own(outcome)
    return account && apply(ctx, account, outcome, written)
  })
  await write(ctx, written, accounts)
  return outcomes.map((outcome, index) => {
    const account = own(outcome)
    return account && { state: states[index], row: account.row }
  })
}

/** Applies one outcome to its webhook, and adds what it writes. Returns the state of the delivery. */
function apply(
  ctx: Ctx,
  account: WebhookAccount,
  outcome: JobOutcome,
  written: WrittenDeliveries,
): DeliveryRow['state'] | undefined {
  const { job, attempt, keeps, after_success } = outcome
  if (!attempt) {
    written.inserts.push(newRow(ctx, account.row, job, { attempts: [], next_attempt_at: null, state: 'pending' }))
    return 'pending'
  }
  const isSuccess = isDelivered(attempt)
  if (isSuccess || after_success) use(account, afterSuccess(account.row))
  if (isSuccess) account.row = { ...account.row, last_success_at: ctx.now }
  else {
    use(account, afterFailure(account.row, attempt, ctx.now))
    const paused_until = attempt.retry_after_seconds === undefined ? 0 : ctx.now + attempt.retry_after_seconds
    const longer = Math.max(paused_until, account.row.paused_until ?? 0)
    account.row = { ...account.row, last_failure_at: ctx.now, paused_until: longer > ctx.now ? longer : null }
  }
  const made = [...(job.row?.attempts ?? []), shownAttempt(attempt)]
  const next_attempt_at = isSuccess ? undefined : nextOf(ctx, account.row, { job, made: made.length, attempt })
  const state = isSuccess ? 'succeeded' : next_attempt_at === undefined ? 'failed' : 'pending'
  const change = { state, attempts: made, next_attempt_at: next_attempt_at ?? null } as const
  if (job.row) written.updates.push({ id: job.row.id, ...change })
  else if (!isSuccess && keeps) written.inserts.push(newRow(ctx, account.row, job, change))
  else return undefined
  return state
}

function nextOf(
  ctx: Ctx,
  { enabled }: WebhookRow,
  { job, made, attempt }: { job: Job; made: number; attempt: EndedAttempt },
): number | undefined {
  // A disabled webhook still delivers what is requested.
  if (!enabled && (job.origin === 'event' || job.origin === 'replay')) return undefined
  const { retry_after_seconds } = attempt
  return nextAttemptAt(made, { now: ctx.now, chance: ctx.random.integer(1001) / 1000, retry_after_seconds })
}

function use(account: WebhookAccount, { health, events }: ReturnType<typeof afterSuccess>): void {
  account.row = { ...account.row, ...health }
  account.events.push(...events)
}

async function write(
  ctx: Ctx,
  { inserts, updates }: WrittenDeliveries,
  accounts: ReadonlyMap<string, WebhookAccount>,
): Promise<void> {
  const changed = [...accounts.values()].filter(({ row, before }) => row !== before)
  const rows = changed.map(({ row }) => healthOf(row))
  const changes = {
    webhook_ids: [...accounts.keys()],
    inserts,
    updates,
    ended: changed.filter(({ row, before }) => before.enabled && !row.enabled).map(({ row }) => row.id),
    ordered: [...accounts.values()].filter(({ row }) => row.ordering === 'per_target').map(({ row }) => row.id),
  }
  await Promise.all([putHealth(ctx.db, rows), writeDeliveries(ctx, changes)])
  for (const { row, events } of changed) {
    for (const action of events) {
      const target = { target_type: 'webhook', target_id: row.id }
      ctx.emit({ account_id: row.account_id, workspace_id: null, action, ...target })
    }
  }
}

function healthOf(row: WebhookRow): HealthColumns {
  const { id, enabled, disabled_reason, failures, failures_since, is_failing } = row
  const { last_success_at, last_failure_at, paused_until } = row
  return {
    id,
    enabled,
    disabled_reason,
    failures,
    failures_since,
    is_failing,
    last_success_at,
    last_failure_at,
    paused_until,
  }
}

function newRow(
  ctx: Ctx,
  { id: webhook_id }: WebhookRow,
  { origin, event }: Job,
  change: Omit<DeliveryChange, 'id'>,
): DeliveryRow {
  if (!event) throw new Error('Only events have deliveries without a row.')
  const { id: event_id, position, occurred_at, action, target_id, body } = event
  const about = { event_id: event_id as Id<'event'>, position, occurred_at, action, target_id, body }
  return { id: ctx.newId('webhook_delivery'), webhook_id, origin, ...about, ...change, created_at: ctx.now }
}

function shownAttempt({ at, status, error, duration_ms }: EndedAttempt): DeliveryRow['attempts'][number] {
  return { at, status, error, duration_ms }
}
