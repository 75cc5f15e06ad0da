/** Every choice of a run comes from here, so that its seed fixes all of them. */
import { createSeededRandom, pick } from '../../src/core/random.ts'

export type Choices = {
  /** A whole number from 0 up to, not including, `below`. */
  integer(below: number): number
  /** True so many times in a hundred. */
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of a list, each as likely as its weight says. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T
}

export function choicesOf(seed: string): Choices {
  const random = createSeededRandom(seed)
  return {
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
