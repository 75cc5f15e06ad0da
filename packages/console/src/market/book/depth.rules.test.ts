import assert from 'node:assert/strict'
import type { OrderbookDepth } from '@bourse/sdk'
import { test } from 'vitest'
import { depthShape, ladderOf, ladderRows, roundValues } from './depth.rules.ts'

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

test('bids rise to the left, asks to the right, and both stay inside their axes', () => {
  const shape = depthShape(ladderOf(depth), 100, 50)
  assert.ok(shape)
  assert.match(shape.bids, /L0 50Z$/)
  assert.match(shape.asks, /L100 4.5L100 50Z$/)
  assert.deepEqual(
    shape.rows.map(({ value }) => value),
    [2, 4, 6].filter((value) => value < 5.5 * 1.1),
  )
  for (const { place } of [...shape.rows, ...shape.columns]) assert.ok(place > 0 && place < 100)
  assert.equal(depthShape({ asks: [], bids: [], spread: null }, 100, 50), undefined)
  const single = depthShape(ladderOf({ ...depth, bids: [], asks: depth.asks.slice(0, 1) }), 100, 50)
  assert.equal(single?.bids, '')
})

test('values of an axis are round, and not at its edges', () => {
  assert.deepEqual(roundValues(0, 6.05, 4), [2, 4, 6])
  assert.deepEqual(roundValues(17.95, 18.39, 5), [18, 18.1, 18.2, 18.3])
})

test('levels that are written alike are one row, with their nodes, their bars and what is own', () => {
  const asks = [level('18.640000', [0, 7200, 1]), level('18.644900', [0, 7200, 3]), level('18.700000', [0, 7200, 8])]
  const ladder = ladderOf({ ...depth, asks } as unknown as OrderbookDepth)
  const textOf = (price: string) => Number(price).toFixed(2)
  const own = [
    { side: 'ask' as const, price: '18.644900', nodes: 2 },
    { side: 'bid' as const, price: '18.70', nodes: 9 },
  ]
  const rows = ladderRows(ladder, { textOf, own })
  assert.deepEqual(
    rows.asks.map(({ price, text, nodes, total, part, own: mine }) => [price, text, nodes, total, part, mine]),
    [
      ['18.644900', '18.64', 4, 4, 0.5, 2],
      ['18.700000', '18.70', 8, 12, 1, 0],
    ],
  )
  assert.deepEqual([rows.bids[0]?.own, rows.bids[0]?.part], [0, 1 / 8])
})
