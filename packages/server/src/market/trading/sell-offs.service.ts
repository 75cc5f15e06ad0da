/**
 * Sells allocation of a pool at once. It is offered on the book at the best bid, and a buyer of last resort takes the
 * rest. Orders, fills, money and fees are real. The sandbox chooses the buyer and the time.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { readFree } from '../pools/capacity.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { holdFor, stepDown } from '../schedule/prices.rules.ts'
import { clip, min, openEnd, rectangle, type Schedule } from '../schedule/schedule.rules.ts'
import { findSkuFor } from '../skus/skus.service.ts'
import { readBook } from './book-cache.service.ts'
import { horizonSeconds } from './order-admission.rules.ts'
import { listSomeOrders } from './sell-offs.store.ts'
import type { BookOrder } from './trading.rules.ts'
import { decideOn, type PlaceRequest } from './trading.service.ts'

/** The account and pool of an order. */
export type OrderTrader = Pick<PlaceRequest, 'account_id' | 'workspace_id' | 'pool_id'>

/** What is sold: in each minute `nodes`, or the free allocation if that is less. */
type SellOff = {
  readonly sku_id: Id<'sku'>
  readonly nodes: number
  readonly seller: OrderTrader
  readonly buyer: OrderTrader
}

/** The price on an empty book, in micro-dollars per node-hour. */
const plainPriceMicros = 1_200_000n
/** Ranges of equal node count that one transaction sells. */
const rangesMax = 50

/**
 * Sells from the running minute up to the horizon. False where not all of it was sold; the caller then rolls back. That
 * happens where nothing is free, an order is refused, or an older offer at the lowest possible price was matched first.
 */
export async function sellOff(ctx: Ctx, { sku_id, nodes, seller, buyer }: SellOff): Promise<boolean> {
  const [book, sku] = await Promise.all([readBook(ctx, sku_id), findSkuFor(ctx, seller.account_id, sku_id)])
  if (!book || !sku) return false
  const price_micros = priceOn(book.orders.values(), sku.price_step_micros)
  const { placed } = await decideOn(ctx, sku_id, {
    applicants: [seller, buyer],
    read: () => readFree(ctx, { pool_id: seller.pool_id, sku_id }),
    decide: (free, now) => ({ places: ordersFor(free, { now, nodes, price_micros, seller, buyer }) }),
  })
  const ids = placed.flatMap((result) => ('row' in result && result.row.side === 'sell' ? [result.row.id] : []))
  const sells = await listSomeOrders(ctx.db, ids)
  const areSold = sells.every(({ state }) => state === 'filled')
  return sells.length > 0 && sells.length * 2 === placed.length && areSold
}

/** The best bid in steps, but below every ask, because the buyer of last resort would match that ask first. */
function priceOn(
  resting: Iterable<{ readonly order: Pick<BookOrder, 'side' | 'price_micros'> }>,
  stepMicros: bigint,
): bigint {
  let ask: bigint | undefined
  let bid: bigint | undefined
  for (const { order } of resting) {
    const { side, price_micros } = order
    if (side === 'sell' && (ask === undefined || price_micros < ask)) ask = price_micros
    if (side === 'buy' && (bid === undefined || price_micros > bid)) bid = price_micros
  }
  const below = ask === undefined ? plainPriceMicros : ask - 1n
  const price = bid === undefined || (ask !== undefined && below < bid) ? below : bid
  const aligned = stepDown(price, stepMicros)
  return aligned > 0n ? aligned : stepMicros
}

type Terms = Pick<SellOff, 'nodes' | 'seller' | 'buyer'> & { readonly now: number; readonly price_micros: bigint }

/** For each range a sell that rests, followed by the buy that takes the rest of it. */
function ordersFor(free: Schedule, { now, nodes, price_micros, seller, buyer }: Terms): PlaceRequest[] {
  const [from, until] = [minuteOf(now), minuteOf(now + horizonSeconds)]
  const offered = clip(min(free, rectangle(from, openEnd, nodes)), from, until)
  const orders: PlaceRequest[] = []
  for (let i = 0; i + 2 < offered.length && orders.length < 2 * rangesMax; i += 2) {
    const [start_minute, node_count, end_minute] = offered.slice(i, i + 3) as [number, number, number]
    if (node_count === 0) continue
    const value_micros = holdFor(price_micros, BigInt((end_minute - start_minute) * node_count))
    const order = { start_minute, end_minute, node_count, price_micros, value_micros }
    const terms = { allow_partial: true, managed_by: null, actor: { type: 'system' } } as const
    orders.push({ ...seller, ...terms, order: { ...order, side: 'sell' }, allow_standing: true })
    orders.push({ ...buyer, ...terms, order: { ...order, side: 'buy' }, allow_standing: false })
  }
  return orders
}
