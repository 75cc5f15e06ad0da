/** What the market makers of the sandbox read: resting orders, owned allocation, typed prices and values. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type PoolSku, readAllocation } from '../pools/capacity.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { holdFor, parsePrice } from '../schedule/prices.rules.ts'
import { clip, openEnd, type Schedule } from '../schedule/schedule.rules.ts'
import { readBook } from '../trading/book-cache.service.ts'

/** `node_count` nodes from `start_minute` until `end_minute`, which is infinity for an open end. */
type OfferPiece = { readonly start_minute: number; readonly end_minute: number; readonly node_count: number }

/** A resting order, with its remaining nodes from the running minute on. */
type StandingOffer = {
  readonly id: Id<'order'>
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly pieces: readonly OfferPiece[]
}

/** A book as one account sees it. */
type BookView = {
  readonly own: readonly StandingOffer[]
  /** Whether buys of other accounts rest. */
  readonly is_awaited: boolean
}

/** The resting orders of an account on a book, oldest first, and whether buys of others rest. Empty without a book. */
export async function readStanding(
  ctx: Ctx,
  skuId: Id<'sku'>,
  { account_id, others_than }: { account_id: string; others_than: readonly string[] },
): Promise<BookView> {
  const book = await readBook(ctx, skuId)
  if (!book) return { own: [], is_awaited: false }
  const resting = [...book.orders.values()]
  const own = resting.filter((node) => node.account_id === account_id).sort((a, b) => a.seq - b.seq)
  return {
    own: own.map(({ order, remaining }) => ({
      id: order.id as Id<'order'>,
      side: order.side,
      price_micros: order.price_micros,
      pieces: piecesOf(clip(remaining, minuteOf(ctx.now))),
    })),
    is_awaited: resting.some((node) => node.order.side === 'buy' && !others_than.includes(node.account_id)),
  }
}

/** The owned allocation of a pool and SKU from a minute on, promised or not. */
export async function readOwned(ctx: Ctx, key: PoolSku, from: number): Promise<OfferPiece[]> {
  return piecesOf(clip(await readAllocation(ctx, key), from))
}

/** Reads a price as whole micro-dollars per node-hour. Refuses invalid_format and out_of_range. */
export function readPrice(text: string, field: string): bigint {
  const read = parsePrice(text, 'buy', field)
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.price_micros
}

/** The value of an order at its limit in micro-dollars, which is the hold of a buy. */
export function valueAtLimit(price_micros: bigint, nodeMinutes: number): bigint {
  return holdFor(price_micros, BigInt(nodeMinutes))
}

function piecesOf(schedule: Schedule): OfferPiece[] {
  const pieces: OfferPiece[] = []
  for (let index = 0; index < schedule.length; index += 2) {
    const [start_minute, node_count, end_minute = openEnd] = schedule.slice(index, index + 3) as [
      number,
      number,
      number?,
    ]
    if (node_count > 0) pieces.push({ start_minute, end_minute, node_count })
  }
  return pieces
}
