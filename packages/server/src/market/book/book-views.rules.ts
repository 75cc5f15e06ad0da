// Views of a book: levels, delivery windows, availability, estimates. They change nothing,
// and they contain no order and no account. The caller passes windows that start at the running minute or later.

import { fillCut, fillValue } from '../schedule/prices.rules.ts'
import { clip, nodeMinutes, rectangle, type Schedule, sum } from '../schedule/schedule.rules.ts'
import { walkSide } from './book-index.rules.ts'
import type { Book } from './book-state.rules.ts'
import { type MinuteWindow, planMatch } from './matching.rules.ts'
import type { Order, RestingOrder, Side } from './resting-order.rules.ts'

/** Unfilled nodes at one price within a window, summed over orders. */
export type PriceLevel = { readonly price_micros: bigint; readonly schedule: Schedule }

/** Best first: bids high to low, asks low to high. */
type Depth = { readonly bids: readonly PriceLevel[]; readonly asks: readonly PriceLevel[] }

/** A delivery window with resting orders. An order counts in every window in which it has unfilled nodes. */
export type DeliveryWindow = MinuteWindow & {
  readonly bid_order_count: number
  readonly ask_order_count: number
  readonly best_bid: PriceLevel | undefined
  readonly best_ask: PriceLevel | undefined
}

/** What an order would get now, by the same decision as matching. */
export type Estimate = {
  /** The sum over the fills: each value is rounded down. */
  readonly value_micros: bigint
  readonly cut_sixtieths: bigint
  /** What the fills trade. */
  readonly node_minutes: bigint
  /** What the order asks for and does not get at once. Zero for one that accepts no part. */
  readonly unmet_node_minutes: bigint
  /** The worst price of the fills. As a limit it gives exactly these fills. */
  readonly worst_price_micros: bigint
  /** In their order. The fee is rounded down for each fill, so callers sum it over them. */
  readonly fills: readonly PriceLevel[]
}

/** The numbers of resting orders, without a walk. */
export function restingCounts<O extends Order>({ sides: { buy, sell } }: Book<O>): Readonly<Record<Side, number>> {
  return { buy: buy.partial.size + buy.whole.size, sell: sell.partial.size + sell.whole.size }
}

/** The best price of each side for delivery within a window; undefined where no order has nodes left in it. */
export function bestPrices<O extends Order>(
  book: Book<O>,
  { from, to }: MinuteWindow,
): Readonly<Record<Side, bigint | undefined>> {
  const best = (side: Side) => {
    let price: bigint | undefined
    walkSide(book.sides[side], { from, to, worst: Number.POSITIVE_INFINITY }, ({ order, remaining }) => {
      if (clip(remaining, from, to).length === 0) return true
      price = order.price_micros
      return false
    })
    return price
  }
  return { buy: best('buy'), sell: best('sell') }
}

/** The best `levels` price levels of each side. One level of each is the quote. */
export function depthOf<O extends Order>(book: Book<O>, window: MinuteWindow, levels: number): Depth {
  return { bids: levelsOf(book, 'buy', window, levels), asks: levelsOf(book, 'sell', window, levels) }
}

/** The nodes of resting sells over time, without those of one account. */
export function availabilityOf<O extends Order>(
  book: Book<O>,
  window: MinuteWindow,
  exceptAccountId: string | undefined,
): Schedule {
  const offered: Schedule[] = []
  for (const { account_id, remaining } of found(book, 'sell', window)) {
    if (account_id !== exceptAccountId) offered.push(clip(remaining, window.from, window.to))
  }
  return sum(offered)
}

/**
 * The delivery windows of resting orders within a range, by start, then end: at most `limit` of those after `after`.
 * The window of an order is its rectangle without the minutes that have passed.
 */
export function windowsOf<O extends Order>(
  book: Book<O>,
  range: MinuteWindow,
  page: { after?: MinuteWindow | undefined; limit: number },
): DeliveryWindow[] {
  const { after } = page
  return distinctWindows(book, range)
    .filter((window) => after === undefined || compareWindows(window, after) > 0)
    .slice(0, page.limit)
    .map((window) => ({
      ...window,
      bid_order_count: countOf(book, 'buy', window),
      ask_order_count: countOf(book, 'sell', window),
      best_bid: levelsOf(book, 'buy', window, 1)[0],
      best_ask: levelsOf(book, 'sell', window, 1)[0],
    }))
}

