// Readings of a book in many windows at once: the best price of each side, the nodes offered, the cost of an order. One
// walk serves all windows, so the cost grows with the orders that overlap them and not with their product.

import type { Schedule } from '../schedule/schedule.rules.ts'
import { walkSide } from './book-index.rules.ts'
import type { Book } from './book-state.rules.ts'
import { availabilityOf, type Estimate, estimateOf } from './book-views.rules.ts'
import type { MinuteWindow } from './matching.rules.ts'
import type { Order, Side } from './resting-order.rules.ts'

/** Windows whose starts rise, and whose ends too. They can overlap. */
export type Windows = readonly MinuteWindow[]

/** Something that holds during `[from, to)`. */
type WindowValue<T> = MinuteWindow & { readonly value: T }

/** `count` windows of `length` minutes, one every `step` minutes, the first at `from`. */
export function windowsFrom(from: number, { count, step, length }: { count: number; step: number; length: number }) {
  return Array.from({ length: count }, (_, index) => ({ from: from + index * step, to: from + index * step + length }))
}

/** The first reach that overlaps each window; undefined where none does. It reads no more of them than it needs. */
export function firstReaches<T>(windows: Windows, reaches: Iterable<WindowValue<T>>): (T | undefined)[] {
  const claims = createClaims<T>(windows)
  for (const reach of reaches) {
    claims.claim(reach)
    if (claims.isComplete()) break
  }
  return claims.values
}

/** The best price of a side for delivery within each window. */
export function bestPricesIn<O extends Order>(book: Book<O>, side: Side, windows: Windows): (bigint | undefined)[] {
  const claims = createClaims<bigint>(windows)
  if (claims.isComplete()) return claims.values
  walkSide(
    book.sides[side],
    { ...spanOf(windows), worst: Number.POSITIVE_INFINITY },
    ({ order: { price_micros: value }, remaining }) => {
      for (const { from, to, value: nodes } of stepsOf(remaining)) if (nodes > 0) claims.claim({ from, to, value })
      return !claims.isComplete()
    },
  )
  return claims.values
}

/** The nodes that resting sells of other accounts offer in every minute of each window. */
export function offeredIn<O extends Order>(
  book: Book<O>,
  windows: Windows,
  exceptAccountId: string | undefined,
): number[] {
  if (windows.length === 0) return []
  const steps = [...stepsOf(availabilityOf(book, spanOf(windows), exceptAccountId))]
  // The lowest step that overlaps a window is what it has in every minute.
  steps.sort((a, b) => a.value - b.value)
  return firstReaches(windows, steps).map((nodes) => nodes ?? 0)
}

/** An order for all nodes in each window, at any price; undefined where it would not be filled. */
export function estimatesIn<O extends Order>(
  book: Book<O>,
  windows: Windows,
  { node_count, account_id, offered }: { node_count: number; account_id: string; offered: readonly number[] },
): (Estimate | undefined)[] {
  return windows.map((window, index) => {
    // No order is filled beyond what is offered, and the walk for it would read every offer.
    if ((offered[index] as number) < node_count) return undefined
    return estimateOf(book, { side: 'buy', window, node_count, account_id })
  })
}

/** Gives each window the first value that reaches it. A reach costs the windows that it is the first in. */
function createClaims<T>(windows: Windows) {
  const values: (T | undefined)[] = new Array(windows.length).fill(undefined)
  // The next window at or after an index that has no value yet.
  const next = Int32Array.from({ length: windows.length + 1 }, (_, index) => index)
  let open = windows.length
  const find = (index: number): number => {
    let end = index
    while (next[end] !== end) end = next[end] as number
    for (let at = index; at !== end; ) {
      const after = next[at] as number
      next[at] = end
      at = after
    }
    return end
  }
  const claim = ({ from, to, value }: WindowValue<T>) => {
    const first = firstAfter(windows, from)
    for (let at = find(first); at < windows.length && (windows[at] as MinuteWindow).from < to; at = find(at)) {
      values[at] = value
      next[at] = at + 1
      open -= 1
    }
  }
  return { values, claim, isComplete: () => open === 0 }
}

/** The first window that ends after a minute. */
function firstAfter(windows: Windows, minute: number): number {
  let [low, high] = [0, windows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((windows[middle] as MinuteWindow).to <= minute) low = middle + 1
    else high = middle
  }
  return low
}

/** The steps of a schedule, with those of no nodes before, between and after its others. */
function* stepsOf(schedule: Schedule): Generator<WindowValue<number>> {
  let [from, value] = [Number.NEGATIVE_INFINITY, 0]
  for (let index = 0; index < schedule.length; index += 2) {
    const to = schedule[index] as number
    yield { from, to, value }
    from = to
    value = schedule[index + 1] as number
  }
  yield { from, to: Number.POSITIVE_INFINITY, value }
}

function spanOf(windows: Windows): MinuteWindow {
  return { from: (windows[0] as MinuteWindow).from, to: (windows.at(-1) as MinuteWindow).to }
}
