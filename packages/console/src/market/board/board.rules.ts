/** The board: prices in a unit, the line of a SKU, the colours of its hours, and windows marked on it. Pure. */
import type { OrderbookBoard, OrderbookBoardRow, Pool, Sku } from '@bourse/sdk'
import { moneyText } from '@bourse/text/formats/short.ts'
import { hourSeconds, minuteSeconds } from '@bourse/text/time/units.ts'
import { type Steps, stepsOf, summed } from '../../live/steps.rules.ts'
import { isMidnight, windowText } from '../../ui/values.rules.ts'
import { skuName } from '../sku.rules.ts'

/** What prices are for. SKUs without accelerators have prices of a node only. */
export type PriceUnit = 'gpu' | 'node'

/** What a price is divided by in a unit. */
export function partsOf(sku: Pick<Sku, 'num_accelerators'>, unit: PriceUnit): number {
  return unit === 'gpu' ? sku.num_accelerators?.value || 1 : 1
}

/** The unit as it stands behind a price. */
export function unitText(sku: Pick<Sku, 'num_accelerators'>, unit: PriceUnit): string {
  return unit === 'gpu' && sku.num_accelerators?.value ? '/GPU-h' : '/node-h'
}

/** A price of a node as a price in the unit: `$2.26`. */
export function priceText(dollars: string | number, parts: number): string {
  return moneyText((Number(dollars) / parts).toFixed(6))
}

/** Hundredths of a percent as `−1.8 %`. */
export function changeText(bps: number): string {
  const percent = (Math.abs(bps) / 100).toFixed(1)
  if (percent === '0.0') return '0.0 %'
  return `${bps < 0 ? '−' : '+'}${percent} %`
}

/** The range of time of a board, in which hours have their places. */
export type BoardRange = { readonly current: number; readonly hours: number }

/** A line from the past through now: in hours from its left edge, and in the height that is given. */
export type BoardLine = { readonly past: string; readonly ahead: string; readonly points: string }

/** The least range of a line as a part of its price: a few cents are no mountains. */
const leastRange = 0.06

/** The past hours that lines show: whole days, from the first trade of any row on, so a young market has no gap. */
export function shownPast(rows: readonly OrderbookBoardRow[]): number {
  const leading = rows.map(({ traded_dollars_per_node_hour: prices }) => {
    const first = prices.findIndex((price) => price !== null)
    return first < 0 ? 0 : prices.length - 1 - first
  })
  const longest = Math.max(0, ...rows.map(({ traded_dollars_per_node_hour: { length } }) => length - 1))
  return Math.min(longest, Math.max(24, Math.ceil(Math.max(0, ...leading) / 24) * 24))
}

/** The line of a row. Past hours without trades are joined; hours ahead without an offer are not. */
export function boardLine(
  row: OrderbookBoardRow,
  { passed, pastHours }: { passed: number; pastHours: number },
  height: number,
): BoardLine {
  const traded = row.traded_dollars_per_node_hour
    .slice(-pastHours - 1)
    .map((price) => (price === null ? null : Number(price)))
  const asked = row.asked_dollars_per_node_hour.map((price) => (price === null ? null : Number(price)))
  const known = [...traded, ...asked].filter((price) => price !== null)
  if (known.length === 0) return { past: '', ahead: '', points: '' }
  const { low, high } = rangeOf(known)
  const margin = height * 0.12
  const yOf = (price: number) => rounded(margin + ((high - price) / (high - low)) * (height - 2 * margin))
  const hours = traded.length - 1
  const now = rounded(hours + passed)
  const past = traded.flatMap((price, index) => {
    return price === null ? [] : [{ x: index === hours ? now : index + 0.5, y: yOf(price) }]
  })
  const last = past.at(-1)
  return {
    past: past.length === 0 ? '' : `${pathOf(past)}${last && last.x < now ? `H${now}` : ''}`,
    points: past.length > 2 ? '' : past.map(({ x, y }) => `M${x} ${y}h0`).join(''),
    ahead: aheadPath(asked, { first: hours, now, yOf }),
  }
}

function rangeOf(known: readonly number[]): { readonly low: number; readonly high: number } {
  const [least, greatest] = [Math.min(...known), Math.max(...known)]
  const middle = (least + greatest) / 2
  const half = Math.max((greatest - least) / 2, (middle * leastRange) / 2, 1e-6)
  return { low: middle - half, high: middle + half }
}

function aheadPath(
  asked: readonly (number | null)[],
  { first, now, yOf }: { first: number; now: number; yOf: (price: number) => number },
): string {
  let path = ''
  let isOpen = false
  for (const [index, price] of asked.entries()) {
    if (price !== null) {
      const x = index === 0 ? now : first + index
      path += `${isOpen ? 'L' : 'M'}${x} ${yOf(price)}H${first + index + 1}`
    }
    isOpen = price !== null
  }
  return path
}

function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** The part of a price by which the last colour differs from the mean. */
export const heatSpan = 0.2
/** Colours on either side of the usual one. */
export const heatSteps = 4

