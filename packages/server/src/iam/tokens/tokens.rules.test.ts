import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  earlierEnd,
  freshMilliseconds,
  hasEnded,
  latestTokenEnd,
  longestLifeDays,
  outlives,
  refuseTokenEnd,
  tokenEnd,
} from './tokens.rules.ts'

const now = 1_800_000_000
const day = 86_400
const free = { now, latest: null, days_max: null }

test('a token expires in 90 days unless another expiry or none is requested', () => {
  assert.equal(tokenEnd(undefined, free), now + 90 * day)
  assert.equal(tokenEnd(null, free), null)
  assert.equal(tokenEnd(now + 5, free), now + 5)
})

test('by default a token expires no later than its maker', () => {
  assert.equal(tokenEnd(undefined, { now, latest: now + 5, days_max: null }), now + 5)
  assert.equal(tokenEnd(undefined, { now, latest: now + 91 * day, days_max: null }), now + 90 * day)
})

test('a read of a token is fresh for the usual time, but never past its expiry', () => {
  const freshUntil = (expires_at: number | null, clock_rate = 1) =>
    freshMilliseconds(expires_at, { now, usual: 900, clock_rate })
  assert.equal(freshUntil(null), 900)
  assert.equal(freshUntil(now + 2), 900)
  // The time of the read is rounded down, so its last second may have passed.
  assert.equal(freshUntil(now + 1), 0)
  assert.equal(freshUntil(now), 0)
  assert.equal(freshUntil(now + 1 + day, day), 900)
  assert.equal(freshUntil(now + 1 + day / 10, day), 100)
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
  for (const expires_at of [now + 1, latest])
    assert.equal(refuseTokenEnd(expires_at, { now, latest, days_max: null }), undefined)
  for (const expires_at of [latest + 1, null]) {
    const refused = refuseTokenEnd(expires_at, { now, latest, days_max: null })
    assert.deepEqual([refused?.code, refused?.field], ['out_of_range', 'expires_at'])
    assert.ok(outlives(expires_at, latest))
  }
  assert.equal(outlives(null, null), false)
})

test('the latest end is that of a service token, and the bound of a session', () => {
  assert.equal(latestTokenEnd(undefined), null)
  assert.equal(latestTokenEnd({ kind: 'service', expires_at: null, ends_by: null }), null)
  assert.equal(latestTokenEnd({ kind: 'service', expires_at: now + 7, ends_by: null }), now + 7)
  assert.equal(latestTokenEnd({ kind: 'session', expires_at: now + 7, ends_by: null }), null)
  assert.equal(latestTokenEnd({ kind: 'session', expires_at: now + 7, ends_by: now + day }), now + day)
})

test('a token that a session makes lives for the days of the account at most, and by default for no longer', () => {
  const session = { kind: 'session', expires_at: now + 7, ends_by: null } as const
  assert.equal(longestLifeDays(session, 30), 30)
  assert.equal(longestLifeDays({ ...session, kind: 'service' }, 30), null)
  assert.equal(longestLifeDays(undefined, 30), null)
  const bounds = { now, latest: null, days_max: 30 }
  assert.equal(tokenEnd(undefined, bounds), now + 30 * day)
  assert.equal(tokenEnd(undefined, { ...bounds, days_max: 365 }), now + 90 * day)
  assert.equal(refuseTokenEnd(now + 30 * day, bounds), undefined)
  for (const expires_at of [now + 30 * day + 1, null]) {
    const refused = refuseTokenEnd(expires_at, bounds)
    assert.deepEqual([refused?.code, refused?.field], ['token_lifetime_exceeded', 'expires_at'])
  }
})

test('a token ends at its expiry, and a session also when it was not used for a week', () => {
  const program = { user_id: null, expires_at: null, last_used_at: null, created_at: now }
  const session = { ...program, user_id: 'usr_1' }
  assert.equal(hasEnded(program, now + 1_000 * day), false)
  assert.equal(hasEnded({ ...program, expires_at: now + 5 }, now + 4), false)
  assert.equal(hasEnded({ ...program, expires_at: now + 5 }, now + 5), true)
  assert.equal(hasEnded(session, now + 7 * day), false)
  assert.equal(hasEnded(session, now + 7 * day + 1), true)
  assert.equal(hasEnded({ ...session, last_used_at: now + day }, now + 8 * day), false)
  assert.equal(hasEnded({ ...session, last_used_at: now + day }, now + 8 * day + 1), true)
})

test('of two ends the earlier one counts, and none is later than any', () => {
  assert.deepEqual([earlierEnd(1, 2), earlierEnd(2, 1), earlierEnd(1, null), earlierEnd(null, 2)], [1, 1, 1, 2])
  assert.equal(earlierEnd(null, null), null)
})
