import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  cellAfter,
  type HeatRow,
  labelledColumns,
  selectedWindow,
  shadeOf,
  shades,
  valueRange,
} from './heat-map.rules.ts'

function rowOf(key: string, values: readonly (number | null)[]): HeatRow {
  const cells = values.map((value, hour) => ({ start_at: hour * 3600, end_at: hour * 3600 + 3600, value, text: '' }))
  return { key, title: key, cells }
}

test('the least value has the first shade, the greatest the last, and nothing none', () => {
  const rows = [rowOf('a', [1, null, 3]), rowOf('b', [2])]
  const range = valueRange(rows)
  assert.deepEqual(range, { low: 1, high: 3 })
  assert.deepEqual(
    [null, 1, 2, 3].map((value) => shadeOf(value, range)),
    [0, 1, 4, shades],
  )
  assert.equal(valueRange([rowOf('a', [null])]), undefined)
  assert.deepEqual(valueRange([rowOf('a', [0])]), { low: 0, high: 0 })
  assert.equal(shadeOf(5, { low: 5, high: 5 }), 3)
})

test('values that differ by cents have neighbouring shades, and a fifth has all of them', () => {
  const shadesOf = (values: readonly number[]) => {
    const range = valueRange([rowOf('a', values)])
    return values.map((value) => shadeOf(value, range))
  }
  const cents = shadesOf([18.01, 18.05, 18.09])
  assert.ok(Math.max(...cents) - Math.min(...cents) <= 1, String(cents))
  assert.deepEqual(shadesOf([18, 22]), [1, shades])
})

test('a greater value never has a lower shade', () => {
  const value = fc.double({ min: 0, max: 100, noNaN: true })
  fc.assert(
    fc.property(value, value, (a, b) => {
      const range = { low: 0, high: 100 }
      assert.ok(shadeOf(Math.min(a, b), range) <= shadeOf(Math.max(a, b), range))
    }),
  )
})

test('a selection is one window, whichever way it was dragged', () => {
  const rows = [rowOf('a', [1, 2, 3, 4])]
  const window = { key: 'a', start: 3600, end: 4 * 3600 }
  assert.deepEqual(selectedWindow(rows, { row: 0, column: 1, to: 3 }), window)
  assert.deepEqual(selectedWindow(rows, { row: 0, column: 3, to: 1 }), window)
  assert.equal(selectedWindow(rows, { row: 1, column: 0, to: 0 }), undefined)
})

test('arrows stay inside the map', () => {
  const rows = [rowOf('a', [1, 2]), rowOf('b', [1, 2])]
  const from = { row: 0, column: 1 }
  assert.deepEqual(cellAfter('ArrowRight', from, rows), from)
  assert.deepEqual(cellAfter('ArrowUp', from, rows), from)
  assert.deepEqual(cellAfter('ArrowDown', from, rows), { row: 1, column: 1 })
  assert.deepEqual(cellAfter('Home', from, rows), { row: 0, column: 0 })
  assert.deepEqual(cellAfter('End', { row: 0, column: 0 }, rows), from)
  assert.equal(cellAfter('Enter', from, rows), undefined)
})

test('the label of a day stays, also where it begins soon after the first column', () => {
  const from = new Date(2026, 10, 26, 20).getTime() / 1000
  const cells = Array.from({ length: 24 }, (_, index) => {
    const start_at = from + index * 3600
    return { start_at, end_at: start_at + 3600, value: 1, text: '' }
  })
  assert.deepEqual(
    labelledColumns(cells).map(({ column }) => column),
    [4, 10, 16, 22],
  )
})

test('the first column has a label, and no two stand on each other', () => {
  const columns = labelledColumns(rowOf('a', new Array(48).fill(1)).cells).map(({ column }) => column)
  assert.equal(columns[0], 0)
  for (const [index, column] of columns.entries()) if (index > 0) assert.ok(column - (columns[index - 1] ?? 0) >= 2)
})
