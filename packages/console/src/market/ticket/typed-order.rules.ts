/**
 * An order as people type it: `8 nodes tomorrow 9am for 6h`, `sell 2 nodes of h100-west monday 14:00 to 18:00`.
 * Windows are those of the one grammar. Pure, but for the time zone of this machine.
 */
import { readDollars } from '@bourse/text/grammar/amounts.ts'
import { type InputProblem, inputProblem, isInputProblem } from '@bourse/text/grammar/input-problem.ts'
import { minutesOf, readWindowParts, windowForms } from '@bourse/text/grammar/windows.ts'
import { type UnknownWord, unknownWords } from '@bourse/text/grammar/words.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'

/** What a text says about an order. What it does not name is undefined. */
export type TypedOrder = {
  readonly side?: 'buy' | 'sell'
  readonly nodes?: number
  readonly sku?: string
  /** Unix seconds, or the running minute, whichever that is. */
  readonly start?: number | 'now'
  /** Unix seconds. */
  readonly end?: number
  /** Seconds. Without a start it is that of the window that is there. */
  readonly length?: number
  readonly limit?: string
  readonly standing?: true
  readonly partial?: true
}

/** What was read. `problem`: what of the text was not understood; all else counts. */
export type TypedReading = { readonly order: TypedOrder; readonly problem?: string }

type Present = { readonly now: number; readonly aliases: readonly string[] }

/** What can be typed, for messages. */
export const typedForms =
  'Such as: 8 nodes tonight for 6h · 2 h100-west until friday 18:00 · sell 2 nodes jan 5 for 1d at $2.50 standing'

/** Reads an order. What is not understood is named, and the rest is kept. */
export function readTypedOrder(text: string, { now, aliases }: Present): TypedReading {
  const { order, rest, problem } = takeWords(text, aliases)
  if (problem !== undefined) return { order, problem }
  if (rest === '') return { order }
  const whole = attempt(rest, now)
  if ('window' in whole) return { order: { ...order, ...whole.window } }
  const unknown = unknownWords(rest)
  const known = rest
    .split(' ')
    .filter((word) => !unknown.some((one) => one.word === word.replace(/,$/, '')))
    .join(' ')
  return { order: { ...order, ...keptWindow(known, now) }, problem: unknownText(unknown) ?? whole.problem }
}

function unknownText([first]: readonly UnknownWord[]): string | undefined {
  if (first === undefined) return undefined
  const { word, near } = first
  const meant = near === undefined ? '.' : `: did you mean ${near}?`
  return `“${word}” is not understood${meant} The rest is filled in.`
}

/** What can be read of a window: all of it, or else its length or end, or its start. */
function keptWindow(text: string, now: number): TypedWindow {
  const whole = text.replace(/ (?:for|until|till|to|at|on)$/i, '')
  const [, start = '', end = ''] = /^(.*?) ?((?:for|until|till|to) .+)?$/i.exec(whole) ?? []
  for (const part of [whole, end, start]) {
    const read = part === '' ? undefined : attempt(part, now)
    if (read && 'window' in read) return read.window
  }
  return {}
}

function attempt(text: string, now: number): { readonly window: TypedWindow } | { readonly problem: string } {
  try {
    return { window: readTypedWindow(text, now) }
  } catch (error) {
    if (isInputProblem(error)) return { problem: problemOf(error) }
    throw error
  }
}

const priceShape = { is_signed: false, needs_decimals: false }

/** Everything but the window. */
function takeWords(text: string, aliases: readonly string[]): { order: TypedOrder; rest: string; problem?: string } {
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
    / (?:(?:at|at most|at least|under|limit) )?\$(\d[\d,]*(?:\.\d+)?)(?: ?(?:\/|per) ?(?:h|hour|node-hour))? /i,
  )
  const named = take(/ (?:at most|at least|limit) (\d[\d,]*(?:\.\d+)?) /i)
  const counted = take(/ (\d{1,9}) ?(?:nodes?|×|x) /i)?.[1]
  // A number before the name of a SKU counts nodes.
  const skus = aliases.map(
    (alias) => [alias, new RegExp(` (?:(\\d{1,9}) )?(?:of |× ?)?${escaped(alias)} `, 'i')] as const,
  )
  const [sku, pattern] = skus.find(([, one]) => one.test(rest)) ?? []
  const nodes = counted ?? (pattern && take(pattern)?.[1])
  if (counted !== undefined && pattern) take(pattern)
  const limit = readPrice((price ?? named)?.[1])
  const order = {
    ...(side ? { side } : {}),
    ...(nodes === undefined ? {} : { nodes: Number(nodes) }),
    ...(sku === undefined ? {} : { sku }),
    ...(limit.value === undefined ? {} : { limit: limit.value }),
    ...(standing ? { standing } : {}),
    ...(partial ? { partial } : {}),
  }
  const isCount = nodes === undefined || (Number(nodes) >= 1 && Number(nodes) <= 10_000)
  const { nodes: _, ...others } = order
  if (!isCount) return { order: others, rest: rest.trim(), problem: 'An order has 1 to 10,000 nodes.' }
  return { order, rest: rest.trim(), ...(limit.problem === undefined ? {} : { problem: limit.problem }) }
}

function readPrice(text: string | undefined): { readonly value?: string; readonly problem?: string } {
  if (text === undefined) return {}
  try {
    return { value: readDollars(text, priceShape, { isPrice: true }) }
  } catch (error) {
    if (isInputProblem(error)) return { problem: problemOf(error) }
    throw error
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

type TypedWindow = Pick<TypedOrder, 'start' | 'end' | 'length'>

/** Reads a window, or a part of one: `tomorrow 9am for 6h`, `now`, `for 6h`, `until friday 18:00`. */
export function readTypedWindow(text: string, now: number): TypedWindow {
  const { start_at, is_now, end_at, length } = readWindowParts(text, { now, zone: localZone() })
  if (end_at === null) throw inputProblem('The window of an order needs an end.', windowForms)
  if (start_at !== undefined && !is_now) {
    const end = length === undefined ? end_at : start_at + length
    return { start: start_at, ...(end === undefined ? {} : { end }) }
  }
  return {
    ...(is_now ? { start: 'now' as const } : {}),
    ...(end_at === undefined ? {} : { end: end_at }),
    ...(length === undefined ? {} : { length }),
  }
}

/** A length in seconds, of whole minutes: `6h`, `90m`, `1h30m`, `2 days`. Undefined where it is none. */
export function readLength(text: string): number | undefined {
  try {
    return minutesOf(text)
  } catch (error) {
    if (isInputProblem(error)) return undefined
    throw error
  }
}

function problemOf({ message, remedy }: InputProblem): string {
  return [message, remedy === windowForms ? typedForms : remedy].filter(Boolean).join(' ')
}
