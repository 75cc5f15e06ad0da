import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  changeOf,
  closingSeconds,
  isClosed,
  linesOf,
  monthAt,
  monthOf,
  monthsBetween,
  openMonthAt,
  type StatementSums,
  totalOf,
} from './statements.rules.ts'

const second = (text: string) => Date.parse(text) / 1000
const december = { start: second('2026-12-01T00:00:00Z'), end: second('2027-01-01T00:00:00Z') }
const march = { start: second('2027-03-01T00:00:00Z'), end: second('2027-04-01T00:00:00Z') }

function sumsOf(changes: Partial<StatementSums>): StatementSums {
  return { sku_id: null, workspace_id: null, purchases: 0n, sales: 0n, fees: 0n, credits: 0n, ...changes }
}

test('a month is that of its name, and of each of its seconds', () => {
  assert.deepEqual(monthOf('2026-12'), december)
  assert.deepEqual(monthOf('2027-03'), march)
  for (const time of [december.start, december.end - 1]) assert.deepEqual(monthAt(time), december)
  assert.equal(monthAt(december.end).start, december.end)
})

test('a month closes 48 hours after its end', () => {
  const closing = second('2027-01-03T00:00:00Z')
  assert.equal(closing, december.end + closingSeconds)
  assert.deepEqual([isClosed(december, closing - 1), isClosed(december, closing)], [false, true])
  assert.deepEqual([openMonthAt(closing - 1), openMonthAt(closing)], [december.start, december.end])
})

test('months are counted over the end of a year', () => {
  assert.deepEqual([monthsBetween(december, march), monthsBetween(march, december)], [3, -3])
  assert.equal(monthsBetween(december, { start: second('2028-11-01T00:00:00Z'), end: 0 }), 23)
})

test('lines are added up by SKU and workspace, postings are last, and lines without money are left out', () => {
  const first = { sku_id: 'sku_a', workspace_id: 'wksp_1' }
  const lines = linesOf([
    sumsOf({ credits: 5n }),
    sumsOf({ ...first, workspace_id: 'wksp_2', fees: 1n }),
    sumsOf({ ...first, purchases: 1n, sales: 20n, fees: 300n, credits: 4_000n }),
    sumsOf({ ...first, sku_id: 'sku_b' }),
    sumsOf({ ...first, purchases: 2n, sales: 30n, fees: 400n, credits: 5_000n }),
    sumsOf({ ...first, sku_id: 'sku_c', sales: -1n }),
    sumsOf({ workspace_id: 'wksp_1', purchases: 7n }),
  ])
  assert.deepEqual(lines, [
    sumsOf({ ...first, purchases: 3n, sales: 50n, fees: 700n, credits: 9_000n }),
    sumsOf({ ...first, workspace_id: 'wksp_2', fees: 1n }),
    sumsOf({ ...first, sku_id: 'sku_c', sales: -1n }),
    sumsOf({ workspace_id: 'wksp_1', purchases: 7n }),
    sumsOf({ credits: 5n }),
  ])
  assert.deepEqual(totalOf(lines), sumsOf({ purchases: 10n, sales: 49n, fees: 701n, credits: 9_005n }))
  assert.deepEqual(totalOf([]), sumsOf({}))
  assert.equal(changeOf(totalOf(lines)), 49n + 9_005n - 10n - 701n)
})
