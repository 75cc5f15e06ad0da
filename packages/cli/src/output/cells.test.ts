import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellOf } from './cells.ts'

test('moments are shown as times, and counts as numbers', () => {
  for (const name of ['created_at', 'now', 'real_now', 'period_start', 'period_end']) {
    assert.equal(cellOf(1_793_491_200, name), '2026-11-01 00:00:00Z', name)
  }
  assert.equal(cellOf(6, 'pool_allocation_now'), '6')
  assert.equal(cellOf(6, 'pool_instances_now'), '6')
})
