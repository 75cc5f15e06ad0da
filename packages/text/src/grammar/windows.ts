/**
 * Windows of time as people write them: `tomorrow 9am +6h`, `now for 2h`, `2026-12-01 09:00 to 17:00`,
 * `now until never`, `for 6h` and `until friday 18:00` from now on, `tonight`, `next weekend`, and what the program
 * itself prints.
 */

import { daySeconds, hourSeconds, minuteSeconds } from '../time/units.ts'
import type { Zone } from '../time/zones.ts'
import { inputProblem } from './input-problem.ts'
import { type Moment, momentAt, nightEnds, readMoment } from './moments.ts'
import { readSpan } from './spans.ts'

/** A window. `end_at` is null where it has no end. */
export type TimeWindow = { readonly start_at: number; readonly end_at: number | null }

/** The present of the server, and the zone of times without one. */
export type Present = { readonly now: number; readonly zone: Zone }

/** What a window looks like, for messages. */
export const windowForms =
  "Write a start and a length or an end: 'tomorrow 9am +6h', 'now for 2h', '2026-12-01 09:00 to 17:00', " +
  "'now until never'."

/** What a text says about a window. What it does not say is undefined; `end_at` is null where it has no end. */
export type WindowReading = {
  readonly start_at?: number
  /** Whether the start is the present minute, whichever that is. */
  readonly is_now?: true
  readonly end_at?: number | null
  /** Seconds. */
  readonly length?: number
}

/**
 * Parses a window of whole minutes. `now` means the present minute, from which a window without a start begins. Throws
 * an input problem that shows the forms.
 */
export function readWindowText(text: string, present: Present): TimeWindow {
  if (!hasWindowForm(plainOf(text))) unreadable(text)
  const { start_at = minuteAt('now', present), end_at, length } = readWindowParts(text, present)
  return { start_at, end_at: length === undefined ? (end_at ?? null) : start_at + length }
}

/** Parses a window, or a part of one: a start, `for 6h`, `until friday 18:00`. */
export function readWindowParts(text: string, present: Present): WindowReading {
  const plain = plainOf(text)
  const parts = splitWindow(plain) ?? { start: plain }
  const { start = 'now', end, length } = parts
  const start_at = minuteAt(withZone(start, end), present)
  const hasBegun = (night.test(start) || weekend.test(start)) && start_at === minuteAt('now', present)
  const is_now = /^now$/i.test(start) || hasBegun
  const begin = parts.start !== undefined && { start_at, ...(is_now && { is_now }) }
  if (length !== undefined) return { ...begin, length: minutesOf(length) }
  if (endless.test(plain)) return { ...begin, end_at: null }
  const end_at = end === undefined ? ownEnd(plain, start_at, present) : endAfter(start_at, { start, end }, present)
  if (end_at !== undefined && end_at <= start_at) {
    throw inputProblem(`The window "${text}" ends before it starts.`, windowForms)
  }
  return { ...begin, ...(end_at === undefined ? {} : { end_at }) }
}

function plainOf(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/ \([^()]*\)$/, '')
    .replace(/^from (?=.)/i, '')
}

/** A start with the zone that is written at the end. */
function withZone(start: string, end: string | undefined): string {
  const zone = end === undefined || zoneText(start) !== '' || /^(?:now|in |[+-])/i.test(start) ? '' : zoneText(end)
  return `${start} ${zone}`.trim()
}

const [night, weekend] = [/^tonight(?: |$)/i, /^(?:(?:this|next) )?weekend(?: |$)/i]

/** Whether a text is a night or a weekend, which end by themselves. */
function isNamed(plain: string): boolean {
  return (night.test(plain) || weekend.test(plain)) && !/\d|noon|midnight/i.test(plain)
}

/** The end of a night or a weekend. */
function ownEnd(plain: string, start_at: number, present: Present): number | undefined {
  if (!isNamed(plain)) return undefined
  const end = night.test(plain) ? `tomorrow ${nightEnds / hourSeconds}:00` : 'monday'
  return minuteAt(`${end} ${zoneText(plain)}`.trim(), { ...present, now: start_at })
}

