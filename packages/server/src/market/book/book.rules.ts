// The order book of one SKU: commands in, outcomes out. A command changes only the book, which is a
// cache of the database. A caller that cannot commit an outcome discards the book and loads it again.
//
// Invariants after every command: partial orders of different accounts are not crossed; no resting all-or-nothing order
// can be filled; filled + remaining + lost = requested in every minute. Admission, holds, promises, fees, order states
// and events are decided elsewhere.

import { clip, type Schedule } from '../schedule/schedule.rules.ts'
import { windowMinutesMax } from './book-index.rules.ts'
import {
  type Book,
  type BookOutcome,
  beginDraft,
  emptyBook,
  endOrder,
  letRest,
  outcomeOf,
  recordChange,
  setRemaining,
} from './book-state.rules.ts'
import { planOrder, retryWhole, settlePlan } from './matching.rules.ts'
import { type CancelReason, nodeOf, type Order } from './resting-order.rules.ts'

/** A stored resting order. */
export type StandingRow<O extends Order> = {
  readonly order: O
  readonly remaining: Schedule
  /** Whether any of its minutes passed unfilled. */
  readonly lapsed: boolean
}

/** A minute after every window that still is a small integer. */
const minuteMax = 2 ** 31 - 1

/** Loads a book from its rows, in any order, for `minute`. `last_seq` is that of the youngest order ever placed. */
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
 * Applies the changes of other processes to a book. `rows` are the orders that changed, in their present state; an
 * order without a remaining schedule has ended. No row may be older than the book.
 */
export function catchUp<O extends Order>(
  book: Book<O>,
  rows: readonly StandingRow<O>[],
  at: { last_seq: number; halted: boolean },
): void {
  for (const { order, remaining, lapsed } of rows.toSorted((a, b) => a.order.seq - b.order.seq)) {
    // A known order keeps its place, because its remaining schedule only shrinks.
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
 * Matches an order and lets the rest of it stand, or ends it as `unfilled`. The order is the first of the changes. It
 * must be the youngest of the book, must not start before the running minute, and must be admitted by the caller.
 */
export function placeOrder<O extends Order>(book: Book<O>, order: O): BookOutcome<O> {
  if (order.seq <= book.last_seq)
    throw new Error(`order ${order.id}: seq ${order.seq} does not follow ${book.last_seq}`)
  book.last_seq = order.seq
  return enterOrder(book, order)
}

/** What was open of an order that is amended, and the order that continues it. */
type OrderSuccession<O extends Order> = {
  readonly order: O
  /** Its own number. Its `seq` may be that of the order before, whose place it then keeps. */
  readonly last_seq: number
  /** The remaining schedule of the order before, as {@link withdrawOrder} returned it. */
  readonly freed: Schedule
}

/**
 * Takes an order out of the book that another one continues, without trying other orders again; `undefined` when it
 * does not rest. The caller places the other order by {@link placeAmended} in the same transaction.
 */
export function withdrawOrder<O extends Order>(book: Book<O>, id: string): BookOutcome<O> | undefined {
  const node = book.orders.get(id)
  if (node === undefined) return undefined
  const draft = beginDraft(book, node)
  endOrder(book, draft, node, 'amended')
  return outcomeOf(draft)
}

/** Places the order that continues a withdrawn one, and tries orders again that either of the two kept from filling. */
export function placeAmended<O extends Order>(
  book: Book<O>,
  { order, last_seq, freed }: OrderSuccession<O>,
): BookOutcome<O> {
  if (last_seq <= book.last_seq) throw new Error(`order ${order.id}: seq ${last_seq} does not follow ${book.last_seq}`)
  book.last_seq = last_seq
  return enterOrder(book, order, freed)
}

function enterOrder<O extends Order>(book: Book<O>, order: O, freed: Schedule = []): BookOutcome<O> {
  checkPlaceable(book, order)
  const node = nodeOf(order)
  const draft = beginDraft(book, node)
  settlePlan(book, draft, node, planOrder(book, node))
  if (node.remaining.length > 0) {
    if (order.allow_standing) letRest(book, node)
    else endOrder(book, draft, node, 'unfilled')
  }
  const window = { from: order.start_minute, to: order.end_minute }
  if (freed.length > 0) {
    retryWhole(book, draft, [{ from: freed[0] as number, to: freed[freed.length - 2] as number }, window])
  } else if (draft.fills.length > 0 || node.level !== undefined) retryWhole(book, draft, [window])
  return outcomeOf(draft)
}

/** Cancels a resting order; `undefined` when it does not rest in the book, because it is final or unknown. */
export function cancelOrder<O extends Order>(
  book: Book<O>,
  id: string,
  reason: CancelReason,
): BookOutcome<O> | undefined {
  const node = book.orders.get(id)
  if (node === undefined) return undefined
  const draft = beginDraft(book, node)
  const freed = { from: node.first, to: node.end }
  endOrder(book, draft, node, reason)
  if (!book.halted) retryWhole(book, draft, [freed])
  return outcomeOf(draft)
}

/**
 * Expires the minutes before `minute`. An order with nothing left ends as `expired`, an all-or-nothing one when its
 * first minute has passed. An earlier `minute` changes nothing. Changes are in the order of age. No order is tried
 * again: an order that blocked an all-or-nothing one overlapped its window, so the all-or-nothing one has expired as
 * well.
 */
export function passTime<O extends Order>(book: Book<O>, minute: number): BookOutcome<O> {
  const draft = beginDraft(book)
  book.minute = Math.max(book.minute, minute)
  for (let node = book.expiry_queue[0]; node !== undefined && node.first < minute; node = book.expiry_queue[0]) {
    if (node.whole) {
      endOrder(book, draft, node, 'expired')
    } else {
      recordChange(draft, node)
      node.lost = clip(node.remaining, node.first, minute)
      node.lapsed = true
      setRemaining(book, node, clip(node.remaining, minute))
    }
  }
  draft.changed.sort((a, b) => a.seq - b.seq)
  return outcomeOf(draft)
}

/** The next minute in which `passTime` changes something; `undefined` while no order rests. */
export function nextLapse<O extends Order>(book: Book<O>): number | undefined {
  const next = book.expiry_queue[0]
  return next === undefined ? undefined : next.first + 1
}

/** Stops matching until `resumeMatching`. Orders can still be cancelled, and they still expire. */
export function haltMatching<O extends Order>(book: Book<O>): void {
  book.halted = true
}

/** Resumes matching, and matches orders that became matchable by cancels and expiry. */
export function resumeMatching<O extends Order>(book: Book<O>): BookOutcome<O> {
  book.halted = false
  const draft = beginDraft(book)
  retryWhole(book, draft, [{ from: book.minute, to: minuteMax }])
  return outcomeOf(draft)
}

/** Checks what the caller must have refused. */
function checkPlaceable<O extends Order>(book: Book<O>, order: O): void {
  const { start_minute, end_minute, node_count } = order
  const minutes = end_minute - start_minute
  if (book.halted) throw new Error('a halted book takes no orders')
  if (start_minute < book.minute) throw new Error(`order ${order.id} starts before the running minute ${book.minute}`)
  if (!(minutes > 0 && minutes <= windowMinutesMax)) throw new Error(`order ${order.id} spans ${minutes} minutes`)
  if (!(node_count > 0)) throw new Error(`order ${order.id} asks for ${node_count} nodes`)
}
