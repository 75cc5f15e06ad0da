// What a spot deployment says of its buying, and how long it waits after a refusal. Which orders it has is the
// market's plan of coverage; what its fleet does is planned apart. Here the two become one status.

import type { RefusalData } from '../core/base/refusal.ts'
import { type DeploymentStatus, nextRetryState, type RetryState, statusFor } from './deployments.rules.ts'

/** Whole minutes from the next one on for which a spot deployment buys (docs/guides/spot-fleets.md, "What it buys"). */
export const SPOT_WINDOW_MINUTES = 60

/** What came of one look at the market, and what it was known by. */
export type BuyingView = {
  readonly now: number
  readonly before: RetryState | null
  /** Why orders were refused, the earliest first. */
  readonly refusals: readonly RefusalData[]
  /** How many orders an earlier refusal keeps waiting. */
  readonly waiting: number
  /** What its open buys of the coming hour still want. */
  readonly wanted: { readonly node_minutes: bigint } | undefined
  /** The most that it pays, for people. */
  readonly price: string
}

/** What a look leaves behind. */
export type BuyingStatus = { readonly status: DeploymentStatus; readonly retry: RetryState | null }

/** What is said before the first look, and by a deployment that may not buy. */
export const NOT_BUYING: BuyingStatus = {
  status: statusFor('ok', 'Nothing is bought at the moment.'),
  retry: null,
}

/** What is said on a retired SKU. */
export const NOT_SOLD: BuyingStatus = {
  status: statusFor('sku_not_available', 'The SKU is retired: nothing is bought.'),
  retry: null,
}

/** What to say after a look at the market, and when to order again what was refused: 30 s later, then longer. */
export function evaluateBuying({ now, before, refusals, waiting, wanted, price }: BuyingView): BuyingStatus {
  const [refusal] = refusals
  if (refusal) {
    const retry = nextRetryState(before, refusal, now)
    return { retry, status: statusOfRefusal(refusal) }
  }
  if (before && waiting > 0) return { retry: before, status: statusOfRefusal(before) }
  if (!wanted) return { retry: null, status: statusFor('ok', 'What is wanted ahead is bought.') }
  const missing = `${wanted.node_minutes} node-minutes of the next ${SPOT_WINDOW_MINUTES} minutes`
  const message = `${missing} are not offered at $${price} per node-hour or less.`
  return { retry: null, status: statusFor('no_offer_at_price', message) }
}

/** One status of fleet and buying: the worse of the two, of equals the fleet's. */
export function joinStatus(fleet: DeploymentStatus, buying: DeploymentStatus): DeploymentStatus {
  return severity[buying.state] > severity[fleet.state] ? buying : fleet
}

const severity = { info: 0, warning: 1, error: 2 }

/** A halted market refuses everybody and passes by itself. */
function statusOfRefusal({ code, message }: Pick<RefusalData, 'code' | 'message'>): DeploymentStatus {
  return statusFor(code === 'unavailable' ? 'waiting_for_allocation' : code, message)
}
