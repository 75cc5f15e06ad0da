import assert from 'node:assert/strict'
import type { OrderbookDepth } from '@bourse/sdk'
import { test } from 'vitest'
import { depthLabels, depthShape, ladderOf } from './depth.rules.ts'

function level(price: string, ...steps: [number, number, number][]) {
  const allocation_schedule_delta = steps.map(([start_at, end_at, node_count]) => ({ start_at, end_at, node_count }))
  return { sku: 'sku_1' as const, price_dollars_per_node_hour: price, allocation_schedule_delta }
}

const depth = {
  start_at: 0,
  end_at: 7200,
  asks: [level('2.000000', [0, 7200, 4]), level('3.000000', [0, 3600, 3])],
  bids: [level('1.500000', [0, 7200, 1])],
} as unknown as OrderbookDepth

test('a level that has nodes for half of the window counts half', () => {
  const { asks, bids, spread } = ladderOf(depth)
  assert.deepEqual(
    asks.map(({ nodes, total }) => [nodes, total]),
    [
      [4, 4],
      [1.5, 5.5],
    ],
  )
  assert.deepEqual([bids.length, bids[0]?.side, spread], [1, 'bid', 0.5])
  const later = { ...depth, bids: [level('1.500000', [3600, 7200, 3])] } as unknown as OrderbookDepth
  assert.equal(ladderOf(later).bids[0]?.nodes, 1.5)
  assert.equal(ladderOf({ ...depth, bids: [] }).spread, null)
})

test('bids rise to the left, asks to the right, and both stay inside', () => {
  const shape = depthShape(ladderOf(depth), 100, 50)
  assert.ok(shape)
  assert.ok(shape.xOf(1.5) > 0 && shape.xOf(3) < 100)
  assert.match(shape.bids, /L0 50Z$/)
  assert.match(shape.asks, /L100 0L100 50Z$/)
  assert.equal(shape.most, 5.5)
  assert.equal(depthShape({ asks: [], bids: [], spread: null }, 100, 50), undefined)
  const single = depthShape(ladderOf({ ...depth, bids: [], asks: depth.asks.slice(0, 1) }), 100, 50)
  assert.equal(single?.bids, '')
  assert.equal(single?.xOf(2), 50)
})

test('prices on the axis do not stand on each other', () => {
  const ladder = ladderOf(depth)
  const shape = depthShape(ladder, 600, 50)
  assert.ok(shape)
  const labels = depthLabels(ladder, shape, 600)
  assert.deepEqual(
    labels.map(({ price, anchor }) => [price, anchor]),
    [
      ['2.000000', 'middle'],
      ['1.500000', 'start'],
      ['3.000000', 'end'],
    ],
  )
  assert.equal(depthLabels(ladder, { ...shape, xOf: () => 300 }, 600).length, 1)
})
