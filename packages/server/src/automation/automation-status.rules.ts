/** Converts a status and the state of its retries to columns and back, for deployments and for spot buying. */
import type { DeploymentStatus, DeploymentStatusColumns, RetryState } from './deployments.rules.ts'

type StatusRecord = { readonly status: DeploymentStatus; readonly retry: RetryState | null }

/** The columns of a status and its retries. */
export function statusColumns({ status, retry }: StatusRecord): DeploymentStatusColumns {
  const { state, code, message } = status
  const { tries = 0, retry_at = null } = retry ?? {}
  return { status_state: state, status_code: code, status_message: message, failures: tries, retry_at }
}

/** The status in some columns. */
export function statusOf({ status_state, status_code, status_message }: DeploymentStatusColumns): DeploymentStatus {
  return { state: status_state, code: status_code, message: status_message }
}

/** The retries in some columns; null if nothing is refused. The status then shows the refusal. */
export function retryStateOf({
  failures,
  retry_at,
  status_code,
  status_message,
}: Omit<DeploymentStatusColumns, 'status_state'>): RetryState | null {
  if (retry_at === null) return null
  return { code: status_code as RetryState['code'], message: status_message, tries: failures, retry_at }
}

/** Whether columns have changed, so that they must be written. */
export function differs(before: DeploymentStatusColumns, now: DeploymentStatusColumns): boolean {
  return (Object.keys(now) as (keyof DeploymentStatusColumns)[]).some((name) => before[name] !== now[name])
}
