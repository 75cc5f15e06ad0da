/**
 * Times as people write them: `now`, `+2h`, `tonight`, `tomorrow 9am`, `monday 14:00`, `next weekend`, `jan 5`,
 * `2026-12-01 09:00`, ISO 8601, Unix seconds.
 * A text is read to a description first: which moment that is depends on the server's clock and on the time zone.
 */

import { isZone } from '../time/local-zone.ts'
import { daySeconds, hourSeconds } from '../time/units.ts'
import {
  type CalendarDay,
  dayOf,
  daysIn,
  firstMomentOf,
  momentsOf,
  startOf,
  wallClock,
  type Zone,
} from '../time/zones.ts'
import { dayWords, monthNames, months, weekdays } from './calendar-words.ts'
import { inputProblem } from './input-problem.ts'
import { readSpan } from './spans.ts'
import { unknownWords } from './words.ts'

/** A time relative to now, in seconds. The server's clock determines it. */
export type FromNow = { readonly from_now: number }
/**
 * A time on a wall clock. `seconds` are those of the day; without them it is the first moment of the day. Without a
 * zone, the clock is that of the reader. `or_now`: it lasts, so where it has begun it is the present.
 */
export type WallTime = {
  readonly day: Day
  readonly seconds: number | undefined
  readonly zone: Zone | undefined
  readonly or_now?: true
}
/** What a text says about a time. A number is a moment in Unix seconds. */
export type Moment = number | FromNow | WallTime

type Day =
  | CalendarDay
  /** Days after the present one. */
  | { readonly ahead: number }
  /** A day of the week, 0 for Sunday: the next one, or the last one. */
  | { readonly weekday: number; readonly is_past: boolean }
  /** The Saturday of the weekend that runs, or else of the next one. */
  | { readonly weekend: 'running' }
  /** The next such day of a year, the present one included. */
  | Pick<CalendarDay, 'month' | 'day'>

/** What a time looks like, for messages. */
export const momentForms =
  'Write now, +2h, -30m, today 14:00, tonight, tomorrow 9am, monday 14:00, next weekend, jan 5, 2026-12-01 09:00, ' +
  '2026-12-01T09:00Z or Unix seconds.'

const saturday = 6
/** A night is from six in the evening until six in the morning. */
export const [nightBegins, nightEnds] = [18 * hourSeconds, 6 * hourSeconds]
/** Times of a day before this one are no evening. */
const eveningBegins = 17 * hourSeconds
const millisecondsFrom = 1e11
/** Unix seconds of 2000-01-01 and 2100-01-01: what lies outside is another kind of number, such as a date. */
const [earliest, latest] = [946_684_800, 4_102_444_800]

/** Parses a time. Throws an input problem that shows the accepted forms. */
export function readMoment(text: string): Moment {
  const trimmed = text.trim().replaceAll(/\s+/g, ' ')
  return readNumber(trimmed, text) ?? readRelative(trimmed) ?? readWall(trimmed, text)
}

/**
 * The moment that a text means, in Unix seconds. Throws for a time of a day that the clocks skip or repeat. A day
 * without a time begins with its first moment, also where that is not midnight or midnight comes twice.
 */
export function momentAt(moment: Moment, { now, zone, text }: { now: number; zone: Zone; text: string }): number {
  if (typeof moment === 'number') return moment
  if ('from_now' in moment) return Math.max(0, now + moment.from_now)
  const place = moment.zone ?? zone
  const wall = wallOf(moment, wallClock(now, place))
  if (moment.or_now && wall <= wallClock(now, place)) return now
  if (moment.seconds === undefined) return firstMomentOf(dayOf(wall), place)
  const [first, second] = momentsOf(wall, place)
  if (first === undefined) {
    throw problem(text, `the clocks of ${place} skip this time when daylight saving time begins`)
  }
  if (second !== undefined) {
    const remedy = 'Say which with an offset from UTC, such as 2026-10-25T02:30+02:00.'
    throw inputProblem(`"${text}" is ambiguous: the clocks of ${place} show this time twice.`, remedy)
  }
  return first
}

