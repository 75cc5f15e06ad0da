// What a book offers to an order that it cannot fill: how many nodes are free in the window, and the nearest windows of
// the same length that have all. Every answer is a decision of matching, so an order for it would be filled now.

import { clip, type Schedule, sum } from '../schedule/schedule.rules.ts'
import { walkSide } from './book-index.rules.ts'
import type { Book } from './book-state.rules.ts'
import { type EstimateRequest, estimateOf } from './book-views.rules.ts'
import type { MinuteWindow } from './matching.rules.ts'
import type { Order } from './resting-order.rules.ts'

/** What is free instead. */
export type Alternatives = {
  /** The most nodes that are free in every minute of the window. */
  readonly free_node_count: number
  /** Windows of the same length with all nodes, by start. */
  readonly windows: readonly MinuteWindow[]
}

/** The most windows that are shown, and those that are tried for them. */
const windowsMax = 3
const triesMax = 12
/** How many minutes after the window are searched. */
export const searchMinutes = 14 * 1_440

/** Finds what is free. `request` is an order for all or nothing. */
export function alternativesOf<O extends Order>(book: Book<O>, request: EstimateRequest): Alternatives {
  return { free_node_count: freeNodes(book, request), windows: nearestWindows(book, request) }
}

/** A count is only returned if an order for it would be filled; other orders for all or nothing can make it too low. */
function freeNodes<O extends Order>(book: Book<O>, request: EstimateRequest): number {
  const { from, to } = request.window
  let [least, most] = [0, Math.min(request.node_count - 1, leastOf(offersOn(book, request, request.window), from, to))]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (estimateOf(book, { ...request, node_count: middle, allow_partial: false })) least = middle
    else most = middle - 1
  }
  return least
}

function nearestWindows<O extends Order>(book: Book<O>, request: EstimateRequest): MinuteWindow[] {
  const { from, to } = request.window
  const range = { from: book.minute, to: to + searchMinutes }
  const starts = startsIn(offersOn(book, request, range), request.node_count, to - from, range)
  const found: MinuteWindow[] = []
  const byDistance = starts.sort((a, b) => Math.abs(a - from) - Math.abs(b - from)).slice(0, triesMax)
  for (const start of byDistance) {
    const window = { from: start, to: start + to - from }
    if (found.length < windowsMax && estimateOf(book, { ...request, window, allow_partial: false })) found.push(window)
  }
  return found.sort((a, b) => a.from - b.from)
}

/** The first and the last start in each stretch that has enough nodes for long enough. */
function startsIn(offers: Schedule, node_count: number, length: number, { to }: MinuteWindow): number[] {
  const starts = new Set<number>()
  let since: number | undefined
  const close = (end: number) => {
    if (since !== undefined && end - since >= length) starts.add(since).add(end - length)
    since = undefined
  }
  for (let index = 0; index < offers.length; index += 2) {
    const [minute, count] = offers.slice(index, index + 2) as [number, number]
    if (count < node_count) close(minute)
    else since ??= minute
  }
  close(to)
  return [...starts]
}

/** The nodes that the other side of an order offers to its account, at any price. */
function offersOn<O extends Order>(
  book: Book<O>,
  { side, account_id }: EstimateRequest,
  window: MinuteWindow,
): Schedule {
  const offers: Schedule[] = []
  const other = book.sides[side === 'buy' ? 'sell' : 'buy']
  walkSide(other, { ...window, worst: Number.POSITIVE_INFINITY }, (node) => {
    if (node.account_id !== account_id) offers.push(clip(node.remaining, window.from, window.to))
    return true
  })
  return sum(offers)
}

function leastOf(schedule: Schedule, from: number, to: number): number {
  if (schedule.length === 0 || (schedule[0] as number) > from) return 0
  let least = Number.POSITIVE_INFINITY
  for (let index = 0; index < schedule.length; index += 2) {
    if ((schedule[index] as number) < to) least = Math.min(least, schedule[index + 1] as number)
  }
  return least
}
