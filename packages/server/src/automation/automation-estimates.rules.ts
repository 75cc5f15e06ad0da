// Why an automation would trade nothing now. Not this file's work: choosing and forecasting its orders (the market).

import type { EstimatedIdleReason, IdleReason } from '@bourse/api/automation/automation-estimates.ts'

/** What the forecast of an automation says. */
type ForecastView = {
  readonly never_buys: boolean
  readonly is_enabled: boolean
  readonly is_sku_retired: boolean
  readonly order_count: number
  readonly traded_node_minutes: number
  /** Why an order would be refused; null if none would. */
  readonly refusal: { readonly code: string; readonly message: string } | null
}

/** Why nothing would be traded; null if something would. */
export function idleReasonOf(view: ForecastView): EstimatedIdleReason | null {
  const { refusal } = view
  if (view.never_buys) return reason('never_buys', 'A generic deployment never buys.')
  if (!view.is_enabled) return reason('disabled', 'It is disabled: nothing is bought or sold until it is enabled.')
  if (view.is_sku_retired) return reason('sku_not_available', 'The SKU is retired: nothing is bought or sold.')
  if (view.traded_node_minutes > 0) return null
  if (refusal) return reason(refusal.code === 'unavailable' ? 'market_halted' : 'refused', refusal.message)
  if (view.order_count === 0) return reason('nothing_missing', 'The pool has, or has ordered, what it keeps.')
  return reason('no_offer_at_price', 'Nothing is offered at these prices now: its orders wait on the order book.')
}

function reason(code: IdleReason, message: string): EstimatedIdleReason {
  return { code, message }
}
