import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../core/base/random.ts'
import {
  decidePoll,
  drawUserCode,
  isFull,
  type PolledLogin,
  readUserCode,
  userCodeText,
} from './device-logins.rules.ts'

const now = 1_800_000_000
const open: PolledLogin = {
  state: 'pending',
  expires_at: now + 1,
  interval_seconds: 5,
  milliseconds_since_poll: null,
}

function codeFor(login: PolledLogin | undefined): string {
  const decision = decidePoll(login, now)
  return decision.is_approved ? 'approved' : decision.refusal.code
}

test('there is room for so many requests of a network, ten times as many of a wider one, and 10,000 in all', () => {
  const none = { of_network: 0, of_wider: 0, all: 0 }
  assert.equal(isFull({ of_network: 9, of_wider: 99, all: 9_999 }, 10), false)
  for (const open of [{ of_network: 10 }, { of_wider: 100 }, { all: 10_000 }]) {
    assert.equal(isFull({ ...none, ...open }, 10), true)
  }
})

test('a code of a person is read as it is shown, in any case and with any separators', () => {
  const random = createSeededRandom(1)
  for (let n = 0; n < 200; n++) {
    const code = drawUserCode((below) => random.integer(below))
    assert.match(code, /^[B-DF-HJ-NP-TV-XZ]{8}$/)
    for (const typed of [code, userCodeText(code), code.toLowerCase(), ` ${userCodeText(code)}\n`]) {
      assert.equal(readUserCode(typed), code)
    }
  }
  for (const wrong of [
    '',
    'BCDF-GHJ',
    'BCDF-GHJKL',
    'ACDF-GHJK',
    'BCDF_GHJK',
    '12345678',
    ` ${' '.repeat(64)}BCDFGHJK`,
  ]) {
    assert.equal(readUserCode(wrong), undefined, wrong)
  }
})

test('a poll gets the codes of RFC 8628', () => {
  assert.equal(codeFor(undefined), 'expired_token')
  assert.equal(codeFor({ ...open, expires_at: now }), 'expired_token')
  assert.equal(codeFor({ ...open, state: 'approved', expires_at: now }), 'expired_token')
  assert.equal(codeFor(open), 'authorization_pending')
  assert.equal(codeFor({ ...open, milliseconds_since_poll: 5_000 }), 'authorization_pending')
  assert.equal(codeFor({ ...open, milliseconds_since_poll: 4_999 }), 'slow_down')
  assert.equal(codeFor({ ...open, state: 'denied', milliseconds_since_poll: 0 }), 'access_denied')
  assert.equal(codeFor({ ...open, state: 'approved', milliseconds_since_poll: 0 }), 'approved')
})

test('the interval grows by five seconds, up to a minute', () => {
  const intervalAfter = (interval_seconds: number) => {
    const decision = decidePoll({ ...open, interval_seconds, milliseconds_since_poll: 0 }, now)
    return decision.is_approved ? undefined : decision.interval_seconds
  }
  assert.deepEqual([5, 10, 56, 60].map(intervalAfter), [10, 15, 60, 60])
})
