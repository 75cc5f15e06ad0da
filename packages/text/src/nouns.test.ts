import assert from 'node:assert/strict'
import { test } from 'vitest'
import { singular } from './nouns.ts'

test('the singular of a noun', () => {
  const nouns = ['skus', 'entries', 'addresses', 'switches', 'boxes', 'pools', 'pool_transfers', 'leases']
  assert.deepEqual(nouns.map(singular), ['sku', 'entry', 'address', 'switch', 'box', 'pool', 'pool_transfer', 'lease'])
})
