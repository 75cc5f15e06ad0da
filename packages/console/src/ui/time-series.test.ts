import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isWhole, wholeSteps } from './time-series.ts'

test('an axis of nodes has whole steps, one of prices has any', () => {
  assert.equal(isWhole([{ values: [1, null, 2] }, { values: [] }]), true)
  assert.equal(isWhole([{ values: [1] }, { values: [0.5] }]), false)
  assert.deepEqual(wholeSteps.slice(0, 4), [1, 2, 5, 10])
})
