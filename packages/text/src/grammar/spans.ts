/** Durations as people write them: `90s`, `1h30m`, `2 days`, `1.5 h`. */

/** The unit of a number without one, and of the result. */
export type SpanUnit = 'milliseconds' | 'seconds' | 'minutes'

/** What a duration looks like, for messages. */
export const spanForms = 'Write a duration such as 90s, 10m, 1h30m, 2 days.'

const milliseconds: Readonly<Record<SpanUnit, number>> = { milliseconds: 1, seconds: 1_000, minutes: 60_000 }

const units: readonly (readonly [words: readonly string[], milliseconds: number])[] = [
  [['w', 'week', 'weeks'], 604_800_000],
  [['d', 'day', 'days'], 86_400_000],
  [['h', 'hr', 'hrs', 'hour', 'hours'], 3_600_000],
  [['m', 'min', 'mins', 'minute', 'minutes'], 60_000],
  [['s', 'sec', 'secs', 'second', 'seconds'], 1_000],
  [['ms', 'millisecond', 'milliseconds'], 1],
]
/** The names of units. */
export const spanWords: readonly string[] = units.flatMap(([words]) => words)
const unitMilliseconds = new Map(units.flatMap(([words, size]) => words.map((word) => [word, size] as const)))

/**
 * Parses a duration to whole units; a number alone counts these. Units fall, as in `1h30m`. Undefined where it is
 * invalid, or is no whole number of the unit.
 */
export function readSpan(text: string, unit: SpanUnit = 'seconds'): number | undefined {
  const size = milliseconds[unit]
  if (/^\d+$/.test(text)) return safe(Number(text))
  const part = /(\d+)(?:\.(\d{1,3}))? ?([A-Za-z]+)(?:, | and | )?/y
  let [total, last] = [0, Number.POSITIVE_INFINITY]
  while (part.lastIndex < text.length) {
    const [whole, count, decimals = '', word = ''] = part.exec(text) ?? []
    const each = unitMilliseconds.get(word.length > 2 ? word.toLowerCase() : word)
    if (whole === undefined || each === undefined || each >= last) return undefined
    total += Number(count) * each + (Number(decimals.padEnd(3, '0')) * each) / 1000
    last = each
  }
  const isSeparatedLast = /[ ,]$/.test(text)
  if (last === Number.POSITIVE_INFINITY || isSeparatedLast || total % size !== 0) return undefined
  return safe(total / size)
}

/** A duration in the largest unit that holds it without a rest: `1h`, `90m`. */
export function printSpan(count: number, unit: SpanUnit): string {
  const total = count * milliseconds[unit]
  const [[word] = [unit], size] = units.slice(1).find(([, size]) => total % size === 0) ?? [[unit], 1]
  return `${total / size}${word}`
}

function safe(count: number): number | undefined {
  return Number.isSafeInteger(count) ? count : undefined
}
