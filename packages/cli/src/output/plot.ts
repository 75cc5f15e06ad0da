/** Draws the market as text: depth as bars, prices as a chart. Sums are floating-point numbers, for display only. */
import { counted } from '@bourse/text/formats/amounts.ts'

/** The number of nodes at a price. */
export type DepthLevel = { readonly price: number; readonly nodes: number }

/** The prices of one interval. */
export type PriceSpan = { readonly at: number; readonly low: number; readonly high: number; readonly mean: number }

/** The size and style of a drawing. */
export type Canvas = {
  readonly width: number
  readonly dim: (text: string) => string
  readonly bidColour: (text: string) => string
  readonly askColour: (text: string) => string
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const
const blank = ' '

/**
 * Draws a bar for each price: asks above with the best one lowest, then bids with the best one highest. Both lists
 * start with the best price.
 */
export function depthPlot(
  { bids, asks }: { bids: readonly DepthLevel[]; asks: readonly DepthLevel[] },
  canvas: Canvas,
): string[] {
  const all = [...asks, ...bids]
  if (all.length === 0) return ['There are no bids or asks in this window.']
  const most = Math.max(...all.map(({ nodes }) => nodes))
  const prices = all.map(({ price }) => price.toFixed(4))
  const priceWidth = Math.max(...prices.map((text) => text.length))
  const nodesWidth = Math.max(...all.map(({ nodes }) => countOf(nodes).length))
  const room = Math.max(1, canvas.width - priceWidth - nodesWidth - 9)
  const line = (side: 'ask' | 'bid', { price, nodes }: DepthLevel) => {
    const paint = side === 'ask' ? canvas.askColour : canvas.bidColour
    const label = `${price.toFixed(4).padStart(priceWidth)}  ${countOf(nodes).padStart(nodesWidth)}`
    return `${side}  ${label}  ${paint(barOf((nodes / most) * room))}`
  }
  return [
    ...asks.toReversed().map((level) => line('ask', level)),
    canvas.dim(spreadLine(bids[0], asks[0])),
    ...bids.map((level) => line('bid', level)),
  ]
}

/**
 * Draws a chart over time: for each interval a line from its low to its high, and a dot at its mean. Intervals without
 * trades stay empty. Where there are more intervals than columns, several share one. A line marks the column of `now`.
 */
export function pricePlot(
  spans: readonly PriceSpan[],
  { seconds, height, canvas, now }: { seconds: number; height: number; canvas: Canvas; now?: number },
): string[] {
  const [first] = spans
  const last = spans.at(-1)
  if (!first || !last) return ['Nothing was traded.']
  const low = Math.min(...spans.map((span) => span.low))
  const high = Math.max(...spans.map((span) => span.high))
  const labels = [high, (high + low) / 2, low].map((price) => price.toFixed(4))
  const labelWidth = Math.max(...labels.map((label) => label.length))
  const count = (last.at - first.at) / seconds + 1
  const room = Math.max(1, canvas.width - labelWidth - 3)
  const shared = Math.ceil(count / room)
  const columns = Math.ceil(count / shared)
  const stretch = Math.max(1, Math.min(4, Math.floor(room / columns)))
  const rowOf = (price: number) => (high === low ? 0 : Math.round(((high - price) / (high - low)) * (height - 1)))
  const rows = Array.from({ length: height }, () => Array.from({ length: columns * stretch }, () => blank))
  if (now !== undefined) {
    const column = Math.floor((now - first.at) / seconds / shared) * stretch
    for (let row = 0; row < height; row++) put(rows, row, column, '┊')
  }
  for (const group of groupsOf(spans, (span) => Math.floor((span.at - first.at) / seconds / shared))) {
    const column = group.index * stretch
    const top = rowOf(Math.max(...group.items.map((span) => span.high)))
    const bottom = rowOf(Math.min(...group.items.map((span) => span.low)))
    const mean = group.items.reduce((sum, span) => sum + span.mean, 0) / group.items.length
    for (let row = top; row <= bottom; row++) put(rows, row, column, '│')
    put(rows, rowOf(mean), column, '●')
  }
  const labelOf = new Map([
    [0, labels[0]],
    [Math.floor((height - 1) / 2), labels[1]],
    [height - 1, labels[2]],
  ])
  const lines = rows.map((cells, row) => {
    const label = (labelOf.get(row) ?? '').padStart(labelWidth)
    return `${canvas.dim(`${label} ┤`)} ${canvas.bidColour(cells.join('').trimEnd())}`.trimEnd()
  })
  return [...lines, canvas.dim(timeAxis({ from: first.at, to: last.at }, labelWidth, columns * stretch))]
}

/** The price of one cell of a heat map. Undefined: nothing is offered. */
export type HeatCell = { readonly at: number; readonly price: number | undefined; readonly nodes: number }

/** The cells of one thing. Those of all rows start at the same times. */
export type HeatRow = { readonly label: string; readonly cells: readonly HeatCell[] }

const shades = ['░', '▒', '▓', '█'] as const

/**
 * Draws a line of shades for each row: the darker, the dearer; `·` where nothing is offered. Behind it are the lowest
 * price and the most nodes of one cell. Where there are more cells than columns, several share one, with the cheapest.
 */
export function heatPlot(rows: readonly HeatRow[], canvas: Canvas): string[] {
  const prices = rows.flatMap(({ cells }) => cells.flatMap(({ price }) => price ?? []))
  const times = rows[0]?.cells.map(({ at }) => at) ?? []
  const [from, to] = [times[0], times.at(-1)]
  if (from === undefined || to === undefined) return ['No SKU fits.']
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const labelWidth = Math.max(...rows.map(({ label }) => label.length))
  const summaries = rows.map(({ cells }) => summaryOf(cells))
  const room = Math.max(1, canvas.width - labelWidth - Math.max(...summaries.map(({ length }) => length)) - 3)
  const shared = Math.ceil(times.length / room)
  const markOf = (price: number) => shades[Math.min(3, Math.floor(((price - low) / (high - low || 1)) * 4))] as string
  const lines = rows.map(({ label, cells }, index) => {
    const columns = groupsOf([...cells.entries()], ([at]) => Math.floor(at / shared))
    const marks = columns.map(({ items }) => {
      const offered = items.flatMap(([, { price }]) => price ?? [])
      return offered.length === 0 ? '·' : markOf(Math.min(...offered))
    })
    return `${canvas.dim(label.padEnd(labelWidth))}  ${canvas.askColour(marks.join(''))} ${summaries[index]}`.trimEnd()
  })
  const axis = timeAxis({ from, to }, labelWidth - 1, Math.ceil(times.length / shared))
  const scale = prices.length === 0 ? [] : [`░ ${low.toFixed(4)} … █ ${high.toFixed(4)}  · nothing offered`]
  return [...lines, ...[axis, ...scale].map(canvas.dim)]
}

function summaryOf(cells: readonly HeatCell[]): string {
  const prices = cells.flatMap(({ price }) => price ?? [])
  if (prices.length === 0) return ''
  return `${Math.min(...prices).toFixed(4)}  ${counted(Math.max(...cells.map(({ nodes }) => nodes)), 'node')}`
}

function timeAxis({ from, to }: { from: number; to: number }, labelWidth: number, width: number): string {
  const [start, end] = [from, to].map((at) => new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')) as [
    string,
    string,
  ]
  const line = `${blank.repeat(labelWidth)} └${'─'.repeat(width + 1)}`
  const gap = Math.max(2, width - start.length - end.length)
  const ends = from === to ? start : `${start}${blank.repeat(gap)}${end}`
  return `${line}\n${blank.repeat(labelWidth + 3)}${ends} UTC`
}

function spreadLine(bid: DepthLevel | undefined, ask: DepthLevel | undefined): string {
  if (!bid || !ask) return `     no ${ask ? 'bids' : 'asks'}`
  const spread = ask.price - bid.price
  return `     spread ${spread.toFixed(4)} (${((spread / ask.price) * 100).toFixed(1)} %)`
}

function barOf(length: number): string {
  const whole = Math.floor(length)
  const part = eighths[Math.floor((length - whole) * 8)] ?? ''
  return '█'.repeat(whole) + (whole === 0 && part === '' ? '▏' : part)
}

/** Formats nodes as a whole number, or with one decimal where a level has them for a part of the window only. */
function countOf(nodes: number): string {
  return Number.isInteger(nodes) ? String(nodes) : nodes.toFixed(1)
}

function put(rows: string[][], row: number, column: number, mark: string): void {
  const cells = rows[row]
  if (cells && column >= 0 && column < cells.length) cells[column] = mark
}

function groupsOf<T>(items: readonly T[], indexOf: (item: T) => number): { index: number; items: T[] }[] {
  const groups = new Map<number, T[]>()
  for (const item of items) groups.set(indexOf(item), [...(groups.get(indexOf(item)) ?? []), item])
  return [...groups].map(([index, own]) => ({ index, items: own }))
}
