/**
 * Forecasts orders: admission, money and matching as if they were placed now, one after another, without locks and
 * without a write. Each order is matched against the book as it is, so the windows of orders of one side must not
 * overlap.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type EstimatedOffer, type EstimatedRefusal, estimatedOffersMax } from '@bourse/api/market/order-estimates.ts'
import { printDollars } from '@bourse/text/money.ts'
import { type Money, moneyOver, readAvailableMicros, readBalances } from '../../billing/money.service.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { emptyBook } from '../book/book-state.rules.ts'
import { findBook } from '../book/books.service.ts'
import { readMarketHalt } from '../pools/halts.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { holdFor, printAveragePrice, printPrice } from '../schedule/prices.rules.ts'
import { nodeMinutes, type Schedule, toDeltas, toEntries } from '../schedule/schedule.rules.ts'
import type { AccountSkuRow } from '../skus/skus.rules.ts'
import { readBook } from './book-cache.service.ts'
import { refuseTerms } from './order-admission.rules.ts'
import { readAdmission, refuseEntry } from './order-admission.service.ts'
import {
  balanceChange,
  type ForecastRequest,
  filledValueOf,
  forecastOrder,
  type LevelSum,
  type OrderForecast,
  sumForecasts,
  tradeOf,
} from './trade-forecasts.rules.ts'
import { type BookOrder, type Effects, haltRefusal, noEffects, refuseClosed } from './trading.rules.ts'

/** The account and the pool for which orders are forecast. */
type ForecastPlace = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly pool_id: Id<'pool'>
}

/** An open order of the place that is cancelled before the others are placed. */
type CancelledOrder = {
  readonly id: Id<'order'>
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly remaining: Schedule
}

/** The orders of a forecast. One that was refused before it was sent stays refused. */
type ForecastOrders = {
  readonly cancels: readonly CancelledOrder[]
  readonly places: readonly ((ForecastRequest & ForecastPlace) | { readonly refusal: RefusalData })[]
}

/** The results in the order of the requests, and the available money before and after them. */
export type TradeForecast = {
  readonly placed: readonly (OrderForecast | { readonly refusal: RefusalData })[]
  readonly available_micros: bigint
  readonly available_after_micros: bigint
}

type Simulation = {
  readonly place: ForecastPlace
  readonly money: Money
  readonly effects: Effects
  orders: number
}

/** The other party of every trade in a forecast. */
const nobody = { account_id: '', workspace_id: '' }

/**
 * Forecasts orders on the book of a SKU. `read` reads what `decide` depends on; `now` is the time of decisions on the
 * book, in seconds.
 */
export async function forecastTrades<T>(
  ctx: Ctx,
  sku: AccountSkuRow,
  place: ForecastPlace,
  { read, decide }: { read: () => Promise<T>; decide: (found: T, now: number) => ForecastOrders },
): Promise<TradeForecast> {
  const [closed, row, balances, available_micros, admission, found] = await Promise.all([
    readMarketHalt(ctx),
    findBook(ctx, sku.id),
    readBalances(ctx, [place.account_id]),
    readAvailableMicros(ctx, place.account_id),
    readAdmission(ctx, sku.id, { applicants: [place], others: [], takes_locks: false }),
    read(),
  ])
  const book = (await readBook(ctx, sku.id)) ?? emptyBook<BookOrder>(minuteOf(ctx.now))
  const now = Math.max(ctx.now, row?.decided_at ?? 0, book.minute * 60)
  const { cancels, places } = decide(found, now)
  const money = moneyOver(ctx, balances)
  for (const account_id of [place.account_id, nobody.account_id]) money.touch(account_id)
  const simulation: Simulation = { place, money, effects: noEffects(), orders: 0 }
  let available_after_micros = available_micros
  for (const order of cancels) available_after_micros += cancel(simulation, order)
  const placed = places.map((request) => {
    if ('refusal' in request) return request
    const refusal =
      (row ? refuseClosed(row) : closed && haltRefusal(closed.message)) ??
      refuseTerms(request.order, { row: sku, now }) ??
      refuseEntry(admission, request, simulation.effects)
    if (refusal) return { refusal }
    const forecast = forecastOrder(tradeOf(book, request), sku, request)
    const unpaid = pay(simulation, forecast)
    if (unpaid) return { refusal: unpaid }
    available_after_micros += balanceChange(forecast)
    return forecast
  })
  return { placed, available_micros, available_after_micros }
}

