/** How a status, and the trouble behind it, are written down: with each deployment, and with what a spot one buys. */
import type { DeploymentStatus, DeploymentStatusColumns, RetryState } from './deployments.rules.ts'

type StatusRecord = { readonly status: DeploymentStatus; readonly retry: RetryState | null }

/** What of a verdict is written down. */
export function statusColumns({ status, retry }: StatusRecord): DeploymentStatusColumns {
  const { state, code, message } = status
  const { tries = 0, retry_at = null } = retry ?? {}
  return { status_state: state, status_code: code, status_message: message, failures: tries, retry_at }
}

/** The status that was written down. */
export function statusOf({ status_state, status_code, status_message }: DeploymentStatusColumns): DeploymentStatus {
  return { state: status_state, code: status_code, message: status_message }
}

/** While something is refused the status says what. */
export function retryStateOf({
  failures,
  retry_at,
  status_code,
  status_message,
}: Omit<DeploymentStatusColumns, 'status_state'>): RetryState | null {
  if (retry_at === null) return null
  return { code: status_code as RetryState['code'], message: status_message, tries: failures, retry_at }
}

/** Whether another verdict has to be written down. */
export function differs(before: DeploymentStatusColumns, now: DeploymentStatusColumns): boolean {
  return (Object.keys(now) as (keyof DeploymentStatusColumns)[]).some((name) => before[name] !== now[name])
}