function wallOf({ day, seconds = 0 }: WallTime, now: number): number {
  if ('year' in day) return startOf(day) + seconds
  const today = startOf(dayOf(now))
  if ('ahead' in day) return today + day.ahead * daySeconds + seconds
  if ('month' in day) return nextDate(day, today) + seconds
  const present = new Date(today * 1000).getUTCDay()
  if ('weekend' in day) return today + (present === 0 ? -1 : saturday - present) * daySeconds + seconds
  const away = (day.weekday - present + 7) % 7
  const next = today + away * daySeconds + seconds
  if (day.is_past) return next < today ? next : next - 7 * daySeconds
  return next > now ? next : next + 7 * daySeconds
}

/** The first day on or after a day with this date. 29 February may be years away. */
function nextDate({ month, day }: Pick<CalendarDay, 'month' | 'day'>, today: number): number {
  let { year } = dayOf(today)
  while (day > daysIn(year, month) || startOf({ year, month, day }) < today) year += 1
  return startOf({ year, month, day })
}

function readNumber(trimmed: string, text: string): number | undefined {
  if (!/^\d+$/.test(trimmed)) return undefined
  const value = Number(trimmed)
  if (/^(19|20)\d\d$/.test(trimmed)) throw problem(text, 'it looks like a year without a month and a day')
  const [, year, month, day] = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(trimmed) ?? []
  if (year !== undefined) throw problem(text, `a date has hyphens: ${year}-${month}-${day}`)
  if (value >= millisecondsFrom) throw problem(text, 'it looks like milliseconds, and Unix seconds are accepted')
  if (value < earliest || value >= latest) throw problem(text, 'Unix seconds lie between 2000 and 2100')
  return value
}

function readRelative(text: string): FromNow | undefined {
  if (text.toLowerCase() === 'now') return { from_now: 0 }
  const [, sign, signed] = /^([+-]) ?(.+)$/.exec(text) ?? []
  const [, ahead] = /^in (.+)$/i.exec(text) ?? []
  const [, back] = /^(.+) ago$/i.exec(text) ?? []
  const seconds = readSpan(signed ?? ahead ?? back ?? '')
  if (seconds === undefined) return undefined
  return { from_now: sign === '-' || back !== undefined ? -seconds : seconds }
}

const clockPattern =
  /(?:^|[ ,]|(?<=\d)T) ?(?:at )?(noon|midnight|\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?: ?[ap]m)?|\d{1,2} ?[ap]m)$/i

function readWall(trimmed: string, text: string): WallTime {
  const { rest, zone } = splitZone(trimmed)
  const [matched, clock] = clockPattern.exec(rest) ?? []
  const date = (matched === undefined ? rest : rest.slice(0, -matched.length)).replace(/,$/, '')
  const seconds = clock === undefined ? undefined : readClock(clock, text)
  if (/^tonight$/i.test(date)) return { ...readTonight(seconds, text), zone }
  if (/^(?:this )?weekend$/i.test(date)) {
    return { day: { weekend: 'running' }, seconds, zone, ...(seconds === undefined && { or_now: true }) }
  }
  if (date === '' && clock !== undefined) {
    throw inputProblem(`"${text}" is ambiguous: which day?`, `Write today ${clock}, tomorrow ${clock}, or a date.`)
  }
  return { day: readDay(date, text), seconds, zone }
}

/** Without a time it is the evening, and from then on now. What is after midnight belongs to the next day. */
function readTonight(seconds: number | undefined, text: string): Omit<WallTime, 'zone'> {
  if (seconds === undefined) return { day: { ahead: 0 }, seconds: nightBegins, or_now: true }
  if (seconds >= nightEnds && seconds < eveningBegins) throw problem(text, 'a night is from 18:00 until 6:00')
  return { day: { ahead: seconds < nightEnds ? 1 : 0 }, seconds }
}

function splitZone(text: string): { rest: string; zone: Zone | undefined } {
  const [whole, name] = / ?(Z|UTC|GMT)$/i.exec(text) ?? []
  if (whole !== undefined && name !== undefined && /[\d m]$/i.test(text.slice(0, -name.length))) {
    return { rest: text.slice(0, -whole.length), zone: 'UTC' }
  }
  const [offset, sign, hours = '', minutes = ''] = /(?<=\d|[ap]m) ?([+-])(\d{2}):?(\d{2})$/i.exec(text) ?? []
  // The end of a date, as in 2026-0131, is no offset.
  if (offset !== undefined && /:\d{2}|[ap]m/i.test(text.slice(0, -offset.length)) && Number(minutes) < 60) {
    const seconds = Number(hours) * hourSeconds + Number(minutes) * 60
    return { rest: text.slice(0, -offset.length), zone: sign === '-' ? -seconds : seconds }
  }
  const [region, named = ''] = / ([A-Za-z_]+(?:\/[A-Za-z_+-]+)+)$/.exec(text) ?? []
  if (region !== undefined && isZone(named)) return { rest: text.slice(0, -region.length), zone: named }
  return { rest: text, zone: undefined }
}

