/** Which events the trading of one transaction makes, in which order, and fills as events and lists show them. */
import type { EventAction } from '@bourse/api/events/actions.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { EventFill, Fill, OrderSide } from '@bourse/api/market/orders.ts'
import { printDollars } from '@bourse/text/money.ts'
import { printPrice } from '../schedule/prices.rules.ts'
import { toEntries } from '../schedule/schedule.rules.ts'
import type { BookOrder, Effects, FillRow, Trade } from './trading.rules.ts'

/** Something that happened to an order. `trade`: the one that the event is about. */
export type OrderEvent = {
  readonly action: EventAction & `order.${string}`
  readonly order: BookOrder
  readonly trade?: Trade
}

/** How many orders had ended, and how many trades were made, before the first order was placed. */
export type BeforePlaces = { readonly ended: number; readonly trades: number }

/**
 * The events of a transaction: what happened before the placements, the new orders, and what happened then. Each trade
 * makes one event for each of its two orders: `order.filled` where it completes the order, else
 * `order.partially_filled`. So the trades of an order are exactly those of its events, in their order.
 */
export function orderEventsOf({ placed, trades, ended }: Effects, before: BeforePlaces): OrderEvent[] {
  const completing = completingTrades(trades)
  const after = (from: BeforePlaces, to?: BeforePlaces): OrderEvent[] => [
    ...trades.slice(from.trades, to?.trades).flatMap((trade) => partialFillsOf(trade, completing)),
    ...ended.slice(from.ended, to?.ended).map((order) => endOf(order, completing)),
  ]
  return [
    ...after({ ended: 0, trades: 0 }, before),
    ...[...placed.values()].map((order): OrderEvent => ({ action: 'order.created', order })),
    ...after(before),
  ]
}

/** By order that is filled: the last of its trades. */
function completingTrades(trades: readonly Trade[]): Map<string, Trade> {
  const filled = trades.flatMap((trade) =>
    [trade.buy, trade.sell].filter(({ record }) => record.state === 'filled').map(({ id }) => [id, trade] as const),
  )
  return new Map(filled)
}

function partialFillsOf(trade: Trade, completing: ReadonlyMap<string, Trade>): OrderEvent[] {
  return [trade.buy, trade.sell]
    .filter(({ id }) => completing.get(id) !== trade)
    .map((order) => ({ action: 'order.partially_filled', order, trade }))
}

function endOf(order: BookOrder, completing: ReadonlyMap<string, Trade>): OrderEvent {
  const trade = completing.get(order.id)
  return trade ? { action: 'order.filled', order, trade } : { action: 'order.cancelled', order }
}

/** The parts of a fill that are shown, of a stored one or of a trade. */
type ShownFill = Pick<FillRow, 'price_micros' | 'value_micros' | 'fee_micros' | 'filled_at'> & {
  readonly id: string
  readonly schedule: readonly number[]
}

/** A fill as one of its sides sees it. The seller pays the fee. */
export function presentFill(fill: ShownFill, side: OrderSide): Fill {
  return {
    object: 'fill',
    id: fill.id as Id<'fill'>,
    filled_at: fill.filled_at,
    allocation_schedule_delta: toEntries(fill.schedule) as Fill['allocation_schedule_delta'],
    price_dollars_per_node_hour: printPrice(fill.price_micros),
    total_dollars: printDollars(fill.value_micros),
    fee_dollars: printDollars(side === 'sell' ? fill.fee_micros : 0n),
  }
}

/** A trade as the event of one of its orders shows it. */
export function presentEventFill(
  trade: Trade,
  { side, record }: BookOrder,
  { sku_id, now }: { readonly sku_id: Id<'sku'>; readonly now: number },
): EventFill {
  const fill = presentFill({ ...trade, id: trade.fill_id, filled_at: now }, side)
  return { ...fill, side, sku: sku_id, pool: record.pool_id as Id<'pool'> }
}
