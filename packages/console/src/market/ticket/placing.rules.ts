/** What an error says about an order that was sent. Pure. */
import { ApiError, AuthenticationError, isTransient } from '@bourse/sdk'

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
