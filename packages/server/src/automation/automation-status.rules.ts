// The status of deployments, of the buying of spot ones, and of procurements: how it is stored, and when what was
// refused is tried again. Not this file's work: what the status is.

import type { RefusalData } from '../core/base/refusal.ts'

/** The first and the longest wait after a refusal, in seconds (docs/guides/spot-fleets.md). */
const retrySecondsMin = 30
const retrySecondsMax = 600

/** What an automation does, or why it cannot, for people. */
export type AutomationStatus = {
  readonly state: 'info' | 'warning' | 'error'
  readonly code: string
  readonly message: string
}

/** The columns of a status, and of its consecutive refusals. */
export type StatusColumns = {
  status_state: AutomationStatus['state']
  status_code: string
  status_message: string
  failures: number
  /** When what was refused is tried again; null if nothing was. */
  retry_at: number | null
}

/** The last refusal, the number of consecutive refusals, and when the work is tried again. */
export type RetryState = {
  readonly code: RefusalData['code']
  readonly message: string
  readonly tries: number
  readonly retry_at: number
}

type StatusRecord = { readonly status: AutomationStatus; readonly retry: RetryState | null }

/** The state after a refusal: the first wait is 30 s, each further one twice as long, at most 10 min. */
export function nextRetryState(before: RetryState | null, refusal: RefusalData, now: number): RetryState {
  const tries = (before?.tries ?? 0) + 1
  const seconds = Math.min(retrySecondsMax, retrySecondsMin * 2 ** Math.min(tries - 1, 10))
  return { code: refusal.code, message: refusal.message, tries, retry_at: now + seconds }
}

/** The columns of a status and its retries. */
export function statusColumns({ status, retry }: StatusRecord): StatusColumns {
  const { state, code, message } = status
  const { tries = 0, retry_at = null } = retry ?? {}
  return { status_state: state, status_code: code, status_message: message, failures: tries, retry_at }
}

/** The status in some columns. */
export function statusOf({ status_state, status_code, status_message }: StatusColumns): AutomationStatus {
  return { state: status_state, code: status_code, message: status_message }
}

/** The retries in some columns; null if nothing is refused. The status then shows the refusal. */
export function retryStateOf({
  failures,
  retry_at,
  status_code,
  status_message,
}: Omit<StatusColumns, 'status_state'>): RetryState | null {
  if (retry_at === null) return null
  return { code: status_code as RetryState['code'], message: status_message, tries: failures, retry_at }
}

/** Whether columns have changed, so that they must be written. */
export function differs(before: StatusColumns, now: StatusColumns): boolean {
  return (Object.keys(now) as (keyof StatusColumns)[]).some((name) => before[name] !== now[name])
}
