/** Values as texts. Pure. */
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'

/** Dollars as `$1,234.50`: cents, or as many digits as a value below ten cents needs for three that count. */
export function moneyText(dollars: string, { sign = false } = {}): string {
  const negative = dollars.startsWith('-')
  const [whole = '0', part = ''] = dollars.replace(/^-/, '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const mark = negative ? '−' : sign && Number(dollars) !== 0 ? '+' : ''
  return `${mark}$${grouped}.${shownPart(whole, part)}`
}

function shownPart(whole: string, part: string): string {
  const isSmall = /^0*$/.test(whole) && part.startsWith('0') && !/^0*$/.test(part)
  if (!isSmall) return part.slice(0, 2).padEnd(2, '0')
  const zeros = /^0*/.exec(part)?.[0].length ?? 0
  return part
    .slice(0, zeros + 3)
    .replace(/0+$/, '')
    .padEnd(2, '0')
}

/** The amount as the API sends it. */
export function exactMoney(dollars: string): string {
  return dollars.startsWith('-') ? `-$${dollars.slice(1)}` : `$${dollars}`
}

const moments = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const datedMoments = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** A moment in local time; with the year where it is not that of this machine's clock. */
export function momentText(at: number): string {
  const date = new Date(at * 1000)
  return (date.getFullYear() === new Date().getFullYear() ? moments : datedMoments).format(date)
}

const units: readonly (readonly [seconds: number, name: string])[] = [
  [daySeconds, 'd'],
  [hourSeconds, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** Seconds in the two largest units that count: `2 d 3 h`, `45 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const first = units.findIndex(([size]) => whole >= size)
  if (first === -1) return '0 s'
  const [size, name] = units[first] as (typeof units)[number]
  const next = units[first + 1]
  const rest = next ? Math.floor((whole % size) / next[0]) : 0
  return `${Math.floor(whole / size)} ${name}${rest > 0 && next ? ` ${rest} ${next[1]}` : ''}`
}

/** How far a moment is from now: `in 5 min`, `2 h ago`. */
export function untilText(at: number, now: number): string {
  const distance = at - now
  if (Math.abs(distance) < 1) return 'now'
  return distance > 0 ? `in ${durationText(distance)}` : `${durationText(distance)} ago`
}

const sizes = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Bytes with three digits that count. */
export function sizeText(bytes: number): string {
  let value = bytes
  let at = 0
  while (value >= 1024 && at < sizes.length - 1) {
    value /= 1024
    at += 1
  }
  const shown = at === 0 || value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
  return `${shown} ${sizes[at]}`
}

/** A number with a separator of thousands. */
export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
