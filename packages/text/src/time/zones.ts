/** Wall clocks of time zones: which moment one shows, with the gaps and repetitions of daylight saving time. */

import { localZone } from './local-zone.ts'
import { daySeconds, minuteSeconds } from './units.ts'

/** A time zone by its name, or a fixed offset from UTC in seconds. */
export type Zone = string | number

/** A date of the calendar. */
export type CalendarDay = { readonly year: number; readonly month: number; readonly day: number }

/** The wall clock of a zone at a moment, as the Unix seconds at which UTC shows the same. */
export function wallClock(at: number, zone: Zone): number {
  if (typeof zone === 'number') return at + zone
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at * 1000)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const time = [part('hour'), part('minute'), part('second')] as const
  return Date.UTC(part('year'), part('month') - 1, part('day'), ...time) / 1000
}

/** The moments at which the wall clock of a zone shows a time: none in a gap, two in a repeated hour. */
export function momentsOf(wall: number, zone: Zone): number[] {
  const offsets = [wall - daySeconds, wall + daySeconds].map((near) => wallClock(near, zone) - near)
  const moments = [...new Set(offsets)].map((offset) => wall - offset)
  return moments.filter((at) => wallClock(at, zone) === wall).sort((a, b) => a - b)
}

/** The first moment of a date: its midnight, or what its clocks show first where they skip or repeat midnight. */
export function firstMomentOf(day: CalendarDay, zone: Zone): number {
  const midnight = startOf(day)
  const [first] = momentsOf(midnight, zone)
  if (first !== undefined) return first
  // The clocks skip midnight, and the date begins when they do: the first moment whose wall clock shows it.
  let [before, after] = [midnight - 2 * daySeconds, midnight + 2 * daySeconds]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (wallClock(middle, zone) < midnight) before = middle
    else after = middle
  }
  return after
}

/** The date that a wall clock shows. */
export function dayOf(wall: number): CalendarDay {
  const date = new Date(wall * 1000)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The beginning of a date on a wall clock. */
export function startOf({ year, month, day }: CalendarDay): number {
  return Date.UTC(year, month - 1, day) / 1000
}

/** The days of a month. */
export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** A moment as a date and time: `2026-12-01 09:00`, with seconds where they are not zero. */
export function spelled(at: number, zone: Zone): string {
  const text = new Date(wallClock(at, zone) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return text.endsWith(':00') ? text.slice(0, 16) : text
}

/** A moment by the clock of a zone in ISO 8601, to the minute: `2026-12-01T09:00+01:00`; `Z` where that is UTC. */
export function isoIn(at: number, zone: Zone): string {
  const text = new Date(wallClock(at, zone) * 1000).toISOString().slice(0, 16)
  const minutes = Math.round((wallClock(at, zone) - at) / minuteSeconds)
  if (minutes === 0) return `${text}Z`
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${text}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

/** A moment in UTC, and in another zone where that differs: `2026-12-01 08:00 UTC (09:00 Europe/Berlin)`. */
export function spelledTwice(at: number, zone: string = localZone()): string {
  const [utc, local] = [spelled(at, 'UTC'), spelled(at, zone)]
  if (utc === local) return `${utc} UTC`
  const short = local.slice(0, 10) === utc.slice(0, 10) ? local.slice(11) : local
  return `${utc} UTC (${short} ${zone})`
}
