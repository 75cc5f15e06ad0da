/**
 * Windows of time as people write them: `tomorrow 9am +6h`, `now for 2h`, `2026-12-01 09:00 to 17:00`,
 * `now until never`, and what the program itself prints.
 */

import { daySeconds, minuteSeconds } from '../time/units.ts'
import type { Zone } from '../time/zones.ts'
import { inputProblem } from './input-problem.ts'
import { type Moment, momentAt, readMoment } from './moments.ts'
import { readSpan } from './spans.ts'

/** A window. `end_at` is null where it has no end. */
export type TimeWindow = { readonly start_at: number; readonly end_at: number | null }

/** The present of the server, and the zone of times without one. */
export type Present = { readonly now: number; readonly zone: Zone }

/** What a window looks like, for messages. */
export const windowForms =
  "Write a start and a length or an end: 'tomorrow 9am +6h', 'now for 2h', '2026-12-01 09:00 to 17:00', " +
  "'now until never'."

/** Parses a window of whole minutes. `now` means the present minute. Throws an input problem that shows the forms. */
export function readWindowText(text: string, present: Present): TimeWindow {
  const plain = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/ \([^()]*\)$/, '')
  const { start, end, length } = splitWindow(plain) ?? unreadable(text)
  const zone = end === undefined ? '' : zoneText(end)
  const start_at = minuteAt(zone !== '' && zoneText(start) === '' ? `${start} ${zone}` : start, present)
  if (length !== undefined) return { start_at, end_at: start_at + minutesOf(length) }
  if (end === undefined) return { start_at, end_at: null }
  const end_at = endAfter(start_at, { start, end }, present)
  if (end_at <= start_at) throw inputProblem(`The window "${text}" ends before it starts.`, windowForms)
  return { start_at, end_at }
}

/** Whether a text has two parts, as a window does, and is no time alone. */
export function hasWindowForm(text: string): boolean {
  return splitWindow(text) !== undefined
}

type WindowParts = { readonly start: string; readonly end?: string; readonly length?: string }

function splitWindow(text: string): WindowParts | undefined {
  const [, open] = /^(.+?) (?:onwards?|(?:until|to) (?:never|forever))$/i.exec(text) ?? []
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
  if (!clock) return minuteAt(end, present)
  const [, time = '', ownZone] = clock
  const zone = ownZone ?? zoneText(start)
  // The day of the start, as its own wall clock shows it.
  const from = { now: start_at, zone: present.zone }
  const today = minuteAt(`today ${time} ${zone}`.trim(), from)
  return today > start_at ? today : minuteAt(`tomorrow ${time} ${zone}`.trim(), from)
}

/** A moment in whole minutes: one relative to now begins with the present minute. */
export function minuteAt(text: string, present: Present): number {
  const moment: Moment = readMoment(text)
  const at = momentAt(moment, { ...present, text })
  return typeof moment === 'object' && 'from_now' in moment ? at - (at % minuteSeconds) : at
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
