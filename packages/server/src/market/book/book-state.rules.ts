// The book of one SKU in memory, and the few ways in which a command changes it. Every order that rests stands in three
// places: by id, in its side's index, in the agenda. This file keeps the three together.

import { EMPTY, type Schedule } from '../schedule/schedule.rules.ts'
import { type Agenda, enterAgenda, leaveAgenda, moveInAgenda } from './agenda.rules.ts'
import { addToSide, type BookSide, emptySide, removeFromSide } from './book-index.rules.ts'
import type { CancelReason, Order, Resting, Side } from './resting-order.rules.ts'

/** Only the functions of this folder look inside; a reader asks `book-views.rules.ts`. */
export type Book<O extends Order> = {
  readonly sides: Readonly<Record<Side, BookSide<O>>>
  readonly orders: Map<string, Resting<O>>
  readonly agenda: Agenda<O>
  /** The running minute: the earliest that can be traded. */
  minute: number
  /** The `seq` of the youngest order seen. */
  last_seq: number
  /** While halted nothing is matched; orders expire and can be cancelled (docs/concepts/market.md, "Halts"). */
  halted: boolean
  commands: number
}

/** Minutes of one order exchanged with another, at one price. */
export type Fill<O extends Order> = {
  readonly buy: O
  readonly sell: O
  /** The limit of the older of the two. */
  readonly price_micros: bigint
  readonly schedule: Schedule
  /** The side that came to the other: the order being placed, or the all-or-nothing one being tried again. */
  readonly taker: Side
}

/** What a command left of an order that it changed. `reason` says why one that is `cancelled` is. */
export type OrderChange<O extends Order> = {
  readonly order: O
  readonly state: 'resting' | 'filled' | 'cancelled'
  readonly reason: CancelReason | undefined
  readonly remaining: Schedule
  /** What this command took away without a fill: passed by, or given up. Holds and promises on it are released. */
  readonly lost: Schedule
  /** Whether any of it has passed by unfilled, now or before. */
  readonly lapsed: boolean
}

/** What a command did: fills in the order in which they happened, and each order changed, once, as it is now. */
export type Outcome<O extends Order> = {
  readonly fills: readonly Fill<O>[]
  readonly changes: readonly OrderChange<O>[]
}

/** The outcome of a command while it runs. */
export type Draft<O extends Order> = {
  readonly command: number
  readonly fills: Fill<O>[]
  /** Each order once, in the order in which they changed first. */
  readonly changed: Resting<O>[]
}

/** A book in which nothing rests, in its running minute. */
export function emptyBook<O extends Order>(minute: number): Book<O> {
  return {
    sides: { buy: emptySide(), sell: emptySide() },
    orders: new Map(),
    agenda: [],
    minute,
    last_seq: 0,
    halted: false,
    commands: 0,
  }
}

/** Begins a command, about one order or about the whole book. */
export function beginDraft<O extends Order>(book: Book<O>, node?: Resting<O>): Draft<O> {
  book.commands += 1
  // An array made with its one element takes an eighth of the memory of one that it is pushed to.
  const draft: Draft<O> = { command: book.commands, fills: [], changed: node === undefined ? [] : [node] }
  if (node !== undefined) markChanged(draft, node)
  return draft
}

/** Ends a command: what it did, as nobody will change it any more. */
export function outcomeOf<O extends Order>(draft: Draft<O>): Outcome<O> {
  return { fills: draft.fills, changes: draft.changed.map(changeOf) }
}

/** Notes that the running command changes an order. */
export function noteChange<O extends Order>(draft: Draft<O>, node: Resting<O>): void {
  if (node.changed_by === draft.command) return
  markChanged(draft, node)
  draft.changed.push(node)
}

/** Lets an order rest with what it has left. It has to be the youngest of the book, or the book is being loaded. */
export function letRest<O extends Order>(book: Book<O>, node: Resting<O>): void {
  book.orders.set(node.order.id, node)
  addToSide(book.sides[node.order.side], node)
  enterAgenda(book.agenda, node)
}

/** Changes what is left of an order; one that rests and has nothing left leaves the book. */
export function setRemaining<O extends Order>(book: Book<O>, node: Resting<O>, remaining: Schedule): void {
  node.remaining = remaining
  if (remaining.length === 0) {
    if (node.level !== undefined) withdraw(book, node)
    return
  }
  const first = remaining[0] as number
  node.end = remaining[remaining.length - 2] as number
  if (first === node.first) return
  node.first = first
  if (node.level !== undefined) moveInAgenda(book.agenda, node)
}

/** Ends an order before it is filled: all that is left of it is lost. */
export function endOrder<O extends Order>(
  book: Book<O>,
  draft: Draft<O>,
  node: Resting<O>,
  reason: CancelReason,
): void {
  noteChange(draft, node)
  node.lost = node.remaining
  node.ended = reason
  setRemaining(book, node, EMPTY)
}

function markChanged<O extends Order>(draft: Draft<O>, node: Resting<O>): void {
  node.changed_by = draft.command
  node.lost = EMPTY
}

function withdraw<O extends Order>(book: Book<O>, node: Resting<O>): void {
  book.orders.delete(node.order.id)
  removeFromSide(book.sides[node.order.side], node)
  leaveAgenda(book.agenda, node)
}

/**
 * An order that lost minutes is never `filled`: what it got stays, the rest has expired (docs/concepts/market.md,
 * "Expiry").
 */
function changeOf<O extends Order>(node: Resting<O>): OrderChange<O> {
  const { order, remaining, lost, lapsed } = node
  if (remaining.length > 0) return { order, state: 'resting', reason: undefined, remaining, lost, lapsed }
  const reason = node.ended ?? (lapsed ? 'expired' : undefined)
  return { order, state: reason === undefined ? 'filled' : 'cancelled', reason, remaining, lost, lapsed }
}
