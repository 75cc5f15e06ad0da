/**
 * Admission of orders, on a snapshot of everything that it depends on. The order of the checks is the
 * window, the price, the SKU and pool, capacity or money, and limits.
 */

import { type PoolKind, poolKinds } from '@bourse/api/market/pools.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { orderValue, parsePrice, refuseStep } from '../schedule/prices.rules.ts'
import { at, covers, nodeMinutes, rectangle, type Schedule, subtract } from '../schedule/schedule.rules.ts'

/** The order of a request. */
export type OrderParams = {
  readonly side: 'buy' | 'sell'
  readonly window: { readonly start_at: number; readonly end_at: number; readonly node_count: number }
  readonly limit_price_dollars_per_node_hour: string
}

/** A parsed order, in minutes and micro-dollars. */
export type ReadOrder = {
  readonly side: 'buy' | 'sell'
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
  readonly price_micros: bigint
  /** What its node-minutes cost at the limit, rounded up: the money that a buy holds. */
  readonly value_micros: bigint
}

/** The horizon of orders in seconds: three years of 365 days (docs/concepts/market.md, "Windows"). */
export const horizonSeconds = 3 * 365 * daySeconds

const windowField = 'allocation_schedule_delta.0'

/** Parses an order without a clock. Refuses not_aligned, invalid_range and out_of_range. */
export function readOrder({
  side,
  window,
  limit_price_dollars_per_node_hour,
}: OrderParams): { order: ReadOrder } | { refusal: RefusalData } {
  const { start_at, end_at, node_count } = window
  if (start_at >= end_at) {
    return {
      refusal: { code: 'invalid_range', field: `${windowField}.end_at`, message: 'The window ends before it starts.' },
    }
  }
  const price = parsePrice(limit_price_dollars_per_node_hour, side)
  if ('refusal' in price) return price
  const [start_minute, end_minute] = [minuteOf(start_at), minuteOf(end_at)]
  const nodeMinutes = BigInt(end_minute - start_minute) * BigInt(node_count)
  const value = orderValue(price.price_micros, nodeMinutes)
  if ('refusal' in value) return value
  return { order: { side, start_minute, end_minute, node_count, ...price, ...value } }
}

type Edges = { readonly start_minute: number; readonly end_minute: number }

const orderFields = { start: `${windowField}.start_at`, end: `${windowField}.end_at` }

/** Refuses a window that is in_the_past or beyond_horizon. A refusal names one of `fields`. */
export function refuseTimes(
  { start_minute, end_minute }: Edges,
  now: number,
  fields = orderFields,
): RefusalData | undefined {
  if (start_minute < minuteOf(now)) {
    return { code: 'in_the_past', field: fields.start, message: 'The window starts before the running minute.' }
  }
  if (end_minute * 60 <= now + horizonSeconds) return undefined
  return { code: 'beyond_horizon', field: fields.end, message: 'The window ends more than three years ahead.' }
}

/** Refuses a price that is not a multiple of the step of the SKU, and a window that {@link refuseTimes} refuses. */
export function refuseTerms(
  order: ReadOrder,
  { row, now }: { readonly row: { readonly price_step_micros: bigint }; readonly now: number },
): RefusalData | undefined {
  return refuseStep(order.price_micros, row.price_step_micros, order) ?? refuseTimes(order, now)
}

/** Refuses a side of orders that a kind of pool does not allow. */
export function refusePoolKind(kind: PoolKind, side: 'buy' | 'sell'): RefusalData | undefined {
  const sides: readonly string[] = poolKinds[kind].orders
  if (sides.includes(side)) return undefined
  return { code: 'pool_kind_not_allowed', field: 'pool', message: `A pool of kind ${kind} does not ${side}.` }
}

/** Refuses a sell of more than the free allocation of a pool. Free is owned less promised. */
export function refuseCapacity(
  order: OrderRectangle,
  { owned, promised, requested = rectangleOf(order) }: { owned: Schedule; promised: Schedule; requested?: Schedule },
): RefusalData | undefined {
  const { start_minute, end_minute } = order
  const free = subtract(owned, promised)
  if (covers(free, requested)) return undefined
  const least = leastWithin(free, start_minute, end_minute)
  const message = `At some minute of the window only ${least} nodes of the pool are free to sell.`
  return { code: 'insufficient_allocation', field: 'allocation_schedule_delta', message }
}

type OrderRectangle = Pick<ReadOrder, 'start_minute' | 'end_minute' | 'node_count'>

/** All nodes of an order over all of its window. */
export function rectangleOf({ start_minute, end_minute, node_count }: OrderRectangle): Schedule {
  return rectangle(start_minute, end_minute, node_count)
}

/** The market limits of an account; null is no limit. */
export type MarketLimits = { readonly open_orders: number | null; readonly reserved_node_hours: number | null }

/** Refuses an order that exceeds a limit of its account. */
export function refuseLimits(
  order: ReadOrder,
  used: { readonly open_orders: number; readonly reserved_node_minutes: number },
  limits: MarketLimits,
  requested: Schedule = rectangleOf(order),
): RefusalData | undefined {
  if (limits.open_orders !== null && used.open_orders + 1 > limits.open_orders) {
    return { code: 'limit_exceeded', field: null, message: `The limit open_orders allows ${limits.open_orders}.` }
  }
  if (order.side === 'sell' || limits.reserved_node_hours === null) return undefined
  const wanted = Number(nodeMinutes(requested))
  if (Math.ceil((used.reserved_node_minutes + wanted) / 60) <= limits.reserved_node_hours) return undefined
  const message = `The limit reserved_node_hours allows ${limits.reserved_node_hours}.`
  return { code: 'limit_exceeded', field: null, message }
}

function leastWithin(free: Schedule, from: number, to: number): number {
  let least = at(free, from)
  for (let index = 0; index < free.length; index += 2) {
    const minute = free[index] as number
    if (minute > from && minute < to) least = Math.min(least, free[index + 1] as number)
  }
  return Math.max(0, least)
}
