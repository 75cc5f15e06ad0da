// The buying status of a spot deployment, the wait after a refusal, and the joint status of fleet and buying.
// Not this file's work: choosing orders (the market's coverage) and planning the fleet (deployments.rules.ts).

import type { DeploymentStatusCode } from '@bourse/api/automation/deployments.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import { type AutomationStatus, nextRetryState, type RetryState } from './automation-status.rules.ts'
import { statusFor } from './deployments.rules.ts'

/**
 * The whole minutes, from the next one on, that a spot deployment buys (docs/guides/spot-fleets.md, "What it buys").
 */
export const spotWindowMinutes = 60

/** The result of one step on the market. */
type BuyingView = {
  readonly now: number
  readonly before: RetryState | null
  /** The refusals of orders, earliest first. */
  readonly refusals: readonly RefusalData[]
  /** The number of orders that wait after an earlier refusal. */
  readonly waiting: number
  /** What its open buys of the next hour still lack; undefined if nothing. */
  readonly wanted: { readonly node_minutes: bigint } | undefined
  /** The maximum price in dollars per node-hour, as text. */
  readonly price: string
}

/** The buying status and the state of its retries. */
export type BuyingStatus = { readonly status: AutomationStatus; readonly retry: RetryState | null }

/** The status before the first step, and of a deployment that may not buy. */
export const notBuying: BuyingStatus = {
  status: statusFor('ok', 'The deployment is not buying.'),
  retry: null,
}

/** The status of a deployment with a retired SKU. */
export const notSold: BuyingStatus = {
  status: statusFor('sku_not_available', 'The SKU is retired: nothing is bought.'),
  retry: null,
}

/** The buying status after a step, with the next retry if an order was refused or still waits. */
export function evaluateBuying({ now, before, refusals, waiting, wanted, price }: BuyingView): BuyingStatus {
  const [refusal] = refusals
  if (refusal) {
    const retry = nextRetryState(before, refusal, now)
    return { retry, status: statusOfRefusal(refusal) }
  }
  if (before && waiting > 0) return { retry: before, status: statusOfRefusal(before) }
  if (!wanted) return { retry: null, status: statusFor('ok', `The next ${spotWindowMinutes} minutes are bought.`) }
  const missing = `${wanted.node_minutes} node-minutes of the next ${spotWindowMinutes} minutes`
  const message = `${missing} are not offered at $${price} per node-hour or less.`
  return { retry: null, status: statusFor('no_offer_at_price', message) }
}

/** The more severe of the statuses of fleet and buying; the fleet's if they are equally severe. */
export function joinStatus(fleet: AutomationStatus, buying: AutomationStatus): AutomationStatus {
  return severity[buying.state] > severity[fleet.state] ? buying : fleet
}

const severity = { info: 0, warning: 1, error: 2 }

/** A halted market refuses all orders and resumes by itself, so its refusal is shown as waiting. */
const shownCodes: Readonly<Record<string, DeploymentStatusCode>> = {
  unavailable: 'waiting_for_allocation',
  budget_exceeded: 'budget_exhausted',
}

function statusOfRefusal({ code, message }: Pick<RefusalData, 'code' | 'message'>): AutomationStatus {
  return statusFor(shownCodes[code] ?? code, message)
}
