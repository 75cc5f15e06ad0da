/** Values in few characters, rounded, for pages and tables that have the exact value beside them. */
import { byteUnits } from './amounts.ts'
import { lengthUnits } from './durations.ts'

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

/** Amounts that a sentence compares: as `$1,234.50`, or all exact where two different ones would read alike. */
export function comparedMoney(...amounts: readonly string[]): readonly string[] {
  const shown = amounts.map((amount) => moneyText(amount))
  const isClear = amounts.every((one, index) =>
    amounts.every((other, at) => one === other || shown[index] !== shown[at]),
  )
  return isClear ? shown : amounts.map(exactMoney)
}

/** Seconds in the two largest units that count: `2 d 3 h`, `45 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const first = lengthUnits.findIndex(([, size]) => whole >= size)
  if (first === -1) return '0 s'
  const [name, size] = lengthUnits[first] as (typeof lengthUnits)[number]
  const next = lengthUnits[first + 1]
  const rest = next ? Math.floor((whole % size) / next[1]) : 0
  return `${Math.floor(whole / size)} ${name}${rest > 0 && next ? ` ${rest} ${next[0]}` : ''}`
}

/** How far a moment is from now: `in 5 min`, `2 h ago`. */
export function untilText(at: number, now: number): string {
  const distance = at - now
  if (Math.abs(distance) < 1) return 'now'
  return distance > 0 ? `in ${durationText(distance)}` : `${durationText(distance)} ago`
}

/** The same in the largest unit alone, for lists: it changes once a minute at most. */
export function roughUntilText(at: number, now: number): string {
  const distance = at - now
  const whole = Math.abs(distance)
  const unit = lengthUnits.find(([, size]) => size >= 60 && whole >= size)
  if (!unit) return distance > 0 ? 'in a moment' : 'just now'
  const text = `${Math.floor(whole / unit[1])} ${unit[0]}`
  return distance > 0 ? `in ${text}` : `${text} ago`
}

/** Bytes with three digits that count. */
export function sizeText(bytes: number): string {
  let value = bytes
  let at = 0
  while (value >= 1024 && at < byteUnits.binary.length - 1) {
    value /= 1024
    at += 1
  }
  const shown = at === 0 || value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
  return `${shown} ${byteUnits.binary[at]}`
}

/** A number with a separator of thousands. */
export function countText(count: number): string {
  return count.toLocaleString('en-US')
}
