/** A field of a day or of a moment: what it shows, what may be typed into it, and where its keys lead. Pure. */
import { isInputProblem } from '@bourse/text/grammar/input-problem.ts'
import { type Moment, momentAt, readMoment } from '@bourse/text/grammar/moments.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { dayOf, daysIn, firstMomentOf, momentsOf, startOf, wallClock, type Zone } from '@bourse/text/time/zones.ts'
import { momentText, utcDayText } from './values.rules.ts'

/** What the field is for: a day of UTC, or a moment in the zone of the browser. */
export type TimeKind = 'day' | 'moment'

/** What of the present the field has to know. */
export type TimeContext = {
  readonly kind: TimeKind
  readonly now: number
  readonly zone: Zone
  /** What the field holds: an hour that the clocks show twice is the one that is nearer to it. */
  readonly before?: number | undefined
}

/** A text as a moment, or what is wrong with it. */
export type ReadTime = { readonly at: number } | { readonly problem: string }

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** What the field itself shows: `Nov 28`, `Nov 28, 2025`, `Nov 28, 16:04`. */
const shownForm = /^([a-z]{3}) (\d{1,2})(?:, (\d{4}))?(?:, (\d{1,2}:\d{2}))?$/i

/** The text of a value; empty without one. */
export function timeFieldText(at: number | undefined, kind: TimeKind): string {
  if (at === undefined) return ''
  return kind === 'day' ? utcDayText(at) : momentText(at)
}

/** Reads what was typed: what the field shows, and all that the grammar of times takes. */
export function readTimeField(text: string, { kind, now, zone: local, before }: TimeContext): ReadTime {
  const zone = kind === 'day' ? 'UTC' : local
  try {
    const moment = readMoment(spelledOut(text.trim(), wallClock(now, zone)))
    const at = nearestOf(moment, { now, zone, before, text })
    return { at: kind === 'day' ? at - (at % daySeconds) : at - (at % 60) }
  } catch (error) {
    if (!isInputProblem(error)) throw error
    return { problem: `${error.message} ${error.remedy ?? ''}`.trim() }
  }
}

type Meant = { readonly now: number; readonly zone: Zone; readonly before: number | undefined; readonly text: string }

/** The moment that is meant. Throws an input problem for one that the clocks skip. */
function nearestOf(moment: Moment, { now, zone, before, text }: Meant): number {
  const under = (offset: number) => momentAt(moment, { now, zone: offset, text })
  const guess = under(wallClock(now, zone) - now)
  const offsets = [guess - daySeconds, guess + daySeconds].map((near) => wallClock(near, zone) - near)
  const shown = offsets.filter((offset) => wallClock(under(offset), zone) - under(offset) === offset).map(under)
  const [first] = shown
  // Without a time of day, or in a gap, the grammar knows what is meant.
  if (first === undefined || new Set(shown).size < 2) return momentAt(moment, { now, zone, text })
  const near = before ?? first
  return shown.reduce((best, one) => (Math.abs(one - near) < Math.abs(best - near) ? one : best))
}

/** What the field shows, with the year that it leaves out where it is the present one. */
function spelledOut(text: string, wall: number): string {
  const [, name = '', day, year = dayOf(wall).year, clock = ''] = shownForm.exec(text) ?? []
  const month = months.find((one) => one.toLowerCase() === name.toLowerCase())
  return month === undefined ? text : `${day} ${month} ${year} ${clock}`.trim()
}

/** Where a key leads: arrows by an hour, or by a day in a field of days; Page Up and Page Down by a day, or a week. */
export function steppedTime(at: number, key: string, kind: TimeKind): number | undefined {
  const isDay = kind === 'day'
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: isDay ? daySeconds : hourSeconds,
    ArrowDown: isDay ? -daySeconds : -hourSeconds,
    PageUp: isDay ? 7 * daySeconds : daySeconds,
    PageDown: isDay ? -7 * daySeconds : -daySeconds,
  }
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  return step === undefined ? undefined : Math.max(0, at + step)
}

/** A day of a sheet of the calendar, by its beginning on the wall clock. */
export type SheetDay = { readonly wall: number; readonly day: number; readonly is_inside: boolean }

/** The weeks of a month on a wall clock, from Monday on. */
export function monthSheet(wall: number): readonly (readonly SheetDay[])[] {
  const { year, month } = dayOf(wall)
  const first = startOf({ year, month, day: 1 })
  // The first of January 1970 was a Thursday.
  const before = (Math.floor(first / daySeconds) + 3) % 7
  const weeks = Math.ceil((before + daysIn(year, month)) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_unused, place): SheetDay => {
      const own = first + (week * 7 + place - before) * daySeconds
      const shown = dayOf(own)
      return { wall: own, day: shown.day, is_inside: shown.month === month }
    }),
  )
}

/** The wall clock some months later, on the same day as far as the month has it. */
export function monthsLater(wall: number, steps: number): number {
  const { year, month, day } = dayOf(wall)
  const index = year * 12 + month - 1 + steps
  const target = { year: Math.floor(index / 12), month: (index % 12) + 1 }
  return startOf({ ...target, day: Math.min(day, daysIn(target.year, target.month)) })
}

/** The same time of another day; where the clocks skip it, the first moment of that day. */
export function onDay(at: number, wall: number, zone: Zone): number {
  const present = wallClock(at, zone)
  const [moment] = momentsOf(wall + (present - startOf(dayOf(present))), zone)
  return moment ?? firstMomentOf(dayOf(wall), zone)
}
