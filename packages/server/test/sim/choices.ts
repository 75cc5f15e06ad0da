/** Every choice of a run comes from here, so that its seed fixes all of them. */
import { createSeededRandom, pick } from '../../src/core/base/random.ts'

export type Choices = {
  /** A whole number from 0 up to, not including, `below`. */
  integer(below: number): number
  /** True so many times in a hundred. */
  chance(percent: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of a list, each as likely as its weight says. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T
}

/** Choices that go on from places of their own. */
export type PlacedChoices = Choices & {
  /** Goes on from a place, whatever was drawn before: a step draws the same where others are left out. */
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
