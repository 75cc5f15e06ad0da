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

/** A row of the ladder: all levels whose price is written alike. */
export type LadderRow = DepthStep & {
  readonly text: string
  /** Nodes of own open orders in it; their levels count them too. */
  readonly own: number
  /** The nodes as a part of those of the largest row: the length of its bar. */
  readonly part: number
}

/** An own order that rests: its price, and its nodes. */
export type OwnOffer = { readonly side: DepthStep['side']; readonly price: string; readonly nodes: number }

/** The rows of both sides, the best price of each first. The price of a row is its worst: it gets all of its nodes. */
export function ladderRows(
  { asks, bids }: Ladder,
  { textOf, own }: { textOf: (price: string) => string; own: readonly OwnOffer[] },
): { readonly asks: readonly LadderRow[]; readonly bids: readonly LadderRow[] } {
  const rows = [asks, bids].map((steps) => joined(steps, textOf))
  const most = Math.max(1e-9, ...rows.flat().map(({ nodes }) => nodes))
  const [shownAsks = [], shownBids = []] = rows.map((side) =>
    side.map((row) => {
      const mine = own.filter((offer) => offer.side === row.side && textOf(offer.price) === row.text)
      return { ...row, own: mine.reduce((sum, { nodes }) => sum + nodes, 0), part: row.nodes / most }
    }),
  )
  return { asks: shownAsks, bids: shownBids }
}

function joined(steps: readonly DepthStep[], textOf: (price: string) => string) {
  const rows: (DepthStep & { readonly text: string })[] = []
  for (const step of steps) {
    const text = textOf(step.price)
    const last = rows.at(-1)
    if (last?.text !== text) rows.push({ ...step, text })
    else rows[rows.length - 1] = { ...step, text, nodes: tenths(last.nodes + step.nodes) }
  }
  return rows
}

/** A place on an axis, and what it is labelled with. */
export type AxisTick = { readonly place: number; readonly value: number }

/** The drawing: a path for each side, and its axes. */
export type DepthShape = {
  readonly bids: string
  readonly asks: string
  /** Nodes, from below. */
  readonly rows: readonly AxisTick[]
  /** Prices, from the left. */
  readonly columns: readonly AxisTick[]
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
  const most = Math.max(...all.map(({ total }) => total)) * 1.1 || 1
  const xOf = (price: number) => tenths(((price - low) / (high - low)) * width)
  const yOf = (nodes: number) => tenths((1 - nodes / most) * height)
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
  return {
    bids: path(bids, 0),
    asks: path(asks, width),
    rows: roundValues(0, most, 4).map((value) => ({ value, place: yOf(value) })),
    columns: roundValues(low, high, 7).map((value) => ({ value, place: xOf(value) })),
  }
}

/** Round values between two, at most so many, without those at the edges. */
export function roundValues(low: number, high: number, count: number): readonly number[] {
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  const first = Math.floor(low / step) + 1
  const values = Array.from({ length: count + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  return values.filter((value) => value < high)
}
