import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hasGuessedTooOften, withFailure } from './wrong-codes.rules.ts'

const now = 1_800_000_000

test('five wrong codes within any minute are too many', () => {
  let failed: number[] = []
  for (const at of [0, 10, 20, 30, 40]) {
    assert.equal(hasGuessedTooOften(failed, now + at), false)
    failed = withFailure(failed, now + at)
  }
  assert.equal(hasGuessedTooOften(failed, now + 59), true)
  assert.equal(hasGuessedTooOften(failed, now + 60), false)
  failed = withFailure(failed, now + 60)
  assert.equal(failed.length, 5)
  assert.equal(hasGuessedTooOften(failed, now + 69), true)
})
