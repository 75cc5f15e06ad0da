import assert from 'node:assert/strict'
import { createClient } from '@bourse/sdk'
import { test } from 'vitest'
import { givenOf, listKey } from './list-key.rules.ts'

test('lists of one noun from different operations have different keys', () => {
  assert.notDeepEqual(listKey('sku', {}, ''), listKey('sku', {}, 'platform'))
  assert.notDeepEqual(listKey('sku', { listed: true }, ''), listKey('sku', {}, ''))
  // The methods themselves cannot be told apart by name.
  const { skus, platformSkus } = createClient({ baseUrl: 'http://127.0.0.1', token: 'none' })
  assert.equal(skus.list.name, platformSkus.list.name)
})

test('filters without a value are not sent', () => {
  assert.deepEqual(givenOf({ state: '', pool: undefined, listed: false, side: 'buy' }), { listed: false, side: 'buy' })
})
