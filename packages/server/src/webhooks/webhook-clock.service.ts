/**
 * Ties the attempts of deliveries to the clock of the sandbox. Workers find due attempts by themselves
 * (webhook-shares.store.ts). In a sandbox a due row marks them as well, so that the clock, which may be advanced by
 * days, stops at each of them until it has been made.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { WorkerMoment } from './deliveries.rules.ts'

/** The kind of the due rows; the key is the id of the webhook. */
export const attemptsDueKind = 'webhooks.attempts_due'

/** How the webhooks of a server differ between sandbox and production. */
type WebhookSettings = {
  /** Whether URLs must be https, and of public addresses. */
  readonly is_public_only: boolean
  /** Whether the clock waits for attempts. */
  readonly holds_clock: boolean
}

/** Since when the clock waits for the attempts of a webhook that are due at a time. */
type WebhookClock = {
  readonly held: Map<string, { readonly at: number; readonly since: WorkerMoment }>
  /** The ticks of the worker of this server so far; 0 without one. */
  ticks: number
  /** Lets the worker of this server, if it runs one, look for due attempts at once. */
  wake: () => void
}

/** The attempts of a server since its start. */
type WebhookCounts = { delivered: number; failed: number }

/**
 * For how many seconds the oldest new event of any webhook of a server has waited: of webhooks that deliver, and of
 * those whose receivers fail or do not answer.
 */
export type WebhookLags = { readonly active: number; readonly failing: number }

/** What a server measures of its webhooks. */
type WebhookMeasures = { lags: () => WebhookLags }

declare module '../core/work/services.ts' {
  interface Services {
    readonly webhook_settings: WebhookSettings
    readonly webhook_clock: WebhookClock
    readonly webhook_counts: WebhookCounts
    readonly webhook_measures: WebhookMeasures
  }
}

/** Notes when the next attempt of a webhook is due. */
export function noteNextAttempts(ctx: Ctx, next: ReadonlyMap<string, number | null>): void {
  if (!ctx.services.webhook_settings.holds_clock) return
  for (const [id, at] of next) if (at !== null) ctx.schedule(attemptsDueKind, id, at)
}

/** Lets this server look for due attempts as soon as the transaction has committed. */
export function wakeAfterCommit(ctx: Ctx): void {
  ctx.onFinish(() => ctx.services.webhook_clock.wake())
}

/** Forgets the attempts of a deleted webhook. */
export function forgetNextAttempts(ctx: Ctx, id: Id<'webhook'>): void {
  ctx.unschedule(attemptsDueKind, id)
}
