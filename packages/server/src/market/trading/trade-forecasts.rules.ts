// What an order would trade on a book now, by the decision of matching, and what it would cost. Nothing changes.
// Not this file's work: whether the order is admitted, and resting all-or-nothing orders, which may take up an order
// once it rests: such trades are not forecast. They stay within the worst case.

import type { Book } from '../book/book-state.rules.ts'
import { type Estimate, estimateOf, type PriceLevel } from '../book/book-views.rules.ts'
import type { Order } from '../book/resting-order.rules.ts'
import { type FeeTerms, fillFee, fillValue, holdFor } from '../schedule/prices.rules.ts'
import { nodeMinutes, type Schedule, sum } from '../schedule/schedule.rules.ts'
import { type ReadOrder, rectangleOf } from './order-admission.rules.ts'

/** The order of a forecast. */
export type ForecastRequest = {
  readonly account_id: string
  readonly order: ReadOrder
  /** What it asks for, if that is not all of its rectangle. */
  readonly requested?: Schedule
  readonly allow_standing: boolean
  readonly allow_partial: boolean
}

/** What an order would do if it was placed now. */
export type OrderForecast = {
  readonly side: 'buy' | 'sell'
  readonly node_minutes: bigint
  /** Undefined where nothing is traded at once. */
  readonly trade: Estimate | undefined
  /** Paid by a sell out of its proceeds; zero for a buy. */
  readonly fee_micros: bigint
  /** What a buy holds when it is placed: the most that it can cost. Zero for a sell. */
  readonly worst_case_micros: bigint
  /** What rests on the book after the trade, and what a buy holds for it. */
  readonly resting_node_minutes: bigint
  readonly resting_micros: bigint
}

/** What the forecasts of one side come to. */
type ForecastSum = {
  readonly order_count: number
  readonly node_minutes: bigint
  readonly traded_node_minutes: bigint
  /** By price, best first. */
  readonly levels: readonly LevelSum[]
  readonly value_micros: bigint
  readonly cut_sixtieths: bigint
  readonly fee_micros: bigint
  readonly worst_case_micros: bigint
}

/** What is traded at one price. */
export type LevelSum = PriceLevel & { readonly node_minutes: bigint; readonly value_micros: bigint }

/** What an order would trade on a book; undefined for nothing. */
export function tradeOf<O extends Order>(
  book: Book<O>,
  { account_id, order, requested, allow_partial }: ForecastRequest,
): Estimate | undefined {
  const { side, start_minute: from, end_minute: to, node_count, price_micros: limit_micros } = order
  const window = { from, to }
  return estimateOf(book, { side, window, node_count, requested, account_id, limit_micros, allow_partial })
}

/** Forecasts an order that would trade this. */
export function forecastOrder(
  trade: Estimate | undefined,
  fees: FeeTerms,
  { order, requested = rectangleOf(order), allow_standing }: ForecastRequest,
): OrderForecast {
  const { side, price_micros } = order
  const node_minutes = nodeMinutes(requested)
  const resting_node_minutes = allow_standing ? node_minutes - (trade?.node_minutes ?? 0n) : 0n
  return {
    side,
    node_minutes,
    trade,
    fee_micros: side === 'sell' && trade ? feeOfFills(fees, trade.fills) : 0n,
    worst_case_micros: side === 'buy' ? order.value_micros : 0n,
    resting_node_minutes,
    resting_micros: side === 'buy' ? holdFor(price_micros, resting_node_minutes) : 0n,
  }
}

/** The fee of a sell. It is rounded down for each fill, so it is the sum over the fills. */
function feeOfFills(fees: FeeTerms, fills: readonly PriceLevel[]): bigint {
  return fills.reduce((total, { price_micros, schedule }) => {
    const node_minutes = nodeMinutes(schedule)
    return total + fillFee(fees, fillValue(price_micros, node_minutes), node_minutes)
  }, 0n)
}

/** How the available balance changes when an order is placed. */
export function balanceChange({ side, trade, fee_micros, resting_micros }: OrderForecast): bigint {
  const value = trade?.value_micros ?? 0n
  return side === 'buy' ? -value - resting_micros : value - fee_micros
}

/** Adds up the forecasts of orders of one side. */
export function sumForecasts(side: 'buy' | 'sell', forecasts: readonly OrderForecast[]): ForecastSum {
  const own = forecasts.filter((forecast) => forecast.side === side)
  const total = (of: (forecast: OrderForecast) => bigint) => own.reduce((soFar, forecast) => soFar + of(forecast), 0n)
  return {
    order_count: own.length,
    node_minutes: total(({ node_minutes }) => node_minutes),
    traded_node_minutes: total(({ trade }) => trade?.node_minutes ?? 0n),
    levels: levelsOf(
      side,
      own.flatMap(({ trade }) => trade?.fills ?? []),
    ),
    value_micros: total(({ trade }) => trade?.value_micros ?? 0n),
    cut_sixtieths: total(({ trade }) => trade?.cut_sixtieths ?? 0n),
    fee_micros: total(({ fee_micros }) => fee_micros),
    worst_case_micros: total(({ worst_case_micros }) => worst_case_micros),
  }
}

/** Fills by price, best first, so that nobody sees the single orders of others. The values are sums over the fills. */
export function levelsOf(side: 'buy' | 'sell', fills: readonly PriceLevel[]): LevelSum[] {
  const byPrice = [...Map.groupBy(fills, ({ price_micros }) => price_micros)]
  return byPrice
    .sort(([a], [b]) => (a < b === (side === 'buy') ? -1 : 1))
    .map(([price_micros, level]) => ({
      price_micros,
      schedule: sum(level.map(({ schedule }) => schedule)),
      node_minutes: level.reduce((total, { schedule }) => total + nodeMinutes(schedule), 0n),
      value_micros: level.reduce((total, { schedule }) => total + fillValue(price_micros, nodeMinutes(schedule)), 0n),
    }))
}

/** The value and the cut of a sum, for its average price. */
export function filledValueOf({ value_micros, cut_sixtieths, traded_node_minutes }: ForecastSum) {
  return { value_micros, cut_sixtieths, node_minutes: traded_node_minutes }
}
