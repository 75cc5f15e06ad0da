/** Estimates of spot deployments and procurements: what their next step would do, without doing it. */
import type { AutomationEstimate } from '@bourse/api/automation/automation-estimates.ts'
import { printDollars } from '@bourse/text/money.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { hasPermission } from '../iam/access/permissions.service.ts'
import type { findSkuFor } from '../market/skus/skus.service.ts'
import {
  forecastCoverage,
  type Goal,
  type OrderManager,
  showPrice,
  worstCaseMicros,
} from '../market/trading/coverage.service.ts'
import { presentOrders, presentRefusal } from '../market/trading/trade-forecasts.service.ts'
import { idleReasonOf } from './automation-estimates.rules.ts'

type Sku = NonNullable<Awaited<ReturnType<typeof findSkuFor>>>

/** An automation after its creation or a change. */
type AutomationPlan = {
  readonly manager: OrderManager
  readonly sku: Sku
  readonly goal: Omit<Goal, 'price_step_micros'>
  readonly enabled: boolean
  readonly never_buys?: boolean
  readonly can_trade_more: boolean
  /** The sides whose open orders the change cancels, also where it stops the automation. */
  readonly ends?: readonly ('buy' | 'sell')[]
}

const minutesOfHour = 60
const minutesOfDay = 1440

/** Estimates the next step of an automation. */
export async function estimateAutomation(ctx: Ctx, plan: AutomationPlan): Promise<AutomationEstimate> {
  const { manager, sku, enabled, never_buys = false, can_trade_more } = plan
  const goal = { ...plan.goal, price_step_micros: sku.price_step_micros }
  const is_sku_retired = sku.deleted_at !== null
  const places_nothing = !enabled || is_sku_retired || never_buys
  const forecast = await forecastCoverage(ctx, manager, goal, { sku, ends: plan.ends ?? [], places_nothing })
  const [buy, sell] = [presentOrders('buy', forecast.placed), presentOrders('sell', forecast.placed)]
  const refusal = presentRefusal(forecast.placed)
  const { target, window_minutes, max_buy_hourly_micros: price } = goal
  const worstCase = (minutes: number) => printDollars(price === null ? 0n : worstCaseMicros(price, target, minutes))
  const maySeeMoney = hasPermission(ctx, 'billing:read', null)
  return {
    object: 'automation_estimate',
    pool: manager.pool_id,
    sku: sku.id,
    enabled,
    start_at: forecast.from * 60,
    end_at: forecast.to * 60,
    target_node_count: target,
    max_buy_price_dollars_per_node_hour: price === null ? null : showPrice(price),
    can_trade_more,
    buy,
    sell,
    worst_case_dollars_per_hour: worstCase(minutesOfHour),
    worst_case_dollars_per_day: worstCase(minutesOfDay),
    worst_case_dollars_of_window: worstCase(window_minutes),
    available_dollars: maySeeMoney ? printDollars(forecast.available_micros) : null,
    available_after_dollars: maySeeMoney ? printDollars(forecast.available_after_micros) : null,
    refusal,
    reason: idleReasonOf({
      never_buys,
      is_enabled: enabled,
      is_sku_retired,
      order_count: buy.order_count + sell.order_count,
      traded_node_minutes: buy.traded_node_minutes + sell.traded_node_minutes,
      refusal,
    }),
    as_of: ctx.now,
  }
}
