import { createCryptoRandom, type Random } from '../../src/core/base/random.ts'

/** Random numbers, but of the integers below one bound each comes in turn, so that a chance has its share exactly. */
export function randomInTurn(bound: number): Random {
  const random = createCryptoRandom()
  let drawn = 0
  return { ...random, integer: (below) => (below === bound ? drawn++ % bound : random.integer(below)) }
}
