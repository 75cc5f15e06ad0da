// The book of one SKU in memory, and the functions that change it. Every resting order is in three indexes: by id, in
// the index of its side, and in the expiry queue. This file keeps the three consistent.

import { empty, type Schedule } from '../schedule/schedule.rules.ts'
import { addToSide, type BookSide, emptySide, removeFromSide } from './book-index.rules.ts'
import { addToExpiryQueue, type ExpiryQueue, removeFromExpiryQueue, updateInExpiryQueue } from './expiry.rules.ts'
import type { CancelReason, Order, RestingOrder, Side } from './resting-order.rules.ts'

/** Its fields are private to this folder; readers use `book-views.rules.ts`. */
export type Book<O extends Order> = {
  readonly sides: Readonly<Record<Side, BookSide<O>>>
  readonly orders: Map<string, RestingOrder<O>>
  readonly expiry_queue: ExpiryQueue<O>
  /** The running minute: the earliest that can be traded. */
  minute: number
  /** The number of the youngest order seen. */
  last_seq: number
  /** A halted book matches nothing. Orders still expire and can be cancelled. */
  halted: boolean
  commands: number
}

/** A schedule that one order trades with another, at one price. */
export type Fill<O extends Order> = {
  readonly buy: O
  readonly sell: O
  /** The limit of the older of the two. */
  readonly price_micros: bigint
  readonly schedule: Schedule
  /** The side of the taker: the order being placed, or the all-or-nothing order being tried again. */
  readonly taker: Side
}

/** The state of an order after a command that changed it. `reason` explains the state `cancelled`. */
type OrderChange<O extends Order> = {
  readonly order: O
  readonly state: 'resting' | 'filled' | 'cancelled'
  readonly reason: CancelReason | undefined
  readonly remaining: Schedule
  /** What the order lost in this command without a fill. Its holds and promises are released. */
  readonly lost: Schedule
  /** Whether any of its minutes passed unfilled, in this command or before. */
  readonly lapsed: boolean
}

/** The result of a command: the fills in their order, and each changed order once. */
export type BookOutcome<O extends Order> = {
  readonly fills: readonly Fill<O>[]
  readonly changes: readonly OrderChange<O>[]
}

/** The outcome of a command while it runs. */
export type BookDraft<O extends Order> = {
  readonly command: number
  readonly fills: Fill<O>[]
  /** Each order once, in the order of their first change. */
  readonly changed: RestingOrder<O>[]
}

/** An empty book. */
export function emptyBook<O extends Order>(minute: number): Book<O> {
  return {
    sides: { buy: emptySide(), sell: emptySide() },
    orders: new Map(),
    expiry_queue: [],
    minute,
    last_seq: 0,
    halted: false,
    commands: 0,
  }
}

/** Begins a command, about one order or about the whole book. */
export function beginDraft<O extends Order>(book: Book<O>, node?: RestingOrder<O>): BookDraft<O> {
  book.commands += 1
  // An array made with its one element takes an eighth of the memory of one that it is pushed to.
  const draft: BookDraft<O> = { command: book.commands, fills: [], changed: node === undefined ? [] : [node] }
  if (node !== undefined) markChanged(draft, node)
  return draft
}

/** Ends a command and returns its outcome. */
export function outcomeOf<O extends Order>(draft: BookDraft<O>): BookOutcome<O> {
  return { fills: draft.fills, changes: draft.changed.map(changeOf) }
}

/** Adds an order to the changes of the running command. */
export function recordChange<O extends Order>(draft: BookDraft<O>, node: RestingOrder<O>): void {
  if (node.changed_by === draft.command) return
  markChanged(draft, node)
  draft.changed.push(node)
}

/** Adds an order to the book. */
export function letRest<O extends Order>(book: Book<O>, node: RestingOrder<O>): void {
  book.orders.set(node.order.id, node)
  addToSide(book.sides[node.order.side], node)
  addToExpiryQueue(book.expiry_queue, node)
}

/** Sets the remaining schedule of an order. A resting order with nothing left leaves the book. */
export function setRemaining<O extends Order>(book: Book<O>, node: RestingOrder<O>, remaining: Schedule): void {
  node.remaining = remaining
  if (remaining.length === 0) {
    if (node.level !== undefined) withdraw(book, node)
    return
  }
  const first = remaining[0] as number
  node.end = remaining[remaining.length - 2] as number
  if (first === node.first) return
  node.first = first
  if (node.level !== undefined) updateInExpiryQueue(book.expiry_queue, node)
}

/** Ends an order before it is filled. It loses its remaining schedule. */
export function endOrder<O extends Order>(
  book: Book<O>,
  draft: BookDraft<O>,
  node: RestingOrder<O>,
  reason: CancelReason,
): void {
  recordChange(draft, node)
  node.lost = node.remaining
  node.ended = reason
  setRemaining(book, node, empty)
}

function markChanged<O extends Order>(draft: BookDraft<O>, node: RestingOrder<O>): void {
  node.changed_by = draft.command
  node.lost = empty
}

function withdraw<O extends Order>(book: Book<O>, node: RestingOrder<O>): void {
  book.orders.delete(node.order.id)
  removeFromSide(book.sides[node.order.side], node)
  removeFromExpiryQueue(book.expiry_queue, node)
}

/** An order that lost minutes never becomes `filled`: its fills stand and the rest is expired. */
function changeOf<O extends Order>(node: RestingOrder<O>): OrderChange<O> {
  const { order, remaining, lost, lapsed } = node
  if (remaining.length > 0) return { order, state: 'resting', reason: undefined, remaining, lost, lapsed }
  const reason = node.ended ?? (lapsed ? 'expired' : undefined)
  return { order, state: reason === undefined ? 'filled' : 'cancelled', reason, remaining, lost, lapsed }
}
