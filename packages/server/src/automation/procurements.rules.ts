// The valid terms of a procurement, its status, when it is idle, and when it tries again after a refusal.
// Not this file's work: choosing orders (the market's coverage).

import { type ProcurementStatusCode, procurementStatusCodes } from '@bourse/api/automation/procurements.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import { type AutomationStatus, nextRetryState, type RetryState } from './automation-status.rules.ts'

/** The fields of a procurement that must fit each other and its pool. */
type ProcurementTerms = {
  readonly target: number | 'node_count'
  /** The price in the request; undefined if absent. */
  readonly max_buy_price: string | undefined
}

const maxPriceField = 'max_buy_price_dollars_per_node_hour'

/**
 * Refuses terms that do not fit the kind of the pool: `pool_kind_not_allowed`, `required` or `not_applicable`. An
 * originating pool only sells, so it has no maximum price and no instances to follow.
 */
export function refuseTerms(
  poolKind: 'market' | 'originating' | 'read_only',
  { target, max_buy_price }: ProcurementTerms,
): RefusalData | undefined {
  if (poolKind === 'read_only') {
    return { code: 'pool_kind_not_allowed', field: 'pool', message: 'A pool of kind read_only neither buys nor sells.' }
  }
  if (poolKind === 'market') {
    if (max_buy_price !== undefined) return undefined
    return { code: 'required', field: maxPriceField, message: 'A market pool requires a maximum price.' }
  }
  if (max_buy_price !== undefined) {
    return { code: 'not_applicable', field: maxPriceField, message: 'An originating pool only sells.' }
  }
  if (target === 'node_count') {
    return { code: 'not_applicable', field: 'target', message: 'An originating pool has no instances to follow.' }
  }
  return undefined
}

/** What decides which orders a procurement places. */
export type OrderTerms = {
  readonly sku_id: string
  /** Null follows the number of instances. */
  readonly target: number | null
  readonly min_sell_hourly_micros: bigint
  readonly max_buy_hourly_micros: bigint | null
  readonly managed_window_minutes: number
  readonly enabled: boolean
}

/**
 * Whether a change of a procurement can lead to orders that it would not have placed before. A lower target is among
 * these, since what is above the target is sold. A disabled procurement counts like an enabled one, so that whoever
 * enables it later does not answer for terms that somebody else could not set.
 */
export function ordersMore(before: OrderTerms, after: OrderTerms): boolean {
  return (
    (after.enabled && !before.enabled) ||
    after.sku_id !== before.sku_id ||
    after.target !== before.target ||
    after.managed_window_minutes > before.managed_window_minutes ||
    after.min_sell_hourly_micros < before.min_sell_hourly_micros ||
    (after.max_buy_hourly_micros ?? 0n) > (before.max_buy_hourly_micros ?? 0n)
  )
}

/** The state that decides whether a procurement trades. */
type StandingView = {
  readonly is_enabled: boolean
  readonly is_frozen: boolean
  readonly is_sku_retired: boolean
}

/** The status of a procurement that may not trade; undefined if it may. Its open orders are already cancelled. */
export function idleStatus({ is_enabled, is_frozen, is_sku_retired }: StandingView): AutomationStatus | undefined {
  if (!is_enabled) return statusFor('ok', 'Disabled: nothing is bought or sold.')
  if (is_frozen) return statusFor('account_frozen', 'The account is frozen: nothing is bought or sold.')
  if (is_sku_retired) return statusFor('sku_not_available', 'The SKU is retired: nothing is bought or sold.')
  return undefined
}

/** The result of a step that traded. */
export type TradedView = {
  readonly now: number
  readonly before: RetryState | null
  /** The refusals of orders, earliest first. */
  readonly refusals: readonly RefusalData[]
  /** The number of orders that wait after an earlier refusal. */
  readonly waiting: number
  readonly target: number
  readonly managed_window_minutes: number
  readonly is_crossed: boolean
  /** What its open buys of the window still lack, and from when on, in seconds; undefined if nothing. */
  readonly wanted: { readonly node_minutes: bigint; readonly from: number } | undefined
}

/** The status and the state of retries after a step that traded. */
export function afterTrading(view: TradedView): { status: AutomationStatus; retry: RetryState | null } {
  const [refusal] = view.refusals
  if (refusal) {
    const retry = nextRetryState(view.before, refusal, view.now)
    return { retry, status: statusFor(retry.code, retry.message) }
  }
  if (view.before && view.waiting > 0)
    return { retry: view.before, status: statusFor(view.before.code, view.before.message) }
  return { retry: null, status: statusOf(view) }
}

function statusOf({ target, managed_window_minutes, is_crossed, wanted }: TradedView): AutomationStatus {
  if (is_crossed) {
    return statusFor(
      'prices_crossed',
      'The minimum sell price is below the maximum buy price: buying and selling again can lose money.',
    )
  }
  const goal = `${target} nodes in each of the next ${managed_window_minutes} minutes`
  if (wanted === undefined) return statusFor('ok', `The pool has ${goal}.`)
  const { node_minutes, from } = wanted
  const missing = `${node_minutes} node-minutes are missing for ${goal}`
  const message = `${missing} and wait for an offer, the first from ${isoSecond(from)} on.`
  return statusFor('no_offer_at_price', message)
}

function isoSecond(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

/** Refusals of orders that the status of an automation has another code for. */
const shownCodes: Readonly<Record<string, string>> = {
  unavailable: 'market_halted',
  budget_exceeded: 'budget_exhausted',
}

function statusFor(code: string, message: string): AutomationStatus {
  const shown = shownCodes[code] ?? code
  return { state: procurementStatusCodes[shown as ProcurementStatusCode] ?? 'error', code: shown, message }
}
