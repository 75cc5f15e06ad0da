// Explains why a resting order is not filled, from its book. Reasons that follow from the state alone
// (filled, cancelled, rejected, pending) are added elsewhere. No other order or account appears in it.

import { appendStep, clip, covers, min, nodeMinutes, type Schedule, subtract, sum } from '../schedule/schedule.rules.ts'
import { walkSide } from './book-index.rules.ts'
import type { Book } from './book-state.rules.ts'
import { otherSide, planMatch } from './matching.rules.ts'
import { type Order, type RestingOrder, worstRankAccepted } from './resting-order.rules.ts'

type RestingReason =
  | 'market_halted'
  | 'own_orders_skipped'
  | 'no_opposite_orders'
  | 'window_not_covered'
  | 'not_enough_nodes'
  | 'price_gap'
  | 'blocked_by_all_or_nothing'
  | 'queued_behind'

export type OrderExplanation = {
  /** All reasons that apply, in the order of the type. */
  readonly reasons: readonly RestingReason[]
  /** The best opposite price beyond the limit and its distance, both per node-hour. */
  readonly nearest:
    | { readonly price_micros: bigint; readonly gap_micros: bigint; readonly schedule: Schedule }
    | undefined
  /** Its remaining node-minutes. */
  readonly open_node_minutes: bigint
  /** The part of them that the book offers at the limit now. An all-or-nothing order takes it only when it is all. */
  readonly fillable_node_minutes: bigint
  /** The remaining schedule in minutes without opposite orders of other accounts at any price. */
  readonly uncovered: Schedule
  /** Orders of the same side with priority in this window. */
  readonly queue_ahead: { readonly order_count: number; readonly node_minutes: bigint }
}

/** The opposite orders that overlap the remaining schedule of an order. */
type Opposite<O extends Order> = {
  readonly reached: readonly RestingOrder<O>[]
  readonly beyond: readonly RestingOrder<O>[]
  readonly own_orders: boolean
}

/** Explains a resting order of this book; `undefined` for any other. */
export function explainResting<O extends Order>(book: Book<O>, id: string): OrderExplanation | undefined {
  const node = book.orders.get(id)
  if (node === undefined) return undefined
  const opposite = oppositeOf(book, node)
  const queue_ahead = queueAheadOf(book, node)
  const { account_id, remaining } = node
  const { unmet, takes } = planMatch(book, node.order.side, { account_id, remaining, worst: worstRankAccepted(node) })
  const supply = supplyOf(node, [...opposite.reached, ...opposite.beyond])
  const atLimit = supplyOf(node, opposite.reached)
  const covered = whereAny(remaining, supply)
  const uncovered = subtract(remaining, covered)
  const taken = new Set(takes.map(({ maker }) => maker))
  const holds: Record<RestingReason, boolean> = {
    market_halted: book.halted,
    own_orders_skipped: opposite.own_orders,
    no_opposite_orders: supply.length === 0,
    window_not_covered: supply.length > 0 && uncovered.length > 0,
    not_enough_nodes: !covers(supply, covered),
    price_gap: !covers(atLimit, min(supply, remaining)),
    blocked_by_all_or_nothing: opposite.reached.some((other) => other.whole && !taken.has(other)),
    queued_behind: queue_ahead.order_count > 0,
  }
  return {
    reasons: (Object.keys(holds) as RestingReason[]).filter((reason) => holds[reason]),
    nearest: nearestOf(node, opposite.beyond),
    open_node_minutes: nodeMinutes(remaining),
    fillable_node_minutes: nodeMinutes(remaining) - nodeMinutes(unmet),
    uncovered,
    queue_ahead,
  }
}

function oppositeOf<O extends Order>(book: Book<O>, node: RestingOrder<O>): Opposite<O> {
  const reached: RestingOrder<O>[] = []
  const beyond: RestingOrder<O>[] = []
  let own_orders = false
  const search = { from: node.first, to: node.end, worst: Number.POSITIVE_INFINITY }
  walkSide(book.sides[otherSide(node.order.side)], search, (other) => {
    if (min(other.remaining, node.remaining).length === 0) return true
    const isReached = other.rank <= worstRankAccepted(node)
    if (other.account_id === node.account_id) own_orders ||= isReached
    else if (isReached) reached.push(other)
    else beyond.push(other)
    return true
  })
  return { reached, beyond, own_orders }
}

function supplyOf<O extends Order>(node: RestingOrder<O>, others: readonly RestingOrder<O>[]): Schedule {
  return sum(others.map(({ remaining }) => clip(remaining, node.first, node.end)))
}

/** The part of `wanted` in minutes in which `supply` is not zero. */
function whereAny(wanted: Schedule, supply: Schedule): Schedule {
  const plenty: number[] = []
  for (let i = 0; i < supply.length; i += 2) {
    appendStep(plenty, supply[i] as number, supply[i + 1] === 0 ? 0 : Number.MAX_SAFE_INTEGER)
  }
  return min(wanted, plenty)
}

function nearestOf<O extends Order>(
  node: RestingOrder<O>,
  beyond: readonly RestingOrder<O>[],
): OrderExplanation['nearest'] {
  const price_micros = beyond[0]?.order.price_micros
  if (price_micros === undefined) return undefined
  const gap = price_micros - node.order.price_micros
  const level = beyond.filter(({ order }) => order.price_micros === price_micros)
  return { price_micros, gap_micros: gap < 0n ? -gap : gap, schedule: supplyOf(node, level) }
}

function queueAheadOf<O extends Order>(book: Book<O>, node: RestingOrder<O>): OrderExplanation['queue_ahead'] {
  let order_count = 0
  let node_minutes = 0n
  const search = { from: node.first, to: node.end, worst: node.rank }
  walkSide(book.sides[node.order.side], search, (other) => {
    if (other.rank === node.rank && other.seq >= node.seq) return false
    const inside = clip(other.remaining, node.first, node.end)
    if (inside.length === 0) return true
    order_count += 1
    node_minutes += nodeMinutes(inside)
    return true
  })
  return { order_count, node_minutes }
}
