/** The geometry of the calendar: moments and places on the screen, ticks, and paths of steps. Pure. */
import { daySeconds, hourSeconds, minuteSeconds } from '@bourse/text/time/units.ts'
import { type Steps, valueAt } from '../../live/steps.rules.ts'

/** How much time is shown, to what a drag is rounded, and at what times of the day it begins. */
export const zooms = {
  hour: { span: hourSeconds, grain: minuteSeconds, edge: 5 * minuteSeconds },
  day: { span: daySeconds, grain: 900, edge: hourSeconds },
  week: { span: 7 * daySeconds, grain: hourSeconds, edge: daySeconds },
  month: { span: 30 * daySeconds, grain: 6 * hourSeconds, edge: daySeconds },
  quarter: { span: 91 * daySeconds, grain: daySeconds, edge: daySeconds },
} as const
/** The name of a zoom. */
export type Zoom = keyof typeof zooms

/** What is shown: from a moment until a moment, over so many pixels. */
export type View = { readonly from: number; readonly to: number; readonly width: number }

/** The zoom of a word of the address. */
export function zoomOf(word: string): Zoom {
  return word in zooms ? (word as Zoom) : 'week'
}

/**
 * The range of a zoom: from `at` on, or with a tenth of it before now. It begins at a full hour or day of local time.
 * `offset` is the local time less UTC, in seconds.
 */
export function rangeOf(zoom: Zoom, at: string, now: number, offset = 0): { from: number; to: number } {
  const { span, edge } = zooms[zoom]
  const asked = /^\d{1,11}$/.test(at) ? Number(at) : now - span / 10
  const from = Math.floor((asked + offset) / edge) * edge - offset
  return { from, to: from + span }
}

/** Where another zoom begins, as an address. It keeps now in its place where it is shown, or else the middle. */
export function zoomedAt(next: Zoom, { from, to }: { from: number; to: number }, now: number): string {
  const kept = now >= from && now < to ? now : (from + to) / 2
  const part = (kept - from) / (to - from)
  return String(Math.max(0, Math.round(kept - part * zooms[next].span)))
}

/** The place of a moment; beyond the edges for moments that are not shown. */
export function xOf({ from, to, width }: View, at: number): number {
  return ((at - from) / (to - from)) * width
}

/** The moment of a place. */
export function timeAt({ from, to, width }: View, x: number): number {
  return from + (x / Math.max(1, width)) * (to - from)
}

/** Pixels within which an edge attracts what is dragged. */
const attraction = 6

/**
 * The moment that a place means: an edge of what is drawn if one is near, else a multiple of the zoom's grain in local
 * time. `offset` is the local time less UTC, in seconds.
 */
export function snapped(view: View, x: number, zoom: Zoom, edges: readonly number[], offset = 0): number {
  const near = edges
    .map((at) => ({ at, distance: Math.abs(xOf(view, at) - x) }))
    .filter(({ distance }) => distance <= attraction)
    .toSorted((a, b) => a.distance - b.distance)[0]
  if (near) return near.at
  const { grain } = zooms[zoom]
  return Math.round((timeAt(view, x) + offset) / grain) * grain - offset
}

const tickSteps = [
  60,
  300,
  900,
  1_800,
  hourSeconds,
  3 * hourSeconds,
  6 * hourSeconds,
  12 * hourSeconds,
  daySeconds,
  2 * daySeconds,
  7 * daySeconds,
  14 * daySeconds,
  28 * daySeconds,
]
/** Pixels between two ticks, at least. */
const tickWidth = 76

/** The ticks whose labels are not cut by the right edge. */
export function labelledTicks(ticks: readonly Tick[], view: View): readonly Tick[] {
  return ticks.filter(({ at }) => xOf(view, at) <= view.width - tickWidth)
}

/** A tick: a moment, and whether a day begins there. */
export type Tick = { readonly at: number; readonly isDay: boolean }

/** Ticks at round local times. `offsetAt` is the local time less UTC at a moment, which changes twice a year. */
export function ticksOf(view: View, offsetAt: (at: number) => number): { ticks: readonly Tick[]; step: number } {
  const { from, to, width } = view
  const wanted = ((to - from) / Math.max(1, width)) * tickWidth
  const step = tickSteps.find((one) => one >= wanted) ?? 28 * daySeconds
  const ticks: Tick[] = []
  const first = Math.ceil((from + offsetAt(from)) / step) * step
  for (let local = first; ticks.length < 100; local += step) {
    const at = local - offsetAt(local - offsetAt(from))
    if (at >= to) break
    if (at >= from) ticks.push({ at, isDay: local % daySeconds === 0 })
  }
  return { ticks, step }
}

/** The least height of an area: one node beside hundreds is still seen. */
const leastHeight = 3

/** The areas under steps, from the bottom of a lane up: the path of an SVG. Empty where nothing is shown. */
export function areaPath(steps: Steps, view: View, height: number, most: number): string {
  const { from, to } = view
  const scale = most > 0 ? height / most : 0
  const topOf = (value: number) => rounded(height - Math.max(leastHeight, value * scale))
  const inside = steps.filter(([at]) => at > from && at < to)
  const points: (readonly [number, number])[] = [[from, valueAt(steps, from) ?? 0], ...inside, [to, 0]]
  const bottom = rounded(height)
  let path = ''
  let isOpen = false
  for (const [at, value] of points) {
    const x = rounded(xOf(view, at))
    // Stretches without anything have no line along the bottom.
    if (isOpen) path += value > 0 ? `H${x}V${topOf(value)}` : `H${x}V${bottom}Z`
    else if (value > 0) path += `M${x} ${bottom}V${topOf(value)}`
    isOpen = value > 0
  }
  return path
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** Pixels around the line of now that a number keeps free of, and how wide a number is. */
const numberGap = 4
const numberWidth = 10

/** Where the number of a bar begins that begins at a place: beside the line of now, not below it. */
export function numberX(x: number, nowX: number): number {
  const usual = x + 5
  return nowX > usual - numberGap && nowX < usual + numberWidth + numberGap ? nowX + numberGap : usual
}

/** A range cut to what is shown; undefined where it is too short to be seen. Without end it goes on to the edge. */
export function shownPart(
  view: View,
  start: number,
  end: number | null,
): { readonly x: number; readonly width: number } | undefined {
  const x = rounded(Math.max(0, xOf(view, start)))
  const width = rounded(Math.min(view.width, end === null ? view.width : xOf(view, end)) - x)
  return width > 0 ? { x, width } : undefined
}
