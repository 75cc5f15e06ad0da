import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { combined, restOf, stepsOf, summed, valueAt } from './steps.rules.ts'

const minutes = fc.integer({ min: 0, max: 200 })
const schedule = fc
  .array(fc.tuple(minutes, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 9 })), { maxLength: 12 })
  .map((parts) => {
    let at = 0
    return parts.map(([gap, length, node_count]) => {
      const start_at = at + (gap % 5)
      at = start_at + length
      return { start_at, end_at: at, node_count }
    })
  })

test('the steps of a schedule have its value in every minute', () => {
  fc.assert(
    fc.property(schedule, minutes, (entries, at) => {
      const entry = entries.find(({ start_at, end_at }) => start_at <= at && at < end_at)
      assert.equal(valueAt(stepsOf(entries), at) ?? 0, entry?.node_count ?? 0)
    }),
  )
  assert.deepEqual(stepsOf([{ start_at: 60, end_at: null, node_count: 3 }]), [[60, 3]])
})

test('combined steps have the combined value in every minute, and no two neighbours alike', () => {
  fc.assert(
    fc.property(schedule, schedule, minutes, (one, two, at) => {
      const [a, b] = [stepsOf(one), stepsOf(two)]
      const [x, y] = [valueAt(a, at) ?? 0, valueAt(b, at) ?? 0]
      assert.equal(valueAt(summed([a, b]), at) ?? 0, x + y)
      assert.equal(valueAt(restOf(one, two), at) ?? 0, Math.max(0, x - y))
      const least = combined([a, b], Math.min)
      assert.equal(valueAt(least, at) ?? 0, Math.min(x, y))
      assert.ok(least.every(([, value], index) => value !== least[index - 1]?.[1]))
    }),
  )
})
