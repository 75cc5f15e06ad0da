// The order book of one SKU: commands in, outcomes out (docs/concepts/market.md, "Matching"). Pure but for the book
// itself, which is a cache of the database: whoever cannot commit an outcome throws the book away and loads it again.
//
// Kept after every command: orders that may be filled in part are never crossed, but for those of one account; no
// resting all-or-nothing order could be filled whole; filled + remaining + lost = requested, minute by minute.
// Not done here: who may order what, holds and promises, fees, states and events.

import { clip, type Schedule } from '../schedule/schedule.rules.ts'
import { WINDOW_MINUTES_MAX } from './book-index.rules.ts'
import {
  type Book,
  beginDraft,
  emptyBook,
  endOrder,
  letRest,
  noteChange,
  type Outcome,
  outcomeOf,
  setRemaining,
} from './book-state.rules.ts'
import { planOrder, retryWhole, settlePlan } from './matching.rules.ts'
import { type CancelReason, nodeOf, type Order } from './resting-order.rules.ts'

/** A resting order as it is stored. */
export type StandingRow<O extends Order> = {
  readonly order: O
  readonly remaining: Schedule
  /** Whether any of it has passed by unfilled. */
  readonly lapsed: boolean
}

/** Far beyond every window, and still a small integer. */
const MINUTE_MAX = 2 ** 31 - 1

/** A book from its rows, in any order, as it stood in `minute`; `last_seq` is the youngest order's ever placed. */
export function loadBook<O extends Order>(
  rows: readonly StandingRow<O>[],
  at: { minute: number; last_seq: number; halted?: boolean },
): Book<O> {
  const book = emptyBook<O>(at.minute)
  book.halted = at.halted ?? false
  book.last_seq = at.last_seq
  for (const { order, remaining, lapsed } of rows.toSorted((a, b) => a.order.seq - b.order.seq)) {
    const node = nodeOf(order)
    node.lapsed = lapsed
    setRemaining(book, node, remaining)
    letRest(book, node)
  }
  return book
}

/**
 * Brings a book up to what others have made of it: orders that changed since, as they are now; those without anything
 * left have ended. A row that is older than what the book has must not be among them.
 */
export function catchUp<O extends Order>(
  book: Book<O>,
  rows: readonly StandingRow<O>[],
  at: { last_seq: number; halted: boolean },
): void {
  for (const { order, remaining, lapsed } of rows.toSorted((a, b) => a.order.seq - b.order.seq)) {
    // One that is known keeps its place: what is left of it only ever shrinks. One that is not is younger than all.
    const known = book.orders.get(order.id)
    if (!known && remaining.length === 0) continue
    const node = known ?? nodeOf(order)
    node.lapsed = lapsed
    setRemaining(book, node, remaining)
    if (!known) letRest(book, node)
  }
  book.last_seq = Math.max(book.last_seq, at.last_seq)
  book.halted = at.halted
}

/** The rows from which an equal book can be loaded, by `seq`. */
export function rowsOf<O extends Order>(book: Book<O>): StandingRow<O>[] {
  return [...book.orders.values()]
    .sort((a, b) => a.seq - b.seq)
    .map(({ order, remaining, lapsed }) => ({ order, remaining, lapsed }))
}

/**
 * Matches an order and lets the rest of it stand, or ends it as `unfilled`. The order comes first among the changes.
 * It has to be younger than all before it, to start no earlier than the running minute, and admitted by the caller.
 */
export function placeOrder<O extends Order>(book: Book<O>, order: O): Outcome<O> {
  checkPlaceable(book, order)
  book.last_seq = order.seq
  const node = nodeOf(order)
  const draft = beginDraft(book, node)
  settlePlan(book, draft, node, planOrder(book, node))
  if (node.remaining.length > 0) {
    if (order.allow_standing) letRest(book, node)
    else endOrder(book, draft, node, 'unfilled')
  }
  if (draft.fills.length > 0 || node.level !== undefined) {
    retryWhole(book, draft, [{ from: order.start_minute, to: order.end_minute }])
  }
  return outcomeOf(draft)
}

/** Takes a resting order out of the book; `undefined` when it does not rest there: it is final, or unknown. */
export function cancelOrder<O extends Order>(book: Book<O>, id: string, reason: CancelReason): Outcome<O> | undefined {
  const node = book.orders.get(id)
  if (node === undefined) return undefined
  const draft = beginDraft(book, node)
  const freed = { from: node.first, to: node.end }
  endOrder(book, draft, node, reason)
  if (!book.halted) retryWhole(book, draft, [freed])
  return outcomeOf(draft)
}

/**
 * Lets time pass: minutes before `minute` fall out of what rests. An order with nothing left ends as `expired`, an
 * all-or-nothing one once its first minute has passed. Going back changes nothing. Changes come by age of the order.
 * Nothing is tried again: what could have blocked an all-or-nothing order lay inside its window, so it has expired too.
 */
export function passTime<O extends Order>(book: Book<O>, minute: number): Outcome<O> {
  const draft = beginDraft(book)
  book.minute = Math.max(book.minute, minute)
  for (let node = book.agenda[0]; node !== undefined && node.first < minute; node = book.agenda[0]) {
    if (node.whole) {
      endOrder(book, draft, node, 'expired')
    } else {
      noteChange(draft, node)
      node.lost = clip(node.remaining, node.first, minute)
      node.lapsed = true
      setRemaining(book, node, clip(node.remaining, minute))
    }
  }
  draft.changed.sort((a, b) => a.seq - b.seq)
  return outcomeOf(draft)
}

/** The next minute at which `passTime` would change something, `undefined` while nothing rests. */
export function nextLapse<O extends Order>(book: Book<O>): number | undefined {
  const next = book.agenda[0]
  return next === undefined ? undefined : next.first + 1
}

/** Stops matching: until `resumeMatching` the book only loses orders (docs/concepts/market.md, "Halts"). */
export function haltMatching<O extends Order>(book: Book<O>): void {
  book.halted = true
}

/** Takes matching up again, for orders that cancelling and time have opened the way for meanwhile. */
export function resumeMatching<O extends Order>(book: Book<O>): Outcome<O> {
  book.halted = false
  const draft = beginDraft(book)
  retryWhole(book, draft, [{ from: book.minute, to: MINUTE_MAX }])
  return outcomeOf(draft)
}

/** What can only be a mistake of the caller, who has refused such orders before. */
function checkPlaceable<O extends Order>(book: Book<O>, order: O): void {
  const { start_minute, end_minute, node_count, seq } = order
  const minutes = end_minute - start_minute
  if (book.halted) throw new Error('a halted book takes no orders')
  if (seq <= book.last_seq) throw new Error(`order ${order.id}: seq ${seq} does not follow ${book.last_seq}`)
  if (start_minute < book.minute) throw new Error(`order ${order.id} starts before the running minute ${book.minute}`)
  if (!(minutes > 0 && minutes <= WINDOW_MINUTES_MAX)) throw new Error(`order ${order.id} spans ${minutes} minutes`)
  if (!(node_count > 0)) throw new Error(`order ${order.id} asks for ${node_count} nodes`)
}