/** The mean of the offers of a row; undefined where nothing is offered. */
export function meanAsk(row: OrderbookBoardRow): number | undefined {
  const known = row.asked_dollars_per_node_hour.flatMap((price) => (price === null ? [] : [Number(price)]))
  return known.length === 0 ? undefined : known.reduce((sum, price) => sum + price, 0) / known.length
}

/** The colour of a price against the SKU's own mean: −4 is a fifth cheaper or more, 0 the usual, 4 a fifth dearer. */
export function heatOf(price: number, mean: number): number {
  const part = mean > 0 ? (price / mean - 1) / heatSpan : 0
  return Math.round(Math.max(-1, Math.min(1, part)) * heatSteps) + 0
}

/** Hours of one colour, or without an offer: the path of their areas, an hour wide and 1 high. */
export type HeatArea = { readonly heat: number | 'none'; readonly path: string }

/** The strip of a row as one path for each colour, so that 32 rows of 168 hours stay a few hundred shapes. */
export function heatAreas(row: OrderbookBoardRow): readonly HeatArea[] {
  const mean = meanAsk(row) ?? 0
  const heats = row.asked_dollars_per_node_hour.map((price) => (price === null ? 'none' : heatOf(Number(price), mean)))
  const paths = new Map<HeatArea['heat'], string>()
  let start = 0
  for (let index = 1; index <= heats.length; index++) {
    const heat = heats[start] as HeatArea['heat']
    if (heats[index] === heat) continue
    paths.set(heat, `${paths.get(heat) ?? ''}M${start} 0H${index}V1H${start}Z`)
    start = index
  }
  return [...paths].map(([heat, path]) => ({ heat, path }))
}

/** Where days begin among the hours, in local time. */
export function midnightsOf({ current, hours }: BoardRange): readonly { readonly at: number; readonly hour: number }[] {
  // Zones with half hours have their midnight within an hour of UTC.
  return Array.from({ length: hours * 2 }, (_, half) => ({
    at: current + half * (hourSeconds / 2),
    hour: half / 2,
  })).filter(({ at }) => isMidnight(at))
}

/** Days that have a label: today where there is room for it before the first midnight, and each that begins. */
export function dayLabels(range: BoardRange): readonly { readonly at: number; readonly hour: number }[] {
  const midnights = midnightsOf(range)
  const [first] = midnights
  const room = range.hours / 10
  const isRoom = first === undefined || first.hour >= room
  const today = isRoom && first?.hour !== 0 ? [{ at: range.current, hour: 0 }] : []
  return [...today, ...midnights.filter(({ hour }) => hour <= range.hours - room)]
}

/** A window in which pools own nodes. */
export type OwnWindow = { readonly start: number; readonly end: number; readonly nodes: number }

/** What pools own of a SKU within the range of the strip. */
export function ownWindows(pools: readonly Pool[], sku: string, { current, hours }: BoardRange): readonly OwnWindow[] {
  const until = current + hours * hourSeconds
  const steps: Steps = summed(pools.map(({ allocation_schedule }) => stepsOf(allocation_schedule.by_sku[sku] ?? [])))
  return steps.flatMap(([at, nodes], index) => {
    const [start, end] = [Math.max(at, current), Math.min(steps[index + 1]?.[0] ?? until, until)]
    return nodes > 0 && end > start ? [{ start, end, nodes }] : []
  })
}

/** The number of nodes of an own window, and where it stands: behind its bar, or on it where something follows. */
export type OwnLabel = { readonly at: number; readonly nodes: number; readonly isOn: boolean }

/** The labels of own windows. One that is too short for its label and has no room behind it has none. */
export function labelledWindows(own: readonly OwnWindow[], { current, hours }: BoardRange): readonly OwnLabel[] {
  const room = hours * hourSeconds * 0.1
  const until = current + hours * hourSeconds
  return own.flatMap(({ start, end, nodes }, index): OwnLabel[] => {
    if ((own[index + 1]?.start ?? until) - end >= room) return [{ at: end, nodes, isOn: false }]
    return end - start >= 2 * room ? [{ at: start + room / 4, nodes, isOn: true }] : []
  })
}

/** Hours that are marked: from one to another, in either direction. */
export type MarkedHours = { readonly from: number; readonly to: number }

/** A window that is drawn as marked. */
export type HeldWindow = { readonly start: number; readonly end: number }

/** All of the marked hours, also what has passed of the first one: what is drawn around them. */
export function spanOf({ current }: BoardRange, { from, to }: MarkedHours): HeldWindow {
  const [first, last] = [Math.min(from, to), Math.max(from, to)]
  return { start: current + first * hourSeconds, end: current + (last + 1) * hourSeconds }
}

/** The part of a window that a board shows; undefined where it shows none of it. */
export function shownPartOf({ start, end }: HeldWindow, { current, hours }: BoardRange): HeldWindow | undefined {
  const part = { start: Math.max(start, current), end: Math.min(end, current + hours * hourSeconds) }
  return part.end > part.start ? part : undefined
}

