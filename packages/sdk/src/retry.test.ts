import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { delayBeforeRetry, type FailedAttempt } from './retry.ts'

const first = { attempt: 1, maxRetries: 2, repeatable: true, random: 1 }

function answer(status: number, codes: string[] = [], retryAfter?: number): FailedAttempt {
  return { kind: 'answer', status, codes, retryAfter }
}

test('transient failures are retried, all others are not', () => {
  const cases: [FailedAttempt, boolean][] = [
    [{ kind: 'broken' }, true],
    [answer(408, ['request_timeout']), true],
    [answer(409, ['idempotency_key_in_use']), true],
    [answer(409, ['name_taken']), false],
    [answer(429), true],
    [answer(500), true],
    [answer(503), true],
    [answer(400), false],
    [answer(401), false],
    [answer(404), false],
    [answer(410), false],
    [answer(422), false],
  ]
  for (const [failed, again] of cases) {
    assert.equal(delayBeforeRetry(failed, first) !== undefined, again, JSON.stringify(failed))
    assert.equal(delayBeforeRetry(failed, { ...first, repeatable: false }), undefined)
  }
})

test('attempts end when the retries are used up', () => {
  for (let maxRetries = 0; maxRetries <= 20; maxRetries++) {
    for (let attempt = 1; attempt <= 20; attempt++) {
      const delay = delayBeforeRetry({ kind: 'broken' }, { ...first, attempt, maxRetries })
      assert.equal(delay !== undefined, attempt <= maxRetries, `attempt ${attempt} of 1 + ${maxRetries}`)
    }
  }
})

test('the delay is random up to a bound that doubles up to eight seconds', () => {
  const drawn = (attempt: number, random: number) =>
    delayBeforeRetry({ kind: 'broken' }, { attempt, maxRetries: 99, repeatable: true, random })
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 40].map((attempt) => drawn(attempt, 1)),
    [500, 1000, 2000, 4000, 8000, 8000, 8000],
  )
  assert.equal(drawn(5, 0), 0)
  assert.equal(drawn(5, 0.5), 4000)
})

test('the delay is at least Retry-After, and a Retry-After above the limit is not waited for', () => {
  const check = (seconds: number, random: number) => {
    const delay = delayBeforeRetry(answer(429, [], seconds), { ...first, random })
    if (seconds > 60) assert.equal(delay, undefined)
    else assert.ok(delay !== undefined && delay >= seconds * 1000 && delay <= seconds * 1000 + 500)
  }
  fc.assert(fc.property(fc.nat(100), fc.double({ min: 0, max: 1, noNaN: true }), check))
})
