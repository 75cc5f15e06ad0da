/** The order book of a window as a ladder of prices, and the geometry of its drawing. Pure. */
import type { OrderbookDepth, PriceLevel } from '@bourse/sdk'

/** One price of a side. Nodes are a mean over the window: a level may have them for a part of it only. */
export type DepthStep = {
  readonly side: 'bid' | 'ask'
  readonly price: string
  readonly nodes: number
  /** With all better prices. */
  readonly total: number
}
/** Both sides, the best price of each first. */
export type Ladder = {
  readonly asks: readonly DepthStep[]
  readonly bids: readonly DepthStep[]
  readonly spread: number | null
}

/** The ladder of a book. */
export function ladderOf({ asks, bids, start_at, end_at }: OrderbookDepth): Ladder {
  const seconds = end_at - start_at
  const [ask, bid] = [asks[0]?.price_dollars_per_node_hour, bids[0]?.price_dollars_per_node_hour]
  return {
    asks: stepsOf('ask', asks, seconds),
    bids: stepsOf('bid', bids, seconds),
    spread: ask === undefined || bid === undefined ? null : Number(ask) - Number(bid),
  }
}

function stepsOf(side: DepthStep['side'], levels: readonly PriceLevel[], seconds: number): DepthStep[] {
  let sum = 0
  return levels.map(({ price_dollars_per_node_hour: price, allocation_schedule_delta }) => {
    const nodeSeconds = allocation_schedule_delta.reduce((all, { start_at, end_at, node_count }) => {
      return all + ((end_at ?? start_at) - start_at) * node_count
    }, 0)
    sum += nodeSeconds
    return { side, price, nodes: tenths(nodeSeconds / seconds), total: tenths(sum / seconds) }
  })
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

/** The drawing: a path for each side, and where prices are. */
export type DepthShape = {
  readonly bids: string
  readonly asks: string
  readonly low: number
  readonly high: number
  readonly most: number
  /** The place of a price from the left. */
  readonly xOf: (price: number) => number
}

/** Cumulated nodes over price, as steps; undefined where the book is empty. */
export function depthShape({ asks, bids }: Ladder, width: number, height: number): DepthShape | undefined {
  const all = [...asks, ...bids]
  if (all.length === 0) return undefined
  const prices = all.map(({ price }) => Number(price))
  const [least, greatest] = [Math.min(...prices), Math.max(...prices)]
  // Room beside the outermost prices, also where there is only one.
  const margin = (greatest - least) * 0.05 || greatest * 0.05 || 1
  const [low, high] = [least - margin, greatest + margin]
  const most = Math.max(...all.map(({ total }) => total))
  const xOf = (price: number) => Math.round(((price - low) / (high - low)) * width * 10) / 10
  const yOf = (nodes: number) => Math.round((1 - nodes / (most || 1)) * height * 10) / 10
  const path = (steps: readonly DepthStep[], edge: number) => {
    const [best] = steps
    if (!best) return ''
    let text = `M${xOf(Number(best.price))} ${height}`
    for (const [index, { price, total }] of steps.entries()) {
      const next = steps[index + 1]
      text += `L${xOf(Number(price))} ${yOf(total)}`
      text += `L${next ? xOf(Number(next.price)) : edge} ${yOf(total)}`
    }
    return `${text}L${edge} ${height}Z`
  }
  return { bids: path(bids, 0), asks: path(asks, width), low, high, most, xOf }
}

/** The room that a price needs on the axis. */
const labelWidth = 80

/** A price on the axis of the drawing. */
export type DepthLabel = { readonly price: string; readonly x: number; readonly anchor: 'start' | 'middle' | 'end' }

/** The best prices and the outermost ones, as far as there is room for them. */
export function depthLabels({ asks, bids }: Ladder, { xOf }: DepthShape, width: number): readonly DepthLabel[] {
  const labels: DepthLabel[] = []
  for (const step of [asks[0], bids[0], asks.at(-1), bids.at(-1)]) {
    if (!step) continue
    const x = xOf(Number(step.price))
    const anchor = x < labelWidth / 2 ? 'start' : x > width - labelWidth / 2 ? 'end' : 'middle'
    if (labels.every((other) => Math.abs(other.x - x) >= labelWidth)) labels.push({ price: step.price, x, anchor })
  }
  return labels
}
