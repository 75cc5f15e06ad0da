// Why an order has no estimate, for people.

import type { MinuteWindow } from '../book/matching.rules.ts'

type EstimatedOrder = { readonly side: 'buy' | 'sell'; readonly node_count: number }
type MissedPrice = EstimatedOrder & { readonly limit: string; readonly best_price: string }
type MissedCapacity = EstimatedOrder & {
  readonly window: MinuteWindow
  readonly free_node_count: number
  readonly windows: readonly MinuteWindow[]
}

/** The sentence of an unavailable estimate. */
export function unavailableText(missed: MissedPrice | MissedCapacity): string {
  return 'best_price' in missed ? priceText(missed) : capacityText(missed)
}

function priceText({ side, node_count, limit, best_price }: MissedPrice): string {
  const what = `${nodes(node_count)} ${be(node_count)} not ${wordOf(side)} at ${limit} dollars per node-hour`
  return `${what}, only at prices ${side === 'buy' ? 'up' : 'down'} to ${best_price}.`
}

function capacityText({ side, node_count, window, free_node_count: free, windows }: MissedCapacity): string {
  const found = free === 0 ? 'No node is' : `Only ${free} of ${nodes(node_count)} ${be(free)}`
  const first = `${found} ${wordOf(side)} for the whole window (${textOf(window)} UTC).`
  const isOne = node_count === 1
  if (windows.length > 0) {
    return `${first} ${isOne ? 'A node is' : `All ${node_count} are`}: ${windows.map(textOf).join('; ')}.`
  }
  return `${first} No other window of this length in the 14 days after it has ${isOne ? 'one' : `all ${node_count}`}.`
}

function wordOf(side: EstimatedOrder['side']): string {
  return side === 'buy' ? 'offered' : 'wanted'
}

function be(count: number): string {
  return count === 1 ? 'is' : 'are'
}

function nodes(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`
}

function textOf({ from, to }: MinuteWindow): string {
  const [start, end] = [momentOf(from), momentOf(to)]
  return `${start} – ${end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end}`
}

function momentOf(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' ')
}
