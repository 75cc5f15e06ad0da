/**
 * An order as people type it: `8 nodes tomorrow 9am for 6h`, `sell 2 nodes of h100-west monday 14:00 to 18:00`.
 * Windows are those of the one grammar. Pure, but for the time zone of this machine.
 */
import { readDollars } from '@bourse/text/grammar/amounts.ts'
import { type InputProblem, inputProblem, isInputProblem } from '@bourse/text/grammar/input-problem.ts'
import { hasWindowForm, minuteAt, minutesOf, readWindowText, windowForms } from '@bourse/text/grammar/windows.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'

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
export type TypedReading = { readonly order: TypedOrder } | { readonly problem: string }

type Present = { readonly now: number; readonly aliases: readonly string[] }

/** What can be typed, for messages. */
export const typedForms =
  'Write for example: 8 nodes tomorrow 9am for 6h · sell 2 nodes of h100-west monday 14:00 to 18:00 at $2.50 standing'

/** Reads an order. */
export function readTypedOrder(text: string, { now, aliases }: Present): TypedReading {
  try {
    const { order, rest } = takeWords(text, aliases)
    return { order: rest === '' ? order : { ...order, ...readTypedWindow(rest, now) } }
  } catch (error) {
    if (isInputProblem(error)) return { problem: problemOf(error) }
    throw error
  }
}

const priceShape = { is_signed: false, needs_decimals: false }

/** Everything but the window. */
function takeWords(text: string, aliases: readonly string[]): { order: TypedOrder; rest: string } {
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
  if (nodes !== undefined && (Number(nodes) < 1 || Number(nodes) > 10_000)) {
    throw inputProblem('An order has 1 to 10,000 nodes.')
  }
  return {
    rest: rest.trim(),
    order: {
      ...(side ? { side } : {}),
      ...(nodes === undefined ? {} : { nodes: Number(nodes) }),
      ...(sku === undefined ? {} : { sku }),
      ...(limit === undefined ? {} : { limit: readDollars(limit, priceShape, { isPrice: true }) }),
      ...(standing ? { standing } : {}),
      ...(partial ? { partial } : {}),
    },
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

type TypedWindow = Pick<TypedOrder, 'start' | 'end' | 'length'>

/** Reads a window, a start alone, or a length alone: `tomorrow 9am for 6h`, `now`, `for 6h`. */
export function readTypedWindow(text: string, now: number): TypedWindow {
  const [, alone] = /^for (.+)$/i.exec(text) ?? []
  if (alone !== undefined) return { length: minutesOf(alone) }
  const present = { now, zone: localZone() }
  if (!hasWindowForm(text)) return { start: minuteAt(text, present) }
  const { start_at, end_at } = readWindowText(text, present)
  if (end_at === null) throw inputProblem('The window of an order needs an end.', windowForms)
  return { start: start_at, end: end_at }
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
