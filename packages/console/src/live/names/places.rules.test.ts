import assert from 'node:assert/strict'
import { test } from 'vitest'
import { resourcePlace } from './places.rules.ts'

test('a resource leads to its page, to its dialog, or to its list', () => {
  assert.deepEqual(resourcePlace('order', 'ordr_1'), { to: '/orders/ordr_1' })
  assert.deepEqual(resourcePlace('instance', 'a/b'), { to: '/instances/a%2Fb' })
  assert.deepEqual(resourcePlace('pool', 'pool_1'), { to: '/pools', search: { open: 'pool_1' } })
  assert.deepEqual(resourcePlace('budget', 'bdgt_1'), { to: '/money', search: { tab: 'budgets' } })
  assert.equal(resourcePlace('session', 'sess_1'), undefined)
})
