import assert from 'node:assert/strict'
import { test } from 'vitest'
import { allocationAround, causeOfReduction, type PoolOutflow } from './reduction-causes.rules.ts'

const sale = (decided_at: number, start_at: number, end_at: number | null = null, node_count = 1): PoolOutflow => ({
  kind: 'sold',
  decided_at,
  steps: [{ start_at, end_at, node_count }],
})
const transfer = (decided_at: number, start_at: number): PoolOutflow => ({
  ...sale(decided_at, start_at),
  kind: 'transferred',
})

test('the cause of a reduction is the latest sale or transfer of its minute', () => {
  const at = { reduced_at: 600, running_at: 100 }
  assert.equal(causeOfReduction([], at).reason, 'allocation_ended')
  assert.deepEqual(causeOfReduction([sale(200, 0, null, 3)], at), { reason: 'sold', node_count: 3 })
  assert.equal(causeOfReduction([transfer(300, 600), sale(200, 0)], at).reason, 'transferred')
  assert.equal(causeOfReduction([sale(200, 0, 600)], at).reason, 'allocation_ended')
  assert.equal(causeOfReduction([sale(200, 660)], at).reason, 'allocation_ended')
})

test('a sale from before the start of the machine is a cause only if it affects later minutes', () => {
  const at = { reduced_at: 600, running_at: 100 }
  assert.equal(causeOfReduction([sale(50, 0)], at).reason, 'allocation_ended')
  assert.equal(causeOfReduction([sale(50, 600)], at).reason, 'sold')
  assert.equal(causeOfReduction([sale(100, 0)], at).reason, 'sold')
})

test('allocationAround gives the allocation after a reduction, and the last higher one before it', () => {
  const steps = [
    { start_at: 0, end_at: 300, node_count: 3 },
    { start_at: 300, end_at: 600, node_count: 2 },
  ]
  assert.deepEqual(allocationAround(steps, 300), { before: 3, after: 2 })
  assert.deepEqual(allocationAround(steps, 660), { before: 2, after: 0 })
  assert.deepEqual(allocationAround([], 660), { before: 0, after: 0 })
})
