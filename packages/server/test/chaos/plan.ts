/** Which faults a run injects, in which order, from its seed. Pure. */
import { createSeededRandom } from '../../src/core/base/random.ts'

/** One round: a kind of fault with a seed of its own. */
export type PlannedRound<Kind extends string> = { readonly kind: Kind; readonly seed: number }

const seedMax = 2 ** 31

/** The kinds of a list such as `replica-killed,disk-full`; all without one. Throws where one is unknown. */
export function readKinds<Kind extends string>(text: string | undefined, all: readonly Kind[]): readonly Kind[] {
  if (text === undefined) return all
  const words = text.split(',')
  const unknown = words.filter((word) => !all.some((kind) => kind === word))
  if (unknown.length > 0)
    throw new Error(`Unknown kinds of faults: ${unknown.join(', ')}. The kinds are ${all.join(', ')}.`)
  return all.filter((kind) => words.includes(kind))
}

/** Reads a whole number within bounds. Throws with the name of the option otherwise. */
export function readNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Error(`--${name} is a whole number from ${min} to ${max}, not '${text}'.`)
}

/** The rounds of one seed: each kind once, in an order that the seed gives. */
export function roundsOf<Kind extends string>(seed: number, kinds: readonly Kind[]): PlannedRound<Kind>[] {
  const random = createSeededRandom(`chaos ${seed}`)
  const left = [...kinds]
  const order: Kind[] = []
  while (left.length > 0) order.push(...left.splice(random.integer(left.length), 1))
  return order.map((kind) => ({ kind, seed }))
}

/** The rounds of a night: those of one seed after the other, until the caller stops. */
export function* nightOf<Kind extends string>(seed: number, kinds: readonly Kind[]): Generator<PlannedRound<Kind>> {
  for (let next = seed; ; next = (next + 1) % seedMax) yield* roundsOf(next, kinds)
}
