import assert from 'node:assert/strict'
import { test } from 'vitest'
import { firstShown, minuteOf, refusePoolDelete, schedulesBySku, shownAllocation } from './pools.rules.ts'

const deltas = [
  { sku_id: 'sku_b', minute: 100, delta: 2 },
  { sku_id: 'sku_a', minute: 110, delta: 5 },
  { sku_id: 'sku_b', minute: 130, delta: -2 },
  { sku_id: 'sku_a', minute: 120, delta: -1 },
]

test('a minute begins with its first second', () => {
  assert.deepEqual([minuteOf(59), minuteOf(60), minuteOf(119)], [0, 1, 1])
  assert.equal(firstShown(6_059, 90), 10)
})

test('the allocation of a pool is that of each SKU, in the order of their ids', () => {
  const schedules = [
    ['sku_a', [110, 5, 120, 4]],
    ['sku_b', [100, 2, 130, 0]],
  ]
  assert.deepEqual([...schedulesBySku(deltas)], schedules)
  assert.deepEqual([...schedulesBySku(deltas.toReversed())], schedules)
})

test('allocation is shown from some minutes before now on, without SKUs that have none there', () => {
  const steps = (...entries: readonly (readonly [start: number, end: number | null, count: number])[]) =>
    entries.map(([start, end, node_count]) => {
      return { start_at: start * 60, end_at: end === null ? null : end * 60, node_count }
    })
  const ofA = steps([115, 120, 5], [120, null, 4])
  assert.deepEqual(shownAllocation(deltas, { now: 125 * 60, history_minutes: 10 }), {
    total: steps([115, 120, 7], [120, 130, 6], [130, null, 4]),
    by_sku: { sku_a: ofA, sku_b: steps([115, 130, 2]) },
  })
  assert.deepEqual(shownAllocation(deltas, { now: 140 * 60, history_minutes: 10 }), {
    total: steps([130, null, 4]),
    by_sku: { sku_a: steps([130, null, 4]) },
  })
})

test('a pool that is used, or holds allocation from now on, is not deleted', () => {
  const held = [[], [100, 2, 130, 0]]
  assert.equal(refusePoolDelete(held, [], 130 * 60), undefined)
  const refusal = refusePoolDelete(held, [{ kind: 'spot_deployment_plan', id: 'depl_1' }], 130 * 60 - 1)
  assert.equal(refusal?.code, 'in_use')
  assert.deepEqual(refusal?.details, [
    { field: null, code: 'in_use', message: 'The spot deployment plan depl_1 uses this pool.' },
    { field: null, code: 'in_use', message: 'The pool holds allocation from now on.' },
  ])
})
