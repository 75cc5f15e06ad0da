import assert from 'node:assert/strict'
import { test } from 'vitest'
import { bodyOf, filterText } from './webhooks.rules.ts'

const empty = {
  url: ' https://example.com ',
  description: ' ',
  actions: '',
  target_types: '',
  targets: '',
  ordering: 'none',
}

test('empty fields are left out, and lists may be typed with commas, blanks and lines', () => {
  assert.deepEqual(bodyOf(empty), { url: 'https://example.com' })
  assert.deepEqual(bodyOf({ ...empty, actions: 'order.filled, instance.*\nimage.revoked', ordering: 'per_target' }), {
    url: 'https://example.com',
    actions: ['order.filled', 'instance.*', 'image.revoked'],
    ordering: 'per_target',
  })
})

test('filters read as a sentence', () => {
  assert.equal(filterText({ actions: [], target_types: [], targets: [] }), 'every event')
  assert.equal(
    filterText({ actions: ['order.filled'], target_types: ['order'], targets: ['ordr_1'] }),
    'order.filled about order of ordr_1',
  )
})