function readClock(clock: string, text: string): number {
  const lower = clock.toLowerCase()
  if (lower === 'noon') return daySeconds / 2
  if (lower === 'midnight') return 0
  const [, hours = '', minutes = '0', seconds = '0', half] =
    /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?(?:\.\d+)? ?([ap]m)?$/.exec(lower) ?? []
  const hour = Number(hours)
  if (half ? hour < 1 || hour > 12 : hour > 23) throw problem(text, `there is no hour ${hours}${half ?? ''}`)
  if (Number(minutes) > 59) throw problem(text, `there is no minute ${minutes}`)
  if (Number(seconds) > 59) throw problem(text, `there is no second ${seconds}`)
  const ofDay = half ? (hour % 12) + (half === 'pm' ? 12 : 0) : hour
  return ofDay * hourSeconds + Number(minutes) * 60 + Number(seconds)
}

function readDay(date: string, text: string): Day {
  const lower = date.toLowerCase()
  const ahead = Object.hasOwn(dayWords, lower) ? dayWords[lower] : undefined
  if (ahead !== undefined) return { ahead }
  // A weekend is said from before it, so the next one is the first that is still ahead.
  if (lower === 'next weekend') return { weekday: saturday, is_past: false }
  const [, which, name = ''] = /^(?:(next|last|this|on) )?([a-z]{3,9})$/.exec(lower) ?? []
  const weekday = weekdays.findIndex((one) => one === name || one.slice(0, 3) === name)
  if (weekday >= 0) {
    if (which === 'next') throw problem(text, `"next" may mean two days: write ${name} for the first one from now on`)
    return { weekday, is_past: which === 'last' }
  }
  return readCalendarDay(lower, text)
}

function readCalendarDay(date: string, text: string): Day {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []
  if (year !== undefined) return checkedDay(Number(year), Number(month), Number(day), text)
  if (/^\d{1,2}[/.]\d{1,2}([/.]\d{2,4})?$/.test(date)) {
    throw problem(text, 'the order of day and month differs between countries')
  }
  const [, before, name = '', after, late] =
    /^(?:(\d{1,2})\.? )?([a-z]{3,9})\.?(?: (\d{1,2}))?(?:,? (\d{4}))?$/.exec(date) ?? []
  const index = months.indexOf(name.slice(0, 3))
  const number = before ?? after
  const isNamed = index >= 0 && monthNames[index]?.startsWith(name) && (before === undefined) !== (after === undefined)
  if (!isNamed || number === undefined) throw problem(text)
  if (late === undefined) {
    // A leap year has every day that a month can have.
    const { month, day: ofMonth } = checkedDay(2028, index + 1, Number(number), text)
    return { month, day: ofMonth }
  }
  return checkedDay(Number(late), index + 1, Number(number), text)
}

function checkedDay(year: number, month: number, day: number, text: string): CalendarDay {
  if (month < 1 || month > 12) throw problem(text, `there is no month ${month}`)
  const days = daysIn(year, month)
  const name = monthNames[month - 1] as string
  const shown = name.charAt(0).toUpperCase() + name.slice(1)
  if (day < 1 || day > days) throw problem(text, `${shown} has no day ${day}`)
  if (year < 1970) throw problem(text, 'it lies before 1970')
  return { year, month, day }
}

function problem(text: string, why = unknownText(text)) {
  return inputProblem(`"${text}" is not a time${why === undefined ? '' : `: ${why}`}.`, momentForms)
}

/** The first word that is not understood, where that is not the whole text. */
function unknownText(text: string): string | undefined {
  const [first] = unknownWords(text)
  if (first === undefined || (first.word === text.trim() && first.near === undefined)) return undefined
  return `"${first.word}" is not understood${first.near === undefined ? '' : `, and may mean ${first.near}`}`
}
