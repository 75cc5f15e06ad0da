/** Where people are sent who are not signed in, or not recently enough. */

import { ApiError, AuthenticationError } from '@bourse/sdk'

let isLeaving = false

/** Whether the sign-in is too old for an action. */
export function needsStepUp(error: unknown): boolean {
  return error instanceof ApiError && error.codes.includes('insufficient_user_authentication')
}

/** Goes to the sign-in page, which comes back to this page. Several requests may fail at once: the first one counts. */
export function goToSignIn({ step_up = false } = {}): void {
  if (isLeaving) return
  isLeaving = true
  const here = location.pathname + location.search + location.hash
  const query = new URLSearchParams({ return_to: here, ...(step_up ? { step_up: '1' } : {}) })
  location.assign(`/sign_in?${query}`)
}

/** Leaves for the sign-in page where an error says that the session is over. Returns whether it does. */
export function leaveIfSignedOut(error: unknown): boolean {
  if (!(error instanceof AuthenticationError) || needsStepUp(error)) return false
  goToSignIn()
  return true
}
