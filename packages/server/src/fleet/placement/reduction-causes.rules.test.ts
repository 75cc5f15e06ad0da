import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocationAround, causeOfReduction, type Outflow } from './reduction-causes.rules.ts'

const sale = (decided_at: number, start_at: number, end_at: number | null = null, node_count = 1): Outflow => ({
  kind: 'sold',
  decided_at,
  steps: [{ start_at, end_at, node_count }],
})
const transfer = (decided_at: number, start_at: number): Outflow => ({
  ...sale(decided_at, start_at),
  kind: 'transferred',
})

test('what was sold or moved for the minute of a drop is its cause, the latest of several', () => {
  const at = { reduced_at: 600, running_at: 100 }
  assert.equal(causeOfReduction([], at).reason, 'allocation_ended')
  assert.deepEqual(causeOfReduction([sale(200, 0, null, 3)], at), { reason: 'sold', node_count: 3 })
  assert.equal(causeOfReduction([transfer(300, 600), sale(200, 0)], at).reason, 'transferred')
  assert.equal(causeOfReduction([sale(200, 0, 600)], at).reason, 'allocation_ended')
  assert.equal(causeOfReduction([sale(200, 660)], at).reason, 'allocation_ended')
})

test('a sale that the machine was started in spite of is no cause, one for later minutes is', () => {
  const at = { reduced_at: 600, running_at: 100 }
  assert.equal(causeOfReduction([sale(50, 0)], at).reason, 'allocation_ended')
  assert.equal(causeOfReduction([sale(50, 600)], at).reason, 'sold')
  assert.equal(causeOfReduction([sale(100, 0)], at).reason, 'sold')
})

test('around a drop stands what the pool has then and what it had when it last had more', () => {
  const steps = [
    { start_at: 0, end_at: 300, node_count: 3 },
    { start_at: 300, end_at: 600, node_count: 2 },
  ]
  assert.deepEqual(allocationAround(steps, 300), { before: 3, after: 2 })
  assert.deepEqual(allocationAround(steps, 660), { before: 2, after: 0 })
  assert.deepEqual(allocationAround([], 660), { before: 0, after: 0 })
})
