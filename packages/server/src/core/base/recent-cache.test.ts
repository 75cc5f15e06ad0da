import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createRecentCache } from './recent-cache.ts'

test('a cache never returns a wrong value, never exceeds its capacity and keeps the most recently used half', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 30 }), write: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.array(step, { maxLength: 300 }), (capacity, steps) => {
      const cache = createRecentCache<number, number>(capacity)
      const truth = new Map<number, number>()
      let recent: number[] = []
      for (const [i, { key, write }] of steps.entries()) {
        const kept = recent.slice(0, Math.floor(capacity / 2)).includes(key)
        const found = cache.get(key)
        if (kept) assert.equal(found, truth.get(key))
        if (found !== undefined) assert.equal(found, truth.get(key))
        if (write) {
          cache.set(key, i)
          truth.set(key, i)
        }
        if (write || found !== undefined) recent = [key, ...recent.filter((other) => other !== key)]
      }
      const present = Array.from({ length: 31 }, (_, key) => key).filter((key) => cache.get(key) !== undefined)
      assert.ok(present.length <= capacity)
    }),
  )
})

test('a cleared cache holds nothing', () => {
  const cache = createRecentCache<string, number>(4)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.clear()
  for (const key of ['a', 'b', 'c']) assert.equal(cache.get(key), undefined)
})

test('with weights, the sum of the weights stays within the capacity', () => {
  const cache = createRecentCache<number, number>(100, (weight) => weight)
  for (const key of [1, 2, 3]) cache.set(key, 20)
  cache.set(3, 30)
  cache.set(4, 45)
  assert.deepEqual(
    [1, 2, 3, 4].map((key) => cache.get(key)),
    [undefined, undefined, 30, 45],
  )
})
