/** All random choices of a run, derived from its seed. */
import { createSeededRandom, pick } from '../../src/core/base/random.ts'

export type RandomChoices = {
  /** An integer from 0 to `below` - 1. */
  integer(below: number): number
  /** True with this probability. */
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
  /** An element, drawn in proportion to the weights. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T
}

/** Choices with named positions in the random stream. */
export type PlacedChoices = RandomChoices & {
  /** Continues from a named position, whatever was drawn before: leaving a step out does not change the others. */
  goTo(place: string): void
}

export function choicesOf(seed: string): PlacedChoices {
  let random = createSeededRandom(seed)
  return {
    goTo: (place) => {
      random = createSeededRandom(`${seed} ${place}`)
    },
    integer: (below) => random.integer(below),
    chance: (percent) => random.integer(100) < percent,
    pick: (list) => pick(random, list),
    weighted: (list) => {
      let left = random.integer(list.reduce((sum, { weight }) => sum + weight, 0))
      for (const one of list) {
        left -= one.weight
        if (left < 0) return one
      }
      throw new Error('There is nothing to choose from.')
    },
  }
}
