/** Durations as people write them. */
import { daySeconds, hourSeconds, minuteSeconds } from '../time/units.ts'

/** Formats milliseconds: `350 ms`, `1.25 s`, `2 min 5 s`. */
export function millisecondsOf(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 10) / 100} s`
  return lengthOf(Math.round(milliseconds / 1_000))
}

/** Units of durations as they are shown, the largest first. */
export const lengthUnits = [
  ['d', daySeconds],
  ['h', hourSeconds],
  ['min', minuteSeconds],
  ['s', 1],
] as const

/** Formats a duration in its largest units: `1 h`, `1 d 2 h`, `90 s`. */
export function lengthOf(seconds: number): string {
  if (seconds < 0) return `-${lengthOf(-seconds)}`
  let rest = seconds
  const parts = lengthUnits.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return parts.join(' ') || '0 s'
}
