// The only source of randomness. Production uses the operating system's. The simulation uses one seeded generator, so
// that a seed determines every id, nonce and generated name of a run. The seeded generator is predictable and never
// generates keys outside a simulation.

import { randomFillSync } from 'node:crypto'

export interface Random {
  /** Returns a new Buffer of `length` random bytes. */
  bytes(length: number): Buffer
  /** Returns a uniformly distributed integer from 0 up to, but not including, `maxExclusive` (1 to 2^32). */
  integer(maxExclusive: number): number
}

const poolBytes = 4096
const words = 2 ** 32

/** The operating system's randomness, read 4 KiB at a time: a system call for each id would cost more than the id. */
export function createCryptoRandom(): Random {
  const pool = Buffer.alloc(poolBytes)
  let used = poolBytes

  function reserve(length: number): number {
    if (used + length > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    const start = used
    used += length
    return start
  }

  function bytes(length: number): Buffer {
    if (length > poolBytes / 4) return randomFillSync(Buffer.alloc(length))
    const start = reserve(length)
    const drawn = Buffer.from(pool.subarray(start, start + length))
    // The bytes may become a key, so no copy of them stays in the pool.
    pool.fill(0, start, start + length)
    return drawn
  }

  return { bytes, integer: (maxExclusive) => below(maxExclusive, () => pool.readUInt32LE(reserve(4))) }
}

/**
 * A deterministic generator (xoshiro128** by Blackman and Vigna, seeded through a 32-bit mixer). Equal seeds give
 * equal sequences on every machine. For simulations, scenarios and tests.
 */
export function createSeededRandom(seed: number | string): Random {
  const state = seedState(String(seed))

  function word(): number {
    const [a, b, c, d] = state
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const c1 = c ^ a
    const d1 = d ^ b
    state[0] = a ^ d1
    state[1] = b ^ c1
    state[2] = c1 ^ (b << 9)
    state[3] = rotate(d1, 11)
    return result
  }

  function bytes(length: number): Buffer {
    const words = Buffer.alloc(Math.ceil(length / 4) * 4)
    for (let i = 0; i < words.length; i += 4) words.writeUInt32LE(word(), i)
    return words.subarray(0, length)
  }

  return { bytes, integer: (maxExclusive) => below(maxExclusive, word) }
}

/** Returns a random element of a list that is not empty. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(list.length)] as T
}

// Words of the incomplete last interval are drawn again: the remainder alone would favour small numbers.
function below(maxExclusive: number, word: () => number): number {
  if (!Number.isInteger(maxExclusive) || maxExclusive < 1 || maxExclusive > words) {
    throw new RangeError('maxExclusive must be a whole number from 1 to 2^32')
  }
  const unbiased = words - (words % maxExclusive)
  let drawn = word()
  while (drawn >= unbiased) drawn = word()
  return drawn % maxExclusive
}

function seedState(seed: string): [number, number, number, number] {
  let mixed = 0x9e3779b9
  for (const character of seed) mixed = mix(mixed ^ (character.codePointAt(0) as number))
  const next = () => {
    mixed = (mixed + 0x9e3779b9) | 0
    return mix(mixed)
  }
  // Not all zero, because xoshiro never leaves that state.
  return [next(), next(), next(), next() | 1]
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
