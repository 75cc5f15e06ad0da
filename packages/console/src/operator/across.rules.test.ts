import assert from 'node:assert/strict'
import { test } from 'vitest'
import { flagsOf, givenOf, queryOf, windowOf } from './across.rules.ts'

test('filters that are not set are neither sent nor written', () => {
  const given = givenOf({ account: 'acme', state: '', sku: undefined, include_managed: true })
  assert.deepEqual(given, { account: 'acme', include_managed: true })
  assert.deepEqual(flagsOf(given), { account: 'acme', 'include-managed': true })
  assert.equal(queryOf(given), '?account=acme&include_managed=true')
  assert.equal(queryOf({}), '')
  assert.equal(queryOf({ state: ['open', 'a b'] }), '?state=open&state=a+b')
})

test('days of a window are whole days of UTC, the present one included', () => {
  const now = Date.UTC(2026, 0, 15, 23, 59) / 1000
  const days = (window: string) => {
    const { from, to } = windowOf(window, now)
    return [from, to].map((at) => new Date(at * 1000).toISOString().slice(0, 16))
  }
  assert.deepEqual(days('month'), ['2026-01-01T00:00', '2026-01-16T00:00'])
  assert.deepEqual(days('last'), ['2025-12-01T00:00', '2026-01-01T00:00'])
  assert.deepEqual(days('week'), ['2026-01-09T00:00', '2026-01-16T00:00'])
  assert.deepEqual(days('days'), ['2025-12-17T00:00', '2026-01-16T00:00'])
  assert.deepEqual(flagsOf(windowOf('last', now)), { from: '2025-12-01', to: '2026-01-01' })
})
