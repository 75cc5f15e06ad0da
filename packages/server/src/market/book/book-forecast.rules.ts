// Forecasts the orders that a transaction will match, from the book before it is locked. The balances of their accounts
// are then locked at the beginning, in the lock order. A wrong account costs one lock; a missing one costs a round
// trip.

import { rectangle, type Schedule } from '../schedule/schedule.rules.ts'
import type { Book } from './book-state.rules.ts'
import { planMatch, type Take } from './matching.rules.ts'
import type { Order, Side } from './resting-order.rules.ts'

/** The terms of an order that decide which orders it can match. */
type LikelyOrder = {
  readonly account_id: string
  readonly side: Side
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
  readonly price_micros: bigint
}

type ForecastGroup = {
  readonly side: Side
  readonly from: number
  readonly to: number
  readonly accounts: Set<string>
  nodes: number
  worst: number
}

/**
 * The resting orders that some new orders would match. New orders of one window are searched as one order for the sum
 * of their nodes at the best of their limits.
 */
export function forecastCounterparties<O extends Order>(book: Book<O>, orders: readonly LikelyOrder[]): Set<O> {
  const met = new Set<O>()
  if (book.halted) return met
  for (const group of groupsOf(orders, book.minute)) {
    for (const { maker } of forecastTakes(book, group)) met.add(maker.order)
  }
  return met
}

/** Own orders are skipped in matching, so the nodes that they offer are searched from others in addition. */
function forecastTakes<O extends Order>(book: Book<O>, group: ForecastGroup): readonly Take<O>[] {
  const { side, from, to, worst, accounts } = group
  let takes: readonly Take<O>[] = []
  let [wanted, own] = [0, 0]
  while (wanted < group.nodes + own) {
    wanted = group.nodes + own
    takes = planMatch(book, side, { account_id: undefined, worst, remaining: rectangle(from, to, wanted) }).takes
    own = 0
    for (const { maker, taken } of takes) if (accounts.has(maker.account_id)) own += most(taken)
  }
  return takes
}

function most(schedule: Schedule): number {
  let count = 0
  for (let index = 1; index < schedule.length; index += 2) count = Math.max(count, schedule[index] as number)
  return count
}

function groupsOf(orders: readonly LikelyOrder[], minute: number): Iterable<ForecastGroup> {
  const groups = new Map<string, ForecastGroup>()
  for (const { account_id, side, start_minute, end_minute, node_count, price_micros } of orders) {
    // Orders in the past are refused later.
    if (start_minute < minute) continue
    const worst = side === 'buy' ? Number(price_micros) : 0 - Number(price_micros)
    const name = `${side} ${start_minute} ${end_minute}`
    const empty = { side, from: start_minute, to: end_minute, accounts: new Set<string>(), nodes: 0, worst }
    const group = groups.get(name) ?? empty
    group.accounts.add(account_id)
    group.nodes += node_count
    group.worst = Math.max(group.worst, worst)
    groups.set(name, group)
  }
  return groups.values()
}
