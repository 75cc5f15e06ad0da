/** Formats times for people: in UTC, in the local time, or as an age. */
import { daySeconds, hourSeconds, minuteSeconds } from '../time/units.ts'

/** How times are shown. `age`: moments as ages, all other times in UTC. */
export type TimeStyle = 'utc' | 'local' | 'age'

/** What the formats of times depend on. `now` is the time of the server, without which nothing has an age. */
export type TimeOptions = {
  readonly times: TimeStyle
  readonly exact: boolean
  readonly now?: number | undefined
  /** The time zone of `local`. Default: that of this machine. */
  readonly zone?: string | undefined
}

/** The longest age that is shown as one. */
const longestAge = 99 * daySeconds
/** The last second that a date has. */
const lastSecond = 8_640_000_000_000

/** Formats Unix seconds as UTC, to the second. */
export function momentOf(seconds: number): string {
  return absoluteOf(seconds, { times: 'utc', exact: false })
}

/** Formats Unix seconds to the second: `2026-01-31 12:00:00Z`, `2026-01-31 13:00:00+01:00`, exactly in ISO 8601. */
export function absoluteOf(seconds: number, { times, exact, zone }: TimeOptions): string {
  if (Math.abs(seconds) > lastSecond) return String(seconds)
  const [date, time, offset] = partsOf(seconds, times, zone)
  return `${date}${exact ? 'T' : ' '}${time}${offset}`
}

/** Formats the minute of Unix seconds: `2026-01-31 12:00Z`. */
export function minuteOf(seconds: number, options: TimeOptions): string {
  if (options.exact || Math.abs(seconds) > lastSecond) return absoluteOf(seconds, options)
  const [date, time, offset] = partsOf(seconds, options.times, options.zone)
  return `${date} ${time.slice(0, 5)}${offset}`
}

/** Formats a range of minutes: `2026-01-31 12:00 – 14:00Z`. Without an end it is `open`. */
export function rangeOf(startAt: number, endAt: number | null | undefined, options: TimeOptions): string {
  if (options.exact || Math.abs(startAt) > lastSecond || Math.abs(endAt ?? 0) > lastSecond) {
    return `${absoluteOf(startAt, options)} – ${typeof endAt === 'number' ? absoluteOf(endAt, options) : 'open'}`
  }
  if (typeof endAt !== 'number') return `${minuteOf(startAt, options)} – open`
  const [date, time, offset] = partsOf(startAt, options.times, options.zone)
  const [lastDate, lastTime, lastOffset] = partsOf(endAt, options.times, options.zone)
  const from = `${date} ${time.slice(0, 5)}${offset === lastOffset ? '' : offset}`
  return `${from} – ${date === lastDate ? '' : `${lastDate} `}${lastTime.slice(0, 5)}${lastOffset}`
}

/** Formats a moment as its age: `12 s ago`, `2 h ago`, `in 3 d`; undefined where it is more than 99 days away. */
export function ageOf(seconds: number, now: number): string | undefined {
  const away = Math.abs(now - seconds)
  if (away > longestAge) return undefined
  const amount =
    away < minuteSeconds
      ? `${away} s`
      : away < hourSeconds
        ? `${Math.floor(away / minuteSeconds)} min`
        : away < 2 * daySeconds
          ? `${Math.floor(away / hourSeconds)} h`
          : `${Math.floor(away / daySeconds)} d`
  if (away === 0) return 'now'
  return seconds > now ? `in ${amount}` : `${amount} ago`
}

/** Date, time and offset. */
function partsOf(seconds: number, times: TimeStyle, zone?: string): [date: string, time: string, offset: string] {
  if (times !== 'local') {
    const text = new Date(seconds * 1000).toISOString()
    const at = text.indexOf('T')
    return [text.slice(0, at), text.slice(at + 1, at + 9), 'Z']
  }
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const [date = '', time = ''] = format.format(seconds * 1000).split(' ')
  // The offset is what the local clock shows besides UTC.
  const shown = Date.parse(`${date}T${time}Z`) / 1000
  return [date, time, offsetOf(Math.round((shown - seconds) / minuteSeconds))]
}

function offsetOf(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}
