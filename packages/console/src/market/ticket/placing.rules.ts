/** What an error says about an order that was sent. Pure. */
import { ApiError, AuthenticationError, type CreateOrderBody, isTransient } from '@bourse/sdk'
import { minuteSeconds } from '@bourse/text/time/units.ts'

/**
 * Whether an order may have been placed although sending it has failed. The client sends a request without a response
 * once more: an error that does not depend on the order may answer the second request, and the first one was accepted.
 */
export function mayBePlaced(error: unknown): boolean {
  if (!(error instanceof ApiError) || isTransient(error)) return true
  const isStillAtWork = error.codes.includes('idempotency_key_in_use')
  // A session that has ended, and a body that did not arrive in time, are refused before the key is looked up.
  return isStillAtWork || error instanceof AuthenticationError || error.status === 408
}

/** An order from the running minute on; undefined where its window is over. */
export function beginningNow(body: CreateOrderBody, now: number): CreateOrderBody | undefined {
  const start_at = now - (now % minuteSeconds)
  const [window] = body.allocation_schedule_delta
  if (!window || window.end_at <= start_at) return undefined
  return { ...body, allocation_schedule_delta: [{ ...window, start_at }] }
}
