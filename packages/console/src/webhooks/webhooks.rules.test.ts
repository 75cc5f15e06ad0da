import assert from 'node:assert/strict'
import { test } from 'vitest'
import { filterText } from './webhooks.rules.ts'

test('filters read as a sentence', () => {
  assert.equal(filterText({ actions: [], target_types: [], targets: [] }), 'every event')
  assert.equal(
    filterText({ actions: ['order.filled'], target_types: ['order'], targets: ['ordr_1'] }),
    'order.filled about order of ordr_1',
  )
})