/** Whether a text has a length or an end, as a window does, and is no time alone. */
export function hasWindowForm(text: string): boolean {
  const plain = plainOf(text)
  return splitWindow(plain) !== undefined || isNamed(plain)
}

const endless = /^(.+?) (?:onwards?|(?:until|to) (?:never|forever))$/i

type WindowParts = { readonly start?: string; readonly end?: string; readonly length?: string }

function splitWindow(text: string): WindowParts | undefined {
  const [, alone] = /^for (.+)$/i.exec(text) ?? []
  if (alone !== undefined) return { length: alone }
  const [, until] = /^(?:until|till) (.+)$/i.exec(text) ?? []
  if (until !== undefined) return { end: until }
  const [, open] = endless.exec(text) ?? []
  if (open !== undefined) return { start: open }
  const [, first, second] = /^(.+?)(?: (?:to|until|till|[-–]) |\.\.)(.+)$/i.exec(text) ?? []
  if (first !== undefined && second !== undefined) return { start: first, end: second }
  const [, from, sign, length] = /^(.+?) (\+|for )(?=\d)(?!\d{2}:?\d{2}(?:$| (?:\+|for )))(.+)$/i.exec(text) ?? []
  if (from !== undefined && sign !== undefined && length !== undefined) return { start: from, length }
  const [, iso, later] = /^(\d{4}-\d{2}-\d{2}T[^/]+)\/(\d{4}-\d{2}-\d{2}T[^/]+)$/.exec(text) ?? []
  return iso !== undefined && later !== undefined ? { start: iso, end: later } : undefined
}

/** The zone at the end of a text, where it is written. */
function zoneText(text: string): string {
  const found = /(?:(?<=:\d{2})(Z| ?[+-]\d{2}:?\d{2})| (UTC|GMT|Z|[A-Za-z_]+(?:\/[A-Za-z_+-]+)+))$/.exec(text)
  return (found?.[1] ?? found?.[2] ?? '').trim()
}

/** The end of a window. A time without a day lies on the day of the start, or on the next one. */
function endAfter(start_at: number, { start, end }: { start: string; end: string }, present: Present): number {
  const clock = /^(noon|midnight|\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?|\d{1,2} ?[ap]m)(?: (.+))?$/i.exec(end)
  if (!clock) {
    const at = minuteAt(end, present)
    // A day that comes again is the next one after the start.
    return at <= start_at && comesAgain(readMoment(end)) ? minuteAt(end, { ...present, now: start_at }) : at
  }
  const [, time = '', ownZone] = clock
  const zone = ownZone ?? zoneText(start)
  // The day of the start, as its own wall clock shows it.
  const from = { now: start_at, zone: present.zone }
  const today = minuteAt(`today ${time} ${zone}`.trim(), from)
  return today > start_at ? today : minuteAt(`tomorrow ${time} ${zone}`.trim(), from)
}

function comesAgain(moment: Moment): boolean {
  if (typeof moment !== 'object' || !('day' in moment)) return false
  const { day } = moment
  return 'weekday' in day ? !day.is_past : 'month' in day && !('year' in day)
}

/** A moment in whole minutes: one relative to now begins with the present minute. */
export function minuteAt(text: string, present: Present): number {
  const moment: Moment = readMoment(text)
  const at = momentAt(moment, { ...present, text })
  const isPresent = typeof moment === 'object' && ('from_now' in moment || at === present.now)
  return isPresent ? at - (at % minuteSeconds) : at
}

const lengthForms = 'Write 90m, 2h, 1d, 2 days.'

/** A length in whole minutes, in seconds. */
export function minutesOf(text: string): number {
  if (/^\d+$/.test(text)) throw inputProblem(`"${text}" names no unit of time.`, lengthForms)
  const seconds = readSpan(text)
  if (seconds !== undefined && seconds > 0 && seconds % minuteSeconds === 0 && seconds < 100 * 366 * daySeconds)
    return seconds
  throw inputProblem(`"${text}" is not a duration in whole minutes.`, lengthForms)
}

function unreadable(text: string): never {
  throw inputProblem(`"${text}" is not a window of time.`, windowForms)
}
