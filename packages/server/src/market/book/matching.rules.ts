// Matching (docs/concepts/market.md, "Matching"): what an order takes from the other side, node by node and minute by
// minute, best price first, earliest first, at the limit of the older order. A plan changes nothing, so an estimate, an
// all-or-nothing trial and a real match are one and the same decision.

import { clip, covers, EMPTY, min, type Schedule, subtract } from '../schedule/schedule.rules.ts'
import { type Search, walkSide, walkWhole } from './book-index.rules.ts'
import { type Book, type Draft, noteChange, setRemaining } from './book-state.rules.ts'
import { type Order, type Resting, type Side, worstRankAccepted } from './resting-order.rules.ts'

/** Who wants: an order, or the question of what one would get. */
export type Taker = {
  readonly account_id: string | undefined
  /** The worst rank of the other side that it accepts. */
  readonly worst: number
  readonly remaining: Schedule
}

/** Minutes `[from, to)`. */
export type Window = { readonly from: number; readonly to: number }

/** What is taken of one resting order, and what that order keeps. */
export type Take<O extends Order> = { readonly maker: Resting<O>; readonly taken: Schedule; readonly kept: Schedule }

/** What a taker would get, in priority order, and what it would still want after it. */
export type Plan<O extends Order> = { readonly takes: readonly Take<O>[]; readonly unmet: Schedule }

const NOTHING: readonly never[] = []

/** Walks the other side and takes what fits. Changes nothing. */
export function planMatch<O extends Order>(book: Book<O>, side: Side, taker: Taker): Plan<O> {
  let takes: Take<O>[] | undefined
  let wanted = taker.remaining
  const search = searchFor(wanted, taker.worst)
  walkSide(book.sides[otherSide(side)], search, (maker) => {
    if (maker.account_id === taker.account_id) return true
    const take = maker.whole ? takeWhole(wanted, maker) : takeAny(wanted, maker)
    if (take === undefined) return true
    if (takes === undefined) takes = [take]
    else takes.push(take)
    wanted = afterTaking(wanted, take)
    return wanted.length > 0
  })
  return { takes: takes ?? NOTHING, unmet: wanted }
}

/** The same for an order that is about to rest, or rests. An all-or-nothing one that would not be met gets nothing. */
export function planOrder<O extends Order>(book: Book<O>, node: Resting<O>): Plan<O> {
  const { account_id, remaining } = node
  const plan = planMatch(book, node.order.side, { account_id, remaining, worst: worstRankAccepted(node) })
  return node.whole && plan.unmet.length > 0 ? { takes: NOTHING, unmet: remaining } : plan
}

/** Carries a plan out: fills, and what both sides have left. */
export function settlePlan<O extends Order>(book: Book<O>, draft: Draft<O>, taker: Resting<O>, plan: Plan<O>): void {
  if (plan.takes.length === 0) return
  noteChange(draft, taker)
  for (const { maker, taken, kept } of plan.takes) {
    const older = taker.seq < maker.seq ? taker : maker
    const [buy, sell] = taker.order.side === 'buy' ? [taker.order, maker.order] : [maker.order, taker.order]
    draft.fills.push({ buy, sell, price_micros: older.order.price_micros, schedule: taken, taker: taker.order.side })
    noteChange(draft, maker)
    setRemaining(book, maker, kept)
  }
  setRemaining(book, taker, plan.unmet)
}

/**
 * Tries resting all-or-nothing orders again as takers after the book changed within these windows: oldest first, until
 * nothing moves. Whether such an order is met depends only on orders that overlap its window, so those that do not
 * overlap a change need no new try. As it has to be met in every minute, also in those that changed, nor do those whose
 * limit no opposite order there reaches.
 */
export function retryWhole<O extends Order>(book: Book<O>, draft: Draft<O>, changed: readonly Window[]): void {
  if (book.sides.buy.whole.size === 0 && book.sides.sell.whole.size === 0) return
  let waiting = new Set<Resting<O>>()
  for (const window of changed) awaitRetry(book, waiting, window)
  while (waiting.size > 0) {
    const moved = firstToMove(book, waiting)
    if (moved === undefined) return
    settlePlan(book, draft, moved.node, moved.plan)
    waiting = new Set([...waiting].filter(({ level }) => level !== undefined))
    awaitRetry(book, waiting, { from: moved.node.order.start_minute, to: moved.node.order.end_minute })
  }
}

/** The oldest of the waiting that would be met now, with its plan. Those tried before it are struck from the list. */
function firstToMove<O extends Order>(
  book: Book<O>,
  waiting: Set<Resting<O>>,
): { node: Resting<O>; plan: Plan<O> } | undefined {
  for (const node of [...waiting].sort((a, b) => a.seq - b.seq)) {
    waiting.delete(node)
    const plan = planOrder(book, node)
    if (plan.takes.length > 0) return { node, plan }
  }
  return undefined
}

function awaitRetry<O extends Order>(book: Book<O>, waiting: Set<Resting<O>>, { from, to }: Window): void {
  for (const side of ['buy', 'sell'] as const) {
    if (book.sides[side].whole.size === 0) continue
    const opposite = bestRank(book, otherSide(side), { from, to })
    if (opposite === undefined) continue
    walkWhole(book.sides[side], { from, to, worst: worstRankAccepted({ rank: opposite }) }, (node) => {
      waiting.add(node)
      return true
    })
  }
}

function bestRank<O extends Order>(book: Book<O>, side: Side, window: Window): number | undefined {
  let rank: number | undefined
  walkSide(book.sides[side], { ...window, worst: Number.POSITIVE_INFINITY }, (best) => {
    rank = best.rank
    return false
  })
  return rank
}

/** A resting all-or-nothing order takes part only where all of it is still wanted. */
function takeWhole<O extends Order>(wanted: Schedule, maker: Resting<O>): Take<O> | undefined {
  const { remaining } = maker
  return covers(clip(wanted, maker.first, maker.end), remaining) ? { maker, taken: remaining, kept: EMPTY } : undefined
}

function takeAny<O extends Order>(wanted: Schedule, maker: Resting<O>): Take<O> | undefined {
  const { remaining } = maker
  if (isSameRectangle(wanted, remaining)) {
    const [start, offered, end] = remaining as [number, number, number]
    const want = wanted[1] as number
    if (want >= offered) return { maker, taken: remaining, kept: EMPTY }
    return { maker, taken: wanted, kept: [start, offered - want, end, 0] }
  }
  const from = Math.max(wanted[0] as number, maker.first)
  const to = Math.min(wanted[wanted.length - 2] as number, maker.end)
  const taken = min(clip(wanted, from, to), clip(remaining, from, to))
  return taken.length === 0 ? undefined : { maker, taken, kept: subtract(remaining, taken) }
}

function afterTaking<O extends Order>(wanted: Schedule, { taken }: Take<O>): Schedule {
  if (!isSameRectangle(wanted, taken)) return subtract(wanted, taken)
  const [start, want, end] = wanted as [number, number, number]
  const left = want - (taken[1] as number)
  return left === 0 ? EMPTY : [start, left, end, 0]
}

/** The common case, all orders of one same delivery window, needs no merging of steps. */
function isSameRectangle(a: Schedule, b: Schedule): boolean {
  return a.length === 4 && b.length === 4 && a[0] === b[0] && a[2] === b[2]
}

function searchFor(wanted: Schedule, worst: number): Search {
  return { from: wanted[0] as number, to: wanted[wanted.length - 2] as number, worst }
}

/** Whom a buy meets, whom a sell. */
export function otherSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}
