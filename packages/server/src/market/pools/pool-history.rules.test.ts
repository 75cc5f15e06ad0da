import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { historyMinutes, keptFrom, nextFold } from './pool-history.rules.ts'

const minute = 30_000_000
const day = 1440

test('steps from before the kept history are folded at once', () => {
  assert.equal(nextFold(keptFrom(minute) - 1, minute), minute)
})

test('the next check is when the oldest step leaves the kept history, in one to eight days', () => {
  assert.equal(nextFold(minute - 3 * day, minute), minute + 5 * day + 1)
  assert.equal(nextFold(keptFrom(minute), minute), minute + day)
  assert.equal(nextFold(minute + 400 * day, minute), minute + historyMinutes)
  assert.equal(nextFold(undefined, minute), minute + historyMinutes)
})

test('the oldest step is always folded within a day after it leaves the kept history', () => {
  fc.assert(
    fc.property(fc.integer({ min: -20 * day, max: 20 * day }), (age) => {
      const oldest = minute + age
      let now = minute
      for (let looks = 0; oldest >= keptFrom(now); looks++) {
        assert.ok(looks < 30)
        now = nextFold(oldest, now)
      }
      const leaves = Math.max(oldest + historyMinutes + 1, minute)
      assert.ok(now - leaves <= day, `${now - leaves} minutes late`)
    }),
  )
})
