import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latestTokenEnd, outlives, refuseTokenEnd, tokenEnd } from './tokens.rules.ts'

const now = 1_800_000_000
const day = 86_400
const free = { now, latest: null }

test('a token expires in 90 days unless another expiry or none is requested', () => {
  assert.equal(tokenEnd(undefined, free), now + 90 * day)
  assert.equal(tokenEnd(null, free), null)
  assert.equal(tokenEnd(now + 5, free), now + 5)
})

test('by default a token expires no later than its maker', () => {
  assert.equal(tokenEnd(undefined, { now, latest: now + 5 }), now + 5)
  assert.equal(tokenEnd(undefined, { now, latest: now + 91 * day }), now + 90 * day)
})

test('an expiry must be in the future, at most five years with two leap years ahead', () => {
  const longest = (5 * 365 + 2) * day
  for (const expires_at of [null, now + 1, now + longest]) assert.equal(refuseTokenEnd(expires_at, free), undefined)
  for (const expires_at of [0, now - 1, now, now + longest + 1]) {
    assert.equal(refuseTokenEnd(expires_at, free)?.code, 'out_of_range', String(expires_at - now))
    assert.equal(refuseTokenEnd(expires_at, free)?.field, 'expires_at')
  }
})

test('an expiry after the end of the maker is refused, and so is none', () => {
  const latest = now + 100
  for (const expires_at of [now + 1, latest]) assert.equal(refuseTokenEnd(expires_at, { now, latest }), undefined)
  for (const expires_at of [latest + 1, null]) {
    const refused = refuseTokenEnd(expires_at, { now, latest })
    assert.deepEqual([refused?.code, refused?.field], ['out_of_range', 'expires_at'])
    assert.ok(outlives(expires_at, latest))
  }
  assert.equal(outlives(null, null), false)
})

test('the latest end is that of a service token, and 365 days ahead for a session', () => {
  assert.equal(latestTokenEnd(undefined, now), null)
  assert.equal(latestTokenEnd({ kind: 'service', expires_at: null, ends_by: null }, now), null)
  assert.equal(latestTokenEnd({ kind: 'service', expires_at: now + 7, ends_by: null }, now), now + 7)
  assert.equal(latestTokenEnd({ kind: 'session', expires_at: now + 7, ends_by: null }, now), now + 365 * day)
  assert.equal(latestTokenEnd({ kind: 'session', expires_at: now + 7, ends_by: now + day }, now), now + day)
})
