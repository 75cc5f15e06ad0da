import assert from 'node:assert/strict'
import { test } from 'vitest'
import { orderChoices } from './palette-order.rules.ts'

/** Thursday, 2026-10-22 12:00:25 UTC. */
const now = 1_792_670_425
const skus = [
  { id: 'sku_1', name: 'h100-west', accelerators: 8 },
  { id: 'sku_2', name: 'h100-north', accelerators: 8 },
  { id: 'sku_3', name: 'cpu-turin', accelerators: 0 },
]

function read(text: string) {
  const { choices, problem } = orderChoices(text, { now, skus })
  return {
    titles: choices.map(({ title }) => title.replace(/, Oct \d+(, 2026)?, [\d:]+ – Oct \d+(, 2026)?, [\d:]+/, '')),
    searches: choices.map(({ search }) => search),
    problem,
  }
}

test('a count with the beginning of a SKU is an order, and a price is one of a GPU or of a node', () => {
  const { titles, searches } = read('8 h100-w now for 6h under $2.20')
  assert.deepEqual(titles, [
    'Buy 8 nodes of h100-west, at most $2.20 a GPU-hour ($17.60 a node)',
    'Buy 8 nodes of h100-west, at most $2.20 a node-hour',
  ])
  const [first] = searches
  assert.deepEqual([first?.sku, first?.nodes, first?.limit, first?.side], ['sku_1', '8', '17.600000', 'buy'])
  // Now is whichever minute runs when the ticket is opened.
  assert.deepEqual([first?.start, first?.end], [undefined, '+21600'])
  const later = read('8 h100-w tomorrow 9am for 6h').searches[0]
  assert.equal(Number(later?.end) - Number(later?.start), 6 * 3600)
  assert.deepEqual(read('8 h100-west now for 6h at $2.20/GPU-h').titles, [titles[0]])
  assert.deepEqual(read('sell 2 nodes of cpu-turin now for 1h at $0.40').titles, [
    'Sell 2 nodes of cpu-turin, at least $0.40 a node-hour',
  ])
})

test('a beginning that several SKUs have offers each', () => {
  assert.deepEqual(read('1 h100 now for 1h').titles, ['Buy 1 node of h100-west', 'Buy 1 node of h100-north'])
  assert.deepEqual(read('2 nodes now for 1h').titles, ['Buy 2 nodes'])
})

test('what begins like an order and is none says why; other texts are no orders', () => {
  assert.match(read('8 nodes 9am for 6h').problem ?? '', /which day/)
  for (const text of ['', 'billing', 'stop lab', 'h100'])
    assert.deepEqual(read(text), { titles: [], searches: [], problem: undefined })
})
