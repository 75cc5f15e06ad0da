import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  afterFailure,
  afterSuccess,
  isAttemptAwaited,
  isDelivered,
  nextAttemptAt,
  readRetryAfter,
  type WebhookHealth,
} from './deliveries.rules.ts'

const healthy: WebhookHealth = {
  failures: 0,
  failures_since: null,
  is_failing: false,
  enabled: true,
  disabled_reason: null,
}
const failure = { status: 500, error: null }

test('only a status 2xx delivers', () => {
  for (const status of [200, 201, 204, 299]) assert.ok(isDelivered({ status, error: null }))
  for (const status of [199, 300, 302, 400, 410, 500]) assert.ok(!isDelivered({ status, error: null }))
  assert.ok(!isDelivered({ status: null, error: 'timeout' }))
  assert.ok(!isDelivered({ status: 302, error: 'redirect' }))
})

test('attempts follow after 5 s, 5 and 30 min, 2, 5, 10 and 10 h, give or take a tenth', () => {
  for (const [index, seconds] of [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000].entries()) {
    const at = (chance: number) => nextAttemptAt(index + 1, { now: 1_000, chance })
    assert.equal(at(0.5), 1_000 + seconds)
    assert.equal(at(0), 1_000 + Math.round(seconds * 0.9))
    assert.equal(at(1), 1_000 + Math.round(seconds * 1.1))
  }
  assert.equal(nextAttemptAt(8, { now: 1_000, chance: 0 }), undefined)
  assert.equal(nextAttemptAt(1, { now: 1_000, chance: 0, retry_after_seconds: 60 }), 1_060)
  assert.equal(nextAttemptAt(2, { now: 1_000, chance: 0.5, retry_after_seconds: 60 }), 1_300)
})

test('Retry-After counts with 429 and 503, as seconds or as a date, at most an hour', () => {
  const now = Date.parse('2026-11-23T00:00:00Z') / 1000
  const date = 'Mon, 23 Nov 2026 00:02:00 GMT'
  for (const [status, header, seconds] of [
    [429, '7', 7],
    [503, ' 7 ', 7],
    [503, date, 120],
    [503, '7200', 3_600],
    [503, '0', undefined],
    [503, '-5', undefined],
    [503, 'soon', undefined],
    [503, 'Mon, 23 Nov 2026 00:00:00 GMT', undefined],
    [503, undefined, undefined],
    [500, '7', undefined],
    [200, '7', undefined],
  ] as const) {
    assert.equal(readRetryAfter(status, header, now), seconds, `${status} ${header}`)
  }
})

test('ten failures in a row are one event, and the next success another', () => {
  let health = healthy
  const events: string[] = []
  for (let i = 0; i < 15; i++) {
    const after = afterFailure(health, failure, 1_000 + i)
    health = after.health
    events.push(...after.events.map((event) => `${event} ${i + 1}`))
  }
  assert.deepEqual(events, ['webhook.failing 10'])
  assert.deepEqual([health.failures, health.failures_since], [15, 1_000])
  const after = afterSuccess(health)
  assert.deepEqual(after, { health: healthy, events: ['webhook.recovered'] })
  assert.deepEqual(afterSuccess(healthy), { health: healthy, events: [] })
})

test('five days without success and ten failures disable, 410 at once', () => {
  const days = 5 * 86_400
  const failing = { ...healthy, failures: 12, failures_since: 1_000, is_failing: true }
  assert.deepEqual(afterFailure(failing, failure, 999 + days).events, [])
  const over = afterFailure(failing, failure, 1_000 + days)
  assert.deepEqual([over.events, over.health.disabled_reason], [['webhook.disabled'], 'failures'])
  assert.deepEqual(afterFailure({ ...failing, failures: 8 }, failure, 1_000 + days).health.enabled, true)
  const gone = afterFailure(healthy, { status: 410, error: null }, 5)
  assert.deepEqual(
    [gone.events, gone.health.disabled_reason, gone.health.enabled],
    [['webhook.disabled'], 'gone', false],
  )
  assert.deepEqual(afterFailure(gone.health, { status: 410, error: null }, 6).events, [])
  assert.deepEqual(afterSuccess({ ...gone.health, is_failing: true }).events, [])
})

test('a clock waits for an attempt for two seconds, and longer for a worker that had no turn', () => {
  const since = { milliseconds: 1_000, ticks: 7 }
  const isAwaited = (milliseconds: number, ticks: number) => isAttemptAwaited(since, { milliseconds, ticks })
  assert.equal(isAwaited(2_999, 100), true)
  assert.equal(isAwaited(3_000, 12), false)
  assert.equal(isAwaited(60_000, 11), true, 'a busy machine')
  const withoutWorker = { milliseconds: 1_000, ticks: 0 }
  assert.equal(isAttemptAwaited(withoutWorker, { milliseconds: 3_000, ticks: 0 }), false)
})
