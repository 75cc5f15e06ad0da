// The input of the order book benchmarks: orders and streams of commands, the same for every book and every run.

import { pick, type Random } from '../../../packages/server/src/core/base/random.ts'
import {
  cancelOrder,
  loadBook,
  placeOrder,
  type StandingRow,
} from '../../../packages/server/src/market/book/book.rules.ts'
import type { Order, Side } from '../../../packages/server/src/market/book/resting-order.rules.ts'
import { rectangle } from '../../../packages/server/src/market/schedule/schedule.rules.ts'

export type Command = { readonly place: Order } | { readonly cancel: string }

export const day = 1_440
export const middle = 30_000

/** An order for the window that all orders share. Buys and sells belong to two accounts. */
export function order(seq: number, side: Side, price: number, nodes: number): Order {
  return {
    id: `ordr_${String(seq).padStart(21, '0')}`,
    account_id: side === 'buy' ? 'buyer' : 'seller',
    side,
    price_micros: BigInt(price),
    seq,
    start_minute: day,
    end_minute: 2 * day,
    node_count: nodes,
    allow_standing: true,
    allow_partial: true,
  }
}

/**
 * Commands with prices up to 500 steps from the middle: half of them place an order that rests, 20 % place an order
 * that crosses the middle, 30 % cancel a resting order, or place one if none rests.
 */
export function plainCommands(random: Random, length: number): Command[] {
  const commands: Command[] = []
  const book = loadBook<Order>([], { minute: 0, last_seq: 0 })
  const resting: string[] = []
  for (let seq = 1; seq <= length; seq += 1) {
    const drawn = random.integer(10)
    const cancelled = drawn < 3 ? takeOne(random, resting, (id) => book.orders.has(id)) : undefined
    if (cancelled !== undefined) {
      cancelOrder(book, cancelled, 'user')
      commands.push({ cancel: cancelled })
      continue
    }
    const side = pick(random, ['buy', 'sell'] as const)
    const reachesAcross = drawn >= 8
    const away = 1 + random.integer(500)
    const price = middle + ((side === 'sell') === reachesAcross ? -away : away)
    const placed = order(seq, side, price, 1 + random.integer(10))
    placeOrder(book, placed)
    commands.push({ place: placed })
    if (book.orders.has(placed.id)) resting.push(placed.id)
  }
  return commands
}

/** Resting sells within `days` days, each of an hour, four hours, a day or a week. */
export function spreadSells(random: Random, count: number, days: number): StandingRow<Order>[] {
  return Array.from({ length: count }, (_, index) => {
    const start_minute = random.integer((days - 7) * day)
    const end_minute = start_minute + pick(random, [60, 240, day, 7 * day])
    const price_micros = BigInt(middle + random.integer(20_000))
    const node_count = 1 + random.integer(64)
    const placed = { ...order(index + 1, 'sell', 0, node_count), start_minute, end_minute, price_micros }
    return { order: placed, remaining: rectangle(start_minute, end_minute, node_count), lapsed: false }
  })
}

/** A copy of the list in random order. */
export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const result = [...list]
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = random.integer(index + 1)
    const moved = result[index] as T
    result[index] = result[other] as T
    result[other] = moved
  }
  return result
}

function takeOne(random: Random, resting: string[], isThere: (id: string) => boolean): string | undefined {
  while (resting.length > 0) {
    const index = random.integer(resting.length)
    const id = resting[index] as string
    resting[index] = resting[resting.length - 1] as string
    resting.pop()
    if (isThere(id)) return id
  }
  return undefined
}