/** The window of a draft of an order; undefined where it has none of its own. */
export function heldWindow(draft: { readonly start?: string; readonly end?: string } | undefined) {
  const [start, end] = [Number(draft?.start || Number.NaN), Number(draft?.end || Number.NaN)]
  return end > start ? { start, end } : undefined
}

/** The window of marked hours. What has begun starts with the next minute. */
export function markedWindow({ current }: BoardRange, { from, to }: MarkedHours, now: number) {
  const [first, last] = [Math.min(from, to), Math.max(from, to)]
  const next = (Math.floor(now / minuteSeconds) + 1) * minuteSeconds
  return { start: Math.max(current + first * hourSeconds, next), end: current + (last + 1) * hourSeconds }
}

/** What a number of nodes in marked hours would cost by the best offers, and what is offered there. */
export type MarkedCost = { readonly dollars: number; readonly hourly: number; readonly offered: number } | undefined

/** The cost of marked hours; undefined where nothing is offered in one of them. */
export function costOf(
  row: OrderbookBoardRow,
  hours: MarkedHours,
  { start, end, current, nodes }: { start: number; end: number; current: number; nodes: number },
): MarkedCost {
  let sum = 0
  let offered = Number.POSITIVE_INFINITY
  for (let hour = Math.min(hours.from, hours.to); hour <= Math.max(hours.from, hours.to); hour++) {
    const price = row.asked_dollars_per_node_hour[hour]
    if (price === null || price === undefined) return undefined
    const [from, to] = [
      Math.max(start, current + hour * hourSeconds),
      Math.min(end, current + (hour + 1) * hourSeconds),
    ]
    sum += Number(price) * Math.max(0, to - from)
    offered = Math.min(offered, row.offered_node_counts[hour] ?? 0)
  }
  const hourly = end > start ? sum / (end - start) : 0
  return { dollars: (sum / hourSeconds) * nodes, hourly, offered }
}

/** The hours of the board that a window touches. */
export function hoursOf({ start, end, current }: { start: number; end: number; current: number }): MarkedHours {
  return { from: Math.floor((start - current) / hourSeconds), to: Math.ceil((end - current) / hourSeconds) - 1 }
}

type FlagParts = HeldWindow & {
  readonly nodes: number
  readonly cost: MarkedCost
  readonly unit: PriceUnit
  readonly side?: 'buy' | 'sell'
}

/** What the flag at the pointer says: `Fri 27, 09:00–15:00 · 8 nodes · ≈ $868 · $2.26/GPU-h`. */
export function flagText(row: OrderbookBoardRow, { start, end, nodes, cost, unit, side = 'buy' }: FlagParts): string {
  const count = nodes === 1 ? '1 node' : `${nodes} nodes`
  if (side === 'sell') return `${windowText(start, end)} · ${count}`
  if (!cost) return `${windowText(start, end)} · ${count} · nothing offered in a part of it`
  const price = `${priceText(cost.hourly, partsOf(row.sku, unit))}${unitText(row.sku, unit)}`
  const few = cost.offered < nodes ? ` · only ${cost.offered} offered all the time` : ''
  return `${windowText(start, end)} · ${count} · ≈ ${aboutText(cost.dollars)} · ${price}${few}`
}

/** An estimate in dollars, without cents that it does not know. */
export function aboutText(dollars: number): string {
  return dollars < 100 ? moneyText(dollars.toFixed(6)) : moneyText(`${Math.round(dollars)}.000000`).replace('.00', '')
}

/** The hours that a key leads to, from those that are marked; undefined for another key. Shift keeps the beginning. */
export function hoursAfter(
  key: string,
  { from, to }: MarkedHours,
  { hours, isExtending }: { hours: number; isExtending: boolean },
): MarkedHours | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageDown: -24,
    PageUp: 24,
    Home: -hours,
    End: hours,
  }
  const step = steps[key]
  if (step === undefined) return undefined
  const next = Math.max(0, Math.min(hours - 1, to + step))
  return { from: isExtending ? from : next, to: next }
}

/** An hour of a SKU: what was traded in it, or what is offered in it. */
export type BoardHour = {
  readonly sku: string
  readonly at: number
  readonly traded: string | null
  readonly asked: string | null
  readonly nodes: number | null
}

/** All hours of a board that say something: those ahead, and those of the past with a trade. */
export function hoursOfBoard({ rows, from, current_hour_at: current, hours }: OrderbookBoard): readonly BoardHour[] {
  return rows.flatMap((row) =>
    Array.from({ length: 2 * hours }, (_, index): BoardHour => {
      const ahead = index - hours
      return {
        sku: skuName(row.sku),
        at: from + index * hourSeconds,
        traded: row.traded_dollars_per_node_hour[index] ?? null,
        asked: ahead < 0 ? null : (row.asked_dollars_per_node_hour[ahead] ?? null),
        nodes: ahead < 0 ? null : (row.offered_node_counts[ahead] ?? null),
      }
    }).filter(({ at, traded }) => at >= current || traded !== null),
  )
}
