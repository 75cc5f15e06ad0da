import assert from 'node:assert/strict'
import { test } from 'vitest'
import { guessersOfLogins, guessersOfRecovery, hasGuessedTooOften, withFailure } from './wrong-codes.rules.ts'

const now = 1_800_000_000
const guesser = { name: 'user usr_1', wrong_max: 5 }

test('five wrong codes within any minute are too many', () => {
  let failed: number[] = []
  for (const at of [0, 10, 20, 30, 40]) {
    assert.equal(hasGuessedTooOften(failed, guesser, now + at), false)
    failed = withFailure(failed, guesser, now + at)
  }
  assert.equal(hasGuessedTooOften(failed, guesser, now + 59), true)
  assert.equal(hasGuessedTooOften(failed, guesser, now + 60), false)
  failed = withFailure(failed, guesser, now + 60)
  assert.equal(failed.length, 5)
  assert.equal(hasGuessedTooOften(failed, guesser, now + 69), true)
})

test('the codes of programs count for the person and the account that type them', () => {
  assert.deepEqual(guessersOfLogins({ user_id: 'user_1', account_id: 'acme' }), [
    { name: 'user user_1', wrong_max: 5 },
    { name: 'account acme', wrong_max: 50 },
  ])
})

test('recovery codes count for networks, and for the user whose code was found', () => {
  assert.deepEqual(guessersOfRecovery(['203.0.113.9'], undefined), [{ name: 'recovery 203.0.113.9', wrong_max: 5 }])
  assert.deepEqual(guessersOfRecovery(['2001:db8:1:2', '2001:db8:1'], 'user_1'), [
    { name: 'recovery 2001:db8:1:2', wrong_max: 5 },
    { name: 'recovery 2001:db8:1', wrong_max: 50 },
    { name: 'recovery of user_1', wrong_max: 5 },
  ])
})