/** The order of an estimate. */
export type EstimateRequest = {
  readonly side: Side
  readonly window: MinuteWindow
  readonly node_count: number
  /** What it asks for, if that is not all nodes over all of the window. */
  readonly requested?: Schedule | undefined
  readonly account_id: string | undefined
  /** Undefined accepts any price. */
  readonly limit_micros?: bigint | undefined
  readonly allow_partial?: boolean | undefined
}

/** Estimates an order by the decision of matching; `undefined` if the book can fill none of it, or not all of it. */
export function estimateOf<O extends Order>(
  book: Book<O>,
  { side, window, node_count, requested, account_id, limit_micros, allow_partial = false }: EstimateRequest,
): Estimate | undefined {
  const remaining = requested ?? rectangle(window.from, window.to, node_count)
  const { takes, unmet } = planMatch(book, side, { account_id, remaining, worst: worstRank(side, limit_micros) })
  const worst = takes.at(-1)
  if (worst === undefined || (unmet.length > 0 && !allow_partial)) return undefined
  const fills = takes.map(({ maker, taken }) => ({ price_micros: maker.order.price_micros, schedule: taken }))
  let [value_micros, cut_sixtieths] = [0n, 0n]
  for (const { price_micros, schedule } of fills) {
    value_micros += fillValue(price_micros, nodeMinutes(schedule))
    cut_sixtieths += fillCut(price_micros, nodeMinutes(schedule))
  }
  const unmet_node_minutes = nodeMinutes(unmet)
  const node_minutes = nodeMinutes(remaining) - unmet_node_minutes
  const worst_price_micros = worst.maker.order.price_micros
  return { value_micros, cut_sixtieths, node_minutes, unmet_node_minutes, worst_price_micros, fills }
}

function worstRank(side: Side, limitMicros: bigint | undefined): number {
  if (limitMicros === undefined) return Number.POSITIVE_INFINITY
  return side === 'buy' ? Number(limitMicros) : 0 - Number(limitMicros)
}

function levelsOf<O extends Order>(book: Book<O>, side: Side, window: MinuteWindow, levels: number): PriceLevel[] {
  const result: PriceLevel[] = []
  let price_micros: bigint | undefined
  let parts: Schedule[] = []
  const close = () => {
    if (price_micros !== undefined) result.push({ price_micros, schedule: sum(parts) })
    parts = []
  }
  walkSide(book.sides[side], { ...window, worst: Number.POSITIVE_INFINITY }, ({ order, remaining }) => {
    const inside = clip(remaining, window.from, window.to)
    if (inside.length === 0) return true
    if (order.price_micros !== price_micros) {
      close()
      price_micros = order.price_micros
    }
    if (result.length === levels) {
      price_micros = undefined
      return false
    }
    parts.push(inside)
    return true
  })
  close()
  return result
}

function distinctWindows<O extends Order>(book: Book<O>, range: MinuteWindow): MinuteWindow[] {
  const byEdges = new Map<string, MinuteWindow>()
  for (const side of ['buy', 'sell'] as const) {
    for (const { order } of found(book, side, range)) {
      const window = { from: Math.max(order.start_minute, book.minute), to: order.end_minute }
      if (window.from >= range.from && window.to <= range.to) byEdges.set(`${window.from} ${window.to}`, window)
    }
  }
  return [...byEdges.values()].sort(compareWindows)
}

function countOf<O extends Order>(book: Book<O>, side: Side, window: MinuteWindow): number {
  let orders = 0
  for (const { remaining } of found(book, side, window)) {
    if (clip(remaining, window.from, window.to).length > 0) orders += 1
  }
  return orders
}

function found<O extends Order>(book: Book<O>, side: Side, window: MinuteWindow): RestingOrder<O>[] {
  const nodes: RestingOrder<O>[] = []
  walkSide(book.sides[side], { ...window, worst: Number.POSITIVE_INFINITY }, (node) => {
    nodes.push(node)
    return true
  })
  return nodes
}

function compareWindows(a: MinuteWindow, b: MinuteWindow): number {
  return a.from - b.from || a.to - b.to
}