/** Cancels an order. Returns the money that it releases. */
function cancel(simulation: Simulation, { id, side, price_micros, remaining }: CancelledOrder): bigint {
  const { place, money, effects } = simulation
  const open = nodeMinutes(remaining)
  const amount_micros = side === 'buy' ? holdFor(price_micros, open) : 0n
  if (side === 'buy') {
    money.open({ ...place, order_id: id, amount_micros })
    money.release(id, { amount_micros, part: 0 })
  } else {
    const promised = effects.promised.get(place.pool_id) ?? new Map<number, number>()
    for (const { minute, delta } of toDeltas(remaining)) promised.set(minute, (promised.get(minute) ?? 0) - delta)
    effects.promised.set(place.pool_id, promised)
  }
  use(simulation, { open_orders: -1, node_minutes: side === 'buy' ? -open : 0n })
  return amount_micros
}

/** Moves the money of an order; refuses payment_required and budget_exceeded. The other party is nobody. */
function pay(simulation: Simulation, forecast: OrderForecast): RefusalData | undefined {
  const { place, money } = simulation
  const { side, trade, fee_micros, worst_case_micros, resting_micros, resting_node_minutes } = forecast
  simulation.orders += 1
  const own = { ...place, order_id: `own ${simulation.orders}` }
  const other = { ...nobody, order_id: `other ${simulation.orders}` }
  const fill = { fill_id: own.order_id, value_micros: trade?.value_micros ?? 0n, fee_micros }
  if (side === 'buy') {
    const refusal = money.hold({ ...own, amount_micros: worst_case_micros })
    if (refusal) return refusal
    const saved_micros = worst_case_micros - resting_micros - fill.value_micros
    money.settle({ ...fill, buyer: own, seller: other, saved_micros })
  } else if (trade) {
    money.open({ ...other, amount_micros: fill.value_micros })
    money.settle({ ...fill, buyer: other, seller: own, saved_micros: 0n })
  }
  // Bought capacity counts towards the same limit as capacity that is wanted.
  const node_minutes = side === 'buy' ? resting_node_minutes + (trade?.node_minutes ?? 0n) : 0n
  use(simulation, { open_orders: resting_node_minutes > 0n ? 1 : 0, node_minutes })
  return undefined
}

/** Adds to what counts towards the limits of the account. */
function use(
  { place, effects }: Simulation,
  { open_orders, node_minutes }: { readonly open_orders: number; readonly node_minutes: bigint },
): void {
  const usage = effects.usage.get(place.account_id) ?? { open_orders: 0, open_buy_node_minutes: 0 }
  usage.open_orders += open_orders
  usage.open_buy_node_minutes += Number(node_minutes)
  effects.usage.set(place.account_id, usage)
}

/** The orders of one side in a forecast, as an estimate shows them. Refused orders are not among them. */
export function presentOrders(side: 'buy' | 'sell', placed: TradeForecast['placed']) {
  const sum = sumForecasts(
    side,
    placed.flatMap((result) => ('refusal' in result ? [] : [result])),
  )
  return {
    order_count: sum.order_count,
    node_minutes: Number(sum.node_minutes),
    traded_node_minutes: Number(sum.traded_node_minutes),
    offers: presentOffers(sum.levels),
    offer_count: sum.levels.length,
    total_dollars: printDollars(sum.value_micros),
    average_price_dollars_per_node_hour: printAveragePrice(filledValueOf(sum)),
    fee_dollars: printDollars(sum.fee_micros),
    worst_case_dollars: printDollars(sum.worst_case_micros),
  }
}

/** The best price levels of a trade. */
export function presentOffers(levels: readonly LevelSum[]): EstimatedOffer[] {
  return levels.slice(0, estimatedOffersMax).map(({ price_micros, schedule, node_minutes, value_micros }) => ({
    price_dollars_per_node_hour: printPrice(price_micros),
    allocation_schedule_delta: toEntries(schedule),
    node_minutes: Number(node_minutes),
    total_dollars: printDollars(value_micros),
  }))
}

/** The first refusal among orders, as an estimate shows it. */
export function presentRefusal(placed: TradeForecast['placed']): EstimatedRefusal | null {
  for (const result of placed) {
    if ('refusal' in result) return { code: result.refusal.code, message: result.refusal.message }
  }
  return null
}
