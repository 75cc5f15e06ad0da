import assert from 'node:assert/strict'
import type { Usage } from '@bourse/sdk'
import { test } from 'vitest'
import { budgetShares, sumOf, totalsAt, usageSeries } from './sums.rules.ts'

test('sums are exact where floating point is not', () => {
  assert.equal(sumOf(['0.100000', '0.200000', '-0.300001']), '-0.000001')
  assert.equal(sumOf([]), '0.000000')
})

const row = (period_start: number, sku: string | null, cost: string): Usage => ({
  object: 'usage',
  period_start,
  period_end: period_start + 3600,
  group: { sku },
  allocated_node_minutes: 120,
  used_node_minutes: 60,
  bought_dollars: '0.000000',
  sold_dollars: '0.000000',
  effective_cost_dollars: cost,
})

test('usage becomes a line for each group, the largest first, with zeros where a period has no row', () => {
  const rows = [row(0, 'a', '1.0'), row(3600, 'b', '5.0')]
  assert.deepEqual(usageSeries(rows, 'effective_cost_dollars', [0, 3600, 7200]), [
    { name: 'b', values: [0, 5, 0] },
    { name: 'a', values: [1, 0, 0] },
  ])
  assert.deepEqual(usageSeries([row(0, null, '1.0')], 'used_node_minutes', [0]), [{ name: 'without', values: [1] }])
})

test('many small groups become one line', () => {
  const rows = Array.from({ length: 9 }, (_, index) => row(0, `sku-${index}`, `${9 - index}.0`))
  const series = usageSeries(rows, 'effective_cost_dollars', [0])
  assert.equal(series.length, 7)
  assert.deepEqual(series.at(-1), { name: '3 others', values: [3 + 2 + 1] })
})

test('a budget has shares of what is spent and of what is held besides', () => {
  const sums = { amount_dollars: '200.00', spent_dollars: '50.000000', held_dollars: '25.000000' }
  assert.deepEqual(budgetShares(sums), { spent: 25, reserved: 37 })
})

test('the total at a moment is that after the last movement, and before the first one what it began with', () => {
  const movement = (created_at: number, amount_dollars: string, balance_after_dollars: string) => ({
    created_at,
    amount_dollars,
    balance_after_dollars,
  })
  const movements = [movement(30, '-2.000000', '8.000000'), movement(20, '5.000000', '10.000000')]
  assert.deepEqual(totalsAt(movements, '8.000000', [10, 20, 29, 30, 40]), [5, 10, 10, 8, 8])
  assert.deepEqual(totalsAt([], '7.000000', [10]), [7])
})
