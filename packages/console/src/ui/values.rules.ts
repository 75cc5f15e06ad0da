/**
 * Moments as pages show them: in English as all texts of the console, by a clock of 24 hours, in the zone of the
 * browser, which the header names. Charts, calendars and labels use these too.
 */

const day = { month: 'short', day: 'numeric' } as const
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const language = 'en-US'

const moments = new Intl.DateTimeFormat(language, { ...day, ...time })
const datedMoments = new Intl.DateTimeFormat(language, { year: 'numeric', ...day, ...time })
const times = new Intl.DateTimeFormat(language, time)
const days = new Intl.DateTimeFormat(language, day)
const weekdays = new Intl.DateTimeFormat(language, { weekday: 'short', ...day })
const shortWeekdays = new Intl.DateTimeFormat(language, { weekday: 'short' })

const utcDays = new Intl.DateTimeFormat(language, { ...day, timeZone: 'UTC' })
const datedUtcDays = new Intl.DateTimeFormat(language, { year: 'numeric', ...day, timeZone: 'UTC' })
const utcWeekdays = new Intl.DateTimeFormat(language, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})
const utcMonths = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' })

/** `Nov 28`, a day of UTC; with the year where it is not that of this machine's clock. */
export function utcDayText(at: number): string {
  const date = new Date(at * 1000)
  return (date.getUTCFullYear() === new Date().getUTCFullYear() ? utcDays : datedUtcDays).format(date)
}

/** `Saturday, November 28`, a day of UTC. */
export function utcWeekdayText(at: number): string {
  return utcWeekdays.format(at * 1000)
}

/** `November 2026`, a month of UTC. */
export function utcMonthText(at: number): string {
  return utcMonths.format(at * 1000)
}

/** `Nov 28, 16:04`; with the year where it is not that of this machine's clock. */
export function momentText(at: number): string {
  const date = new Date(at * 1000)
  return (date.getFullYear() === new Date().getFullYear() ? moments : datedMoments).format(date)
}

/** `16:04` */
export function timeText(at: number): string {
  return times.format(at * 1000)
}

/** `Nov 28` */
export function dayText(at: number): string {
  return days.format(at * 1000)
}

/** `Sat, Nov 28` */
export function weekdayText(at: number): string {
  return weekdays.format(at * 1000)
}

/** The label of a place on an axis of time: the day where one begins, else the time. */
export function tickText(at: number): string {
  const shown = timeText(at)
  return shown === '00:00' ? dayText(at) : shown
}

/** The day of the week, in short: Sat. */
export function weekdayName(at: number): string {
  return shortWeekdays.format(at * 1000)
}

/** `Sat 28`: a day among those of a few weeks. */
export function shortDayText(at: number): string {
  return `${weekdayName(at)} ${new Date(at * 1000).getDate()}`
}

/** Whether a moment is the first of its day in local time. */
export function isMidnight(at: number): boolean {
  return timeText(at) === '00:00'
}

/** A window of time: `Fri 27, 09:00–15:00`, with the other day where it ends on another one. */
export function windowText(start: number, end: number): string {
  const isOneDay = new Date(start * 1000).toDateString() === new Date((end - 1) * 1000).toDateString()
  const until = isMidnight(end) && isOneDay ? '24:00' : timeText(end)
  if (isOneDay) return `${shortDayText(start)}, ${timeText(start)}–${until}`
  return `${shortDayText(start)}, ${timeText(start)} – ${shortDayText(end)}, ${timeText(end)}`
}
