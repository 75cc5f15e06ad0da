import assert from 'node:assert/strict'
import { test } from 'vitest'
import { costPlot } from './usage-plot.ts'

const canvas = { width: 30, dim: String, bidColour: String, askColour: String }

test('costs are bars, the greatest as long as there is room', () => {
  const bars = [
    { label: '2026-01-01', dollars: '10.000000' },
    { label: '2026-01-02 h100', dollars: '2.500000' },
    { label: '2026-01-03', dollars: '0.000000' },
  ]
  assert.deepEqual(costPlot(bars, canvas), [
    '2026-01-01       10.00  ██████',
    '2026-01-02 h100   2.50  ██',
    '2026-01-03        0.00',
  ])
  assert.deepEqual(costPlot([], canvas), ['There was no usage.'])
})
