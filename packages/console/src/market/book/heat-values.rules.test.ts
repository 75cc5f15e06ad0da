import assert from 'node:assert/strict'
import type { OrderbookHeatmapRow } from '@bourse/sdk'
import { test } from 'vitest'
import { flatCells, heatRows } from './heat-values.rules.ts'

const cell = {
  start_at: 0,
  end_at: 3600,
  best_ask_dollars_per_node_hour: '2.500000',
  offered_node_count: 1,
  last_price_dollars_per_node_hour: '2.000000',
}
const nothing = { ...cell, best_ask_dollars_per_node_hour: null, offered_node_count: 0 }
const rows: OrderbookHeatmapRow[] = [{ sku: { object: 'sku', id: 'sku_1', alias: '' }, cells: [cell, nothing] }]

test('colours mean one value, and each cell says all', () => {
  const [asks, nodes, lasts] = (['ask', 'nodes', 'last'] as const).map((view) => heatRows(rows, view)[0]?.cells)
  assert.deepEqual(
    [asks, nodes, lasts].map((cells) => cells?.map(({ value }) => value)),
    [
      [2.5, null],
      [1, null],
      [2, 2],
    ],
  )
  assert.deepEqual(
    asks?.map(({ text }) => text),
    ['$2.50, 1 node, last $2.00', 'nothing offered, last $2.00'],
  )
  assert.deepEqual([heatRows(rows, 'ask')[0]?.title, flatCells(rows)[1]?.sku], ['sku_1', 'sku_1'])
})
