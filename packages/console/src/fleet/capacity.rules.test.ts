import assert from 'node:assert/strict'
import { test } from 'vitest'
import { costsPerNodeHour, freeNodes, nextReduction } from './capacity.rules.ts'

const now = 1_800_000_000
const range = (from: number, to: number | null, node_count: number) => {
  return { start_at: now + from, end_at: to === null ? null : now + to, node_count }
}

test('capacity is reduced when a pool has fewer nodes than now', () => {
  assert.equal(nextReduction([], now), undefined)
  assert.equal(nextReduction([range(60, 120, 1)], now), undefined)
  assert.equal(nextReduction([range(-60, null, 2)], now), undefined)
  assert.deepEqual(nextReduction([range(-60, 600, 2)], now), { at: now + 600, nodes: 0 })
  const joined = [range(-60, 600, 2), range(600, 900, 3), range(900, null, 1)]
  assert.deepEqual(nextReduction(joined, now), { at: now + 900, nodes: 1 })
})

test('free is what a pool owns now and no instance uses or waits for, the most of it first', () => {
  const pool = (id: string, by_sku: Record<string, ReturnType<typeof range>[]>) => ({
    id,
    allocation_schedule: { by_sku },
  })
  const used = (pool: string, sku: string) => ({ pool: { id: pool }, sku: { id: sku } })
  const pools = [
    pool('a', { s: [range(-60, 600, 2)], t: [range(60, 600, 9)] }),
    pool('b', { s: [range(-60, null, 3)] }),
  ]
  assert.deepEqual(freeNodes(pools, [used('a', 's'), used('b', 't')], now), [
    { pool: 'b', sku: 's', owned: 3, free: 3, until: undefined },
    { pool: 'a', sku: 's', owned: 2, free: 1, until: now + 600 },
  ])
  assert.deepEqual(freeNodes(pools.slice(0, 1), [used('a', 's'), used('a', 's'), used('a', 's')], now), [
    { pool: 'a', sku: 's', owned: 2, free: 0, until: now + 600 },
  ])
})

test('a node-hour costs what the kept ones of its pool cost on average', () => {
  const row = (sku: string | null, allocated_node_minutes: number, effective_cost_dollars: string) => {
    return { group: { pool: 'p', sku }, allocated_node_minutes, effective_cost_dollars }
  }
  const costs = costsPerNodeHour([row('s', 120, '36.10'), row('s', 60, '18.050000'), row('t', 0, '1.00')])
  assert.deepEqual([...costs], [['p s', '18.05']])
})
