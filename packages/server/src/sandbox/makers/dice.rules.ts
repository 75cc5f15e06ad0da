/** Pseudo-random numbers that depend only on the numbers that they are made from. */

/** Gives a whole number from 0 up to, not including, `sides`, another one with each call. */
export type Dice = (sides: number) => number

/** A pseudo-random generator seeded by numbers. */
export function diceOf(...numbers: readonly number[]): Dice {
  let thrown = 0
  return (sides) => {
    thrown += 1
    let hash = 0x811c9dc5
    for (const number of [...numbers, thrown]) {
      hash = Math.imul(hash ^ number, 0x01000193)
      // FNV-1a alone would give neighbouring minutes similar values.
      hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
      hash ^= hash >>> 16
    }
    return (hash >>> 0) % sides
  }
}
