// Matching: what an order takes from the opposite side, by node and minute, best price first, earliest
// first, at the limit of the older order. A plan changes nothing, so estimates, all-or-nothing trials and real matches
// share the same decision.

import { clip, covers, empty, min, type Schedule, subtract } from '../schedule/schedule.rules.ts'
import { type Search, walkSide, walkWhole } from './book-index.rules.ts'
import { type Book, type BookDraft, recordChange, setRemaining } from './book-state.rules.ts'
import { type Order, type RestingOrder, type Side, worstRankAccepted } from './resting-order.rules.ts'

/** The taker of a match: an order or an estimate. */
type Taker = {
  readonly account_id: string | undefined
  /** The worst rank of the opposite side that it accepts. */
  readonly worst: number
  readonly remaining: Schedule
}

/** Minutes `[from, to)`. */
export type MinuteWindow = { readonly from: number; readonly to: number }

/** What is taken from one resting order, and what that order keeps. */
export type Take<O extends Order> = {
  readonly maker: RestingOrder<O>
  readonly taken: Schedule
  readonly kept: Schedule
}

/** What a taker gets, in priority order, and what it still wants after it. */
type TakePlan<O extends Order> = { readonly takes: readonly Take<O>[]; readonly unmet: Schedule }

const nothing: readonly never[] = []

/** Walks the opposite side and plans what to take. Changes nothing. */
export function planMatch<O extends Order>(book: Book<O>, side: Side, taker: Taker): TakePlan<O> {
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
  return { takes: takes ?? nothing, unmet: wanted }
}

/** The same for a new or resting order. An all-or-nothing order that is not filled completely gets nothing. */
export function planOrder<O extends Order>(book: Book<O>, node: RestingOrder<O>): TakePlan<O> {
  const { account_id, remaining } = node
  const plan = planMatch(book, node.order.side, { account_id, remaining, worst: worstRankAccepted(node) })
  return node.whole && plan.unmet.length > 0 ? { takes: nothing, unmet: remaining } : plan
}

/** Carries out a plan: adds the fills and updates the remaining schedules of both sides. */
export function settlePlan<O extends Order>(
  book: Book<O>,
  draft: BookDraft<O>,
  taker: RestingOrder<O>,
  plan: TakePlan<O>,
): void {
  if (plan.takes.length === 0) return
  recordChange(draft, taker)
  for (const { maker, taken, kept } of plan.takes) {
    const older = taker.seq < maker.seq ? taker : maker
    const [buy, sell] = taker.order.side === 'buy' ? [taker.order, maker.order] : [maker.order, taker.order]
    draft.fills.push({ buy, sell, price_micros: older.order.price_micros, schedule: taken, taker: taker.order.side })
    recordChange(draft, maker)
    setRemaining(book, maker, kept)
  }
  setRemaining(book, taker, plan.unmet)
}

/**
 * Tries resting all-or-nothing orders again as takers after the book changed within these windows, oldest first, until
 * none is filled. Whether such an order is filled depends only on orders that overlap its window, so an order that does
 * not overlap a change is not tried. It has to be filled in every minute, the changed ones included, so an order whose
 * limit no opposite order in the changed windows reaches is not tried either.
 */
export function retryWhole<O extends Order>(
  book: Book<O>,
  draft: BookDraft<O>,
  changed: readonly MinuteWindow[],
): void {
  if (book.sides.buy.whole.size === 0 && book.sides.sell.whole.size === 0) return
  let waiting = new Set<RestingOrder<O>>()
  for (const window of changed) awaitRetry(book, waiting, window)
  while (waiting.size > 0) {
    const moved = firstToMove(book, waiting)
    if (moved === undefined) return
    settlePlan(book, draft, moved.node, moved.plan)
    waiting = new Set([...waiting].filter(({ level }) => level !== undefined))
    awaitRetry(book, waiting, { from: moved.node.order.start_minute, to: moved.node.order.end_minute })
  }
}

/** The oldest waiting order that can be filled now, with its plan. Orders tried before it are removed from the set. */
function firstToMove<O extends Order>(
  book: Book<O>,
  waiting: Set<RestingOrder<O>>,
): { node: RestingOrder<O>; plan: TakePlan<O> } | undefined {
  for (const node of [...waiting].sort((a, b) => a.seq - b.seq)) {
    waiting.delete(node)
    const plan = planOrder(book, node)
    if (plan.takes.length > 0) return { node, plan }
  }
  return undefined
}

function awaitRetry<O extends Order>(book: Book<O>, waiting: Set<RestingOrder<O>>, { from, to }: MinuteWindow): void {
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

function bestRank<O extends Order>(book: Book<O>, side: Side, window: MinuteWindow): number | undefined {
  let rank: number | undefined
  walkSide(book.sides[side], { ...window, worst: Number.POSITIVE_INFINITY }, (best) => {
    rank = best.rank
    return false
  })
  return rank
}

/** Takes a resting all-or-nothing order only if all of it is still wanted. */
function takeWhole<O extends Order>(wanted: Schedule, maker: RestingOrder<O>): Take<O> | undefined {
  const { remaining } = maker
  return covers(clip(wanted, maker.first, maker.end), remaining) ? { maker, taken: remaining, kept: empty } : undefined
}

function takeAny<O extends Order>(wanted: Schedule, maker: RestingOrder<O>): Take<O> | undefined {
  const { remaining } = maker
  if (isSameRectangle(wanted, remaining)) {
    const [start, offered, end] = remaining as [number, number, number]
    const want = wanted[1] as number
    if (want >= offered) return { maker, taken: remaining, kept: empty }
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
  return left === 0 ? empty : [start, left, end, 0]
}

/** Orders of the same delivery window, the common case, need no merging of steps. */
function isSameRectangle(a: Schedule, b: Schedule): boolean {
  return a.length === 4 && b.length === 4 && a[0] === b[0] && a[2] === b[2]
}

function searchFor(wanted: Schedule, worst: number): Search {
  return { from: wanted[0] as number, to: wanted[wanted.length - 2] as number, worst }
}

/** The opposite side. */
export function otherSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}
