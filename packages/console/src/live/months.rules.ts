/** Days and months of UTC, as usage, exports and statements count them. Pure. */
import { daySeconds } from '@bourse/text/time/units.ts'

/** The month of a moment: `2026-01`. */
export function monthOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 7)
}

/** The month before or after: `monthAfter('2026-01', -1)` is `2025-12`. */
export function monthAfter(month: string, steps: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return monthOf(Date.UTC(year, number - 1 + steps, 1) / 1000)
}

/** The beginning of a month in Unix seconds. */
export function monthStart(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`) / 1000
}

/** A month in words, in English as all texts of the console. */
export function monthText(month: string): string {
  const date = new Date(monthStart(month) * 1000)
  return date.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** Months that are offered at the most. */
const monthsMax = 24

/** The months from a moment on until the present one, the newest first, two years at the most. */
export function monthsSince(begin: number, now: number): readonly string[] {
  const months = Array.from({ length: monthsMax }, (_, index) => monthAfter(monthOf(now), -index))
  return months.filter((month, index) => index === 0 || month >= monthOf(begin))
}

/** The beginnings of all days or months from one to before another. */
export function periodsOf(from: number, to: number, granularity: 'day' | 'month'): readonly number[] {
  const starts: number[] = []
  for (let at = from; at < to; at = granularity === 'day' ? at + daySeconds : monthStart(monthAfter(monthOf(at), 1))) {
    starts.push(at)
  }
  return starts
}

/** The beginning of the day of a moment, in UTC. */
export function dayStart(at: number): number {
  return at - (((at % daySeconds) + daySeconds) % daySeconds)
}

/** A day as an input of dates has it. */
export function dateText(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10)
}

/** The beginning of a day of an input of dates; undefined where it is none. */
export function readDate(text: string): number | undefined {
  const milliseconds = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}
