/** What areas to the right read of the market to trade on it themselves: what rests, what is owned, a typed price. */
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type PoolSku, readAllocation } from '../pools/capacity.service.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { parsePrice } from '../schedule/prices.rules.ts'
import { clip, OPEN_END, type Schedule } from '../schedule/schedule.rules.ts'
import { readBook } from '../trading/book-cache.service.ts'

/** So many nodes from one minute up to, not including, another; no end is infinity. */
export type Piece = { readonly start_minute: number; readonly end_minute: number; readonly node_count: number }

/** An order that rests, and what is left of it from the running minute on, by time. */
export type StandingOffer = {
  readonly id: Id<'order'>
  readonly side: 'buy' | 'sell'
  readonly price_micros: bigint
  readonly pieces: readonly Piece[]
}

/** A book as one account sees it. */
export type SeenBook = {
  readonly own: readonly StandingOffer[]
  /** Whether buys of others rest. */
  readonly is_awaited: boolean
}

/** What rests on a book: an account's own orders, oldest first, and whether others wait. Empty where there is none. */
export async function readStanding(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { account_id, others_than }: { account_id: string; others_than: readonly string[] },
): Promise<SeenBook> {
  const book = await readBook(ctx, sku_id)
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

/** What a pool owns of a SKU from a minute on, promised or not, by time. */
export async function readOwned(ctx: Ctx, key: PoolSku, from: number): Promise<Piece[]> {
  return piecesOf(clip(await readAllocation(ctx, key), from))
}

/** Reads a price as whole micro-dollars per node-minute. Refuses out_of_range. */
export function readPrice(text: string, field: string): bigint {
  const read = parsePrice(text, 'buy', field)
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.price_micros
}

function piecesOf(schedule: Schedule): Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < schedule.length; index += 2) {
    const [start_minute, node_count, end_minute = OPEN_END] = schedule.slice(index, index + 3) as [
      number,
      number,
      number?,
    ]
    if (node_count > 0) pieces.push({ start_minute, end_minute, node_count })
  }
  return pieces
}
