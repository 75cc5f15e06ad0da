/**
 * An order as people type it: `8 nodes tomorrow 9am for 6h`, `sell 2 nodes of h100-west monday 14:00 to 18:00`.
 * Windows read like those of the CLI: a test compares both. Pure, but for the time zone of this machine.
 */

/** What a text says about an order. What it does not name is undefined. */
export type TypedOrder = {
  readonly side?: 'buy' | 'sell'
  readonly nodes?: number
  readonly sku?: string
  /** Unix seconds. */
  readonly start?: number
  /** Unix seconds. Without a start the length is of the window that is there. */
  readonly end?: number
  readonly length?: number
  readonly limit?: string
  readonly standing?: true
  readonly partial?: true
}

/** What was read, or what is wrong with the text. */
export type Reading = { readonly order: TypedOrder } | { readonly problem: string }

type Present = { readonly now: number; readonly aliases: readonly string[] }

/** What can be typed, for messages. */
export const typedForms =
  'Write for example: 8 nodes tomorrow 9am for 6h · sell 2 nodes of h100-west monday 14:00 to 18:00 at $2.50 standing'

const minute = 60
const day = 86_400
const lengthMax = 1_095 * day

/** Reads an order. */
export function readTypedOrder(text: string, { now, aliases }: Present): Reading {
  const words = takeWords(text, aliases)
  if ('problem' in words) return words
  const { order, rest } = words
  if (rest === '') return { order }
  const window = readTypedWindow(rest, now)
  return 'problem' in window ? window : { order: { ...order, ...window } }
}

type Taken = { readonly order: TypedOrder; readonly rest: string } | { readonly problem: string }

