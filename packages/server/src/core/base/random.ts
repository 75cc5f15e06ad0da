// The one home of randomness. Production draws from the operating system; the simulation draws everything from one
// seeded generator, so that a seed fixes every id, nonce and generated name of a run. The seeded one is no secret
// and never makes keys outside a simulation.

import { randomFillSync } from 'node:crypto'

export interface Random {
  /** A fresh Buffer of `length` random bytes. */
  bytes(length: number): Buffer
  /** A whole number from 0 up to, not including, `maxExclusive` (1 to 2^32), each equally likely. */
  integer(maxExclusive: number): number
}

const POOL_BYTES = 4096
const WORDS = 2 ** 32

/** Randomness of the operating system, drawn 4 KiB at a time: a system call for each id would cost more than the id. */
export function createCryptoRandom(): Random {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES

  function reserve(length: number): number {
    if (used + length > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    const start = used
    used += length
    return start
  }

  function bytes(length: number): Buffer {
    if (length > POOL_BYTES / 4) return randomFillSync(Buffer.alloc(length))
    const start = reserve(length)
    const drawn = Buffer.from(pool.subarray(start, start + length))
    // What was handed out may become a key; it shall not lie here a second time.
    pool.fill(0, start, start + length)
    return drawn
  }

  return { bytes, integer: (maxExclusive) => below(maxExclusive, () => pool.readUInt32LE(reserve(4))) }
}

/**
 * A deterministic generator (xoshiro128** by Blackman and Vigna, seeded through a 32-bit mixer): equal seeds give
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

/** One element of a list that is not empty, each equally likely. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.integer(list.length)] as T
}

// Words of the incomplete last interval are drawn again; taking the remainder alone would prefer small numbers.
function below(maxExclusive: number, word: () => number): number {
  if (!Number.isInteger(maxExclusive) || maxExclusive < 1 || maxExclusive > WORDS) {
    throw new RangeError('maxExclusive must be a whole number from 1 to 2^32')
  }
  const unbiased = WORDS - (WORDS % maxExclusive)
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
  // The all-zero state is the one that xoshiro never leaves.
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
