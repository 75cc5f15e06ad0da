import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseTokenEnd, tokenEnd } from './tokens.rules.ts'

const now = 1_800_000_000
const day = 86_400

test('a token expires in 90 days unless another expiry or none is requested', () => {
  assert.equal(tokenEnd(undefined, now), now + 90 * day)
  assert.equal(tokenEnd(null, now), null)
  assert.equal(tokenEnd(now + 5, now), now + 5)
})

test('an expiry must be in the future, at most five years with two leap years ahead', () => {
  const longest = (5 * 365 + 2) * day
  for (const expires_at of [null, now + 1, now + longest]) assert.equal(refuseTokenEnd(expires_at, now), undefined)
  for (const expires_at of [0, now - 1, now, now + longest + 1]) {
    assert.equal(refuseTokenEnd(expires_at, now)?.code, 'out_of_range', String(expires_at - now))
    assert.equal(refuseTokenEnd(expires_at, now)?.field, 'expires_at')
  }
})
