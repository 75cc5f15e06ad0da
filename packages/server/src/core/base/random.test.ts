import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createCryptoRandom, createSeededRandom, pick, type Random } from './random.ts'

const generators: [string, () => Random][] = [
  ['operating system', createCryptoRandom],
  ['seeded', () => createSeededRandom(1)],
]

for (const [name, create] of generators) {
  test(`the ${name} generator returns buffers of the requested length, and never the same twice`, () => {
    const random = create()
    for (const length of [0, 1, 3, 12, 32, 1023, 1024, 5000]) assert.equal(random.bytes(length).length, length)
    const seen = new Set<string>()
    for (let i = 0; i < 5000; i++) seen.add(random.bytes(16).toString('hex'))
    assert.equal(seen.size, 5000)
  })

  test(`buffers of the ${name} generator do not change under later draws`, () => {
    const random = create()
    const first = random.bytes(16)
    const copy = first.toString('hex')
    for (let i = 0; i < 1000; i++) random.bytes(16)
    assert.equal(first.toString('hex'), copy)
  })

  test(`integers of the ${name} generator stay in range and reach all of it`, () => {
    const random = create()
    for (const maxExclusive of [1, 2, 3, 7, 62]) {
      const seen = new Set<number>()
      for (let i = 0; i < 2000; i++) seen.add(random.integer(maxExclusive))
      const all = Array.from({ length: maxExclusive }, (_, i) => i)
      assert.deepEqual(
        [...seen].sort((a, b) => a - b),
        all,
      )
    }
    for (let i = 0; i < 100; i++) assert.ok(random.integer(2 ** 32) < 2 ** 32)
  })

  test(`the ${name} generator refuses invalid ranges`, () => {
    const random = create()
    for (const max of [0, -1, 1.5, Number.NaN, 2 ** 32 + 1]) assert.throws(() => random.integer(max), RangeError)
  })
}

test('the seeded generator is uniform over three values within five standard deviations', () => {
  const random = createSeededRandom('uniform')
  const counts: [number, number, number] = [0, 0, 0]
  const draws = 90_000
  for (let i = 0; i < draws; i++) counts[random.integer(3) as 0 | 1 | 2]++
  const deviation = Math.sqrt(draws * (1 / 3) * (2 / 3))
  for (const count of counts) assert.ok(Math.abs(count - draws / 3) < 5 * deviation, `${count} of ${draws}`)
})

test('equal seeds give equal sequences, different seeds different ones', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      const first = createSeededRandom(a).bytes(64)
      assert.deepEqual(createSeededRandom(a).bytes(64), first)
      assert.deepEqual(createSeededRandom(String(a)).bytes(64), first)
      if (a !== b) assert.notDeepEqual(createSeededRandom(b).bytes(64), first)
    }),
  )
})

test('a seed gives the same numbers on every machine and in every version', () => {
  const random = createSeededRandom(1)
  assert.deepEqual(
    [random.integer(1000), random.integer(1000), random.bytes(4).toString('hex')],
    [761, 421, 'b27b09de'],
  )
})

test('pick reaches every element', () => {
  const random = createSeededRandom(3)
  const seen = new Set<string>()
  for (let i = 0; i < 200; i++) seen.add(pick(random, ['a', 'b', 'c']))
  assert.deepEqual([...seen].sort(), ['a', 'b', 'c'])
})
