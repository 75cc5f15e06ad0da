import assert from 'node:assert/strict'
import { test } from 'vitest'
import { matchesFilters, refuseFilters } from './webhook-filters.ts'

test('filters have known entries, each once', () => {
  assert.equal(
    refuseFilters({ actions: ['order.*', 'order.filled', 'webhook.failing'], target_types: ['order'] }),
    undefined,
  )
  assert.deepEqual(refuseFilters({ actions: ['order.*', 'orders.*'] })?.field, 'actions.1')
  assert.deepEqual(refuseFilters({ target_types: ['order', 'pool'] })?.field, 'target_types.1')
  assert.deepEqual(refuseFilters({ targets: ['a', 'b', 'a'] })?.code, 'duplicate_entry')
})

test('an event matches if every filter that is not empty matches', () => {
  const event = { action: 'order.filled', target_type: 'order', target_id: 'ordr_1' }
  const none = { actions: [], target_types: [], targets: [] }
  for (const [filters, expected] of [
    [{}, true],
    [{ actions: ['order.filled'] }, true],
    [{ actions: ['instance.*', 'order.*'] }, true],
    [{ actions: ['order.fill'] }, false],
    [{ actions: ['orde.*'] }, false],
    [{ target_types: ['image'] }, false],
    [{ targets: ['ordr_2', 'ordr_1'] }, true],
    [{ actions: ['order.*'], targets: ['ordr_2'] }, false],
  ] as const) {
    assert.equal(matchesFilters({ ...none, ...filters }, event), expected, JSON.stringify(filters))
  }
})