/** Everything but the window. */
function takeWords(text: string, aliases: readonly string[]): Taken {
  let rest = ` ${text.trim().replaceAll(/\s+/g, ' ')} `
  const take = (pattern: RegExp): string[] | undefined => {
    const found = pattern.exec(rest)
    if (found) rest = rest.replace(found[0], ' ')
    return found ? [...found] : undefined
  }
  const side = take(/^ (buy|sell) /i)?.[1]?.toLowerCase() as TypedOrder['side']
  const standing = take(/ standing /i) !== undefined
  const partial = take(/ (?:partial|partly) /i) !== undefined
  const price = take(
    / (?:(?:at|at most|at least|limit) )?\$(\d[\d,]*(?:\.\d+)?)(?: ?(?:\/|per) ?(?:h|hour|node-hour))? /i,
  )
  const named = take(/ (?:at most|at least|limit) (\d[\d,]*(?:\.\d+)?) /i)
  const nodes = take(/ (\d{1,9}) ?(?:nodes?|×|x) /i)?.[1]
  const sku = aliases.find((alias) => take(new RegExp(` (?:of |× ?)?${escaped(alias)} `, 'i')))
  const limit = (price ?? named)?.[1]
  if (limit?.includes(',') && !/^\d{1,3}(,\d{3})+(\.|$)/.test(limit)) {
    return { problem: `"${limit}" is ambiguous: a comma separates thousands, and a point decimals.` }
  }
  if (nodes !== undefined && (Number(nodes) < 1 || Number(nodes) > 10_000)) {
    return { problem: 'An order has 1 to 10,000 nodes.' }
  }
  return {
    rest: rest.trim(),
    order: {
      ...(side ? { side } : {}),
      ...(nodes === undefined ? {} : { nodes: Number(nodes) }),
      ...(sku === undefined ? {} : { sku }),
      ...(limit === undefined ? {} : { limit: limit.replaceAll(',', '') }),
      ...(standing ? { standing } : {}),
      ...(partial ? { partial } : {}),
    },
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

type Window = Pick<TypedOrder, 'start' | 'end' | 'length'>
type ReadWindow = Window | { readonly problem: string }

/** Reads `tomorrow 9am for 6h`, `now +2h`, `monday 14:00 to 18:00`, a start alone, or a length alone. */
export function readTypedWindow(text: string, now: number): ReadWindow {
  const [, alone] = /^for (.+)$/i.exec(text) ?? []
  if (alone !== undefined) {
    const length = readLength(alone)
    return length === undefined ? badLength(alone) : { length }
  }
  const [, first = '', second] = /^(.+?)(?: (?:to|until|till|[-–]) |\.\.)(.+)$/i.exec(text) ?? []
  if (second !== undefined) return fromTo(first, second, now)
  const [, from = text, span] = /^(.+?) (?:for |\+)(?=\d)(.+)$/i.exec(text) ?? []
  const start = readMoment(from, now)
  if (typeof start !== 'number') return start
  if (span === undefined) return { start }
  const length = readLength(span)
  return length === undefined ? badLength(span) : { start, end: start + length }
}

function fromTo(first: string, second: string, now: number): ReadWindow {
  const start = readMoment(first, now)
  if (typeof start !== 'number') return start
  const clock = readClock(second)
  const end = clock === undefined ? readMoment(second, now) : clockAfter(start, clock)
  if (typeof end !== 'number') return end
  return end > start ? { start, end } : { problem: `The window "${first} to ${second}" ends before it starts.` }
}

/** The next time after a moment at which a clock shows so many seconds of the day. */
function clockAfter(start: number, clock: number): number | { readonly problem: string } {
  const today = momentOn(dayOf(start), clock)
  return typeof today === 'number' && today <= start ? momentOn(dayOf(start, 1), clock) : today
}

/** A length in seconds, of whole minutes: `6h`, `90m`, `1h30m`, `2 days`. */
export function readLength(text: string): number | undefined {
  const unit = { w: 7 * day, d: day, h: 3_600, m: minute } as const
  const part = /(\d{1,6})(?:\.(\d{1,3}))? ?(weeks?|days?|hours?|hrs?|minutes?|mins?|[wdhm])(?:, | and | )?/iy
  let [total, last] = [0, Number.POSITIVE_INFINITY]
  while (part.lastIndex < text.length) {
    const [, whole, decimals = '', word = ''] = part.exec(text) ?? []
    const size = unit[word.charAt(0).toLowerCase() as keyof typeof unit]
    if (whole === undefined || size >= last) return undefined
    total += Number(whole) * size + (Number(decimals.padEnd(3, '0')) * size) / 1_000
    last = size
  }
  return total > 0 && total <= lengthMax && total % minute === 0 && !/[ ,]$/.test(text) ? total : undefined
}

/** A length in whole minutes as it can be typed: `1d 2h 30m`. */
export function lengthText(seconds: number): string {
  const minutes = Math.floor(seconds / minute)
  const parts = [
    [Math.floor(minutes / 1_440), 'd'],
    [Math.floor((minutes % 1_440) / 60), 'h'],
    [minutes % 60, 'm'],
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join(' ')
}

function badLength(text: string) {
  return { problem: `"${text}" is not a duration in whole minutes. Write 90m, 6h, 1d, 2 days.` }
}

type Problem = { readonly problem: string }
type Day = readonly [year: number, month: number, day: number]

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A moment in Unix seconds, at a whole minute. */
export function readMoment(text: string, now: number): number | Problem {
  const lower = text.trim().toLowerCase()
  const present = now - (now % minute)
  if (lower === 'now') return present
  const [, ahead] = /^(?:in |\+)(.+)$/.exec(lower) ?? []
  const length = ahead === undefined ? undefined : readLength(ahead)
  if (length !== undefined) return present + length
  const [, utc] = /^(\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}) ?(?:z|utc)$/.exec(lower) ?? []
  if (utc !== undefined) return utcMoment(utc)
  const [, date = lower, time] =
    /^(.*?)(?:^|[ t,]) ?(?:at )?(noon|midnight|\d{1,2}:\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m)$/.exec(lower) ?? []
  const clock = time === undefined ? 0 : readClock(time)
  if (clock === undefined) return { problem: `There is no time "${time}".` }
  if (date === '') return { problem: `"${text}" is ambiguous: which day? Write today ${text}, or tomorrow ${text}.` }
  const on = readDay(date.replace(/,$/, ''), clock, now)
  return 'problem' in on ? on : momentOn(on, clock)
}

function utcMoment(text: string): number | Problem {
  const at = Date.parse(`${text.replace(' ', 'T').toUpperCase()}Z`) / 1_000
  return Number.isFinite(at) ? at : { problem: `There is no time "${text}".` }
}

/** Seconds of the day: `9am`, `14:30`, `noon`. */
function readClock(text: string): number | undefined {
  const lower = text.trim().toLowerCase()
  if (lower === 'noon') return day / 2
  if (lower === 'midnight') return 0
  const [, hours = '', minutes, half] = /^(\d{1,2})(?::(\d{2}))? ?([ap]m)?$/.exec(lower) ?? []
  const hour = Number(hours)
  if (hours === '' || (minutes === undefined && half === undefined) || Number(minutes ?? 0) > 59) return undefined
  if (half ? hour < 1 || hour > 12 : hour > 23) return undefined
  return ((half ? hour % 12 : hour) + (half === 'pm' ? 12 : 0)) * 3_600 + Number(minutes ?? 0) * minute
}

function readDay(text: string, clock: number, now: number): Day | Problem {
  const ahead = ['today', 'tomorrow'].indexOf(text)
  if (ahead >= 0) return dayOf(now, ahead)
  const weekday = text.length < 3 ? -1 : weekdays.findIndex((one) => one === text || one.slice(0, 3) === text)
  if (weekday >= 0) {
    const away = (weekday - new Date(now * 1_000).getDay() + 7) % 7
    const next = momentOn(dayOf(now, away), clock)
    return dayOf(now, typeof next === 'number' && next <= now ? away + 7 : away)
  }
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year !== undefined) return checkedDay([Number(year), Number(month) - 1, Number(date)], text)
  const [, number, name = '', spelled] = /^(\d{1,2}) ([a-z]{3,9}) (\d{4})$/.exec(text) ?? []
  const index = months.indexOf(name.slice(0, 3))
  if (index >= 0) return checkedDay([Number(spelled), index, Number(number)], text)
  return { problem: `"${text}" is not understood. ${typedForms}` }
}

function checkedDay([year, month, date]: Day, text: string): Day | Problem {
  const shown = new Date(year, month, date)
  return shown.getMonth() === month && shown.getDate() === date
    ? [year, month, date]
    : { problem: `There is no day "${text}".` }
}

/** The day of a moment, or one so many days later. */
function dayOf(at: number, ahead = 0): Day {
  const date = new Date(at * 1_000)
  const later = new Date(date.getFullYear(), date.getMonth(), date.getDate() + ahead)
  return [later.getFullYear(), later.getMonth(), later.getDate()]
}

/** When the clocks of this machine's zone show a time of a day. They skip some times and show others twice. */
function momentOn([year, month, date]: Day, clock: number): number | Problem {
  const at = new Date(year, month, date, 0, 0, clock).getTime() / 1_000
  const shows = (moment: number) => {
    const shown = new Date(moment * 1_000)
    return shown.getHours() * 3_600 + shown.getMinutes() * minute === clock && shown.getDate() === date
  }
  if (!shows(at)) return { problem: 'The clocks skip this time when daylight saving time begins. Write it in UTC.' }
  if (shows(at - 3_600) || shows(at + 3_600)) {
    return { problem: 'The clocks show this time twice when daylight saving time ends. Write it in UTC.' }
  }
  return at
}
