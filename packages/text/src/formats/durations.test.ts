import assert from 'node:assert/strict'
import { test } from 'vitest'
import { lengthOf, millisecondsOf } from './durations.ts'

test('durations are in their largest units', () => {
  const seconds = [90, 93_600, 0, 600, -90].map(lengthOf)
  assert.deepEqual(seconds, ['1 min 30 s', '1 d 2 h', '0 s', '10 min', '-1 min 30 s'])
  const milliseconds = [350, 1_250, 60_000, 125_000, 600_000].map(millisecondsOf)
  assert.deepEqual(milliseconds, ['350 ms', '1.25 s', '1 min', '2 min 5 s', '10 min'])
})
