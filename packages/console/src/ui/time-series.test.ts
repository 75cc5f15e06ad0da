import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  isFromZero,
  isSparse,
  isWhole,
  labelSpace,
  rangeOfBars,
  type Series,
  shownValue,
  stacked,
  wholeSteps,
} from './time-series.ts'

test('an axis of nodes has whole steps, one of prices has any', () => {
  assert.equal(isWhole([{ values: [1, null, 2] }, { values: [] }]), true)
  assert.equal(isWhole([{ values: [1] }, { values: [0.5] }]), false)
  assert.deepEqual(wholeSteps.slice(0, 4), [1, 2, 5, 10])
})

test('a low chart has its labels closer together', () => {
  assert.deepEqual([90, 180, 220].map(labelSpace), [15, 30, 30])
})

test('bars and numbers of things begin at zero, prices do not', () => {
  assert.equal(isFromZero([{ kind: 'bars', values: [0.5, null] }]), true)
  assert.equal(isFromZero([{ kind: 'steps', values: [8, 11] }]), true)
  assert.equal(isFromZero([{ kind: 'line', values: [2.25] }]), false)
})

test('values with gaps between most of them are drawn as points, also a single one', () => {
  assert.equal(isSparse([null, 2, null, null]), true)
  assert.equal(isSparse([1, 2, null, 3]), false)
  assert.equal(isSparse([null, null]), false)
})

test('a legend shows the value that is pointed at, or else the last one', () => {
  const series = { name: 'Average', values: [1, 2, null] }
  assert.deepEqual(
    [undefined, 0, 2].map((index) => shownValue(series, index)),
    [2, 1, null],
  )
})

test('bars of several series stand on each other, and the lowest is drawn last', () => {
  const bars = (name: string, values: (number | null)[]): Series => ({ name, kind: 'bars', values })
  const drawn = stacked([bars('a', [1, null]), bars('b', [2, 3])])
  assert.deepEqual(drawn, [bars('b', [3, 3]), bars('a', [1, 0])])
  const mixed: Series[] = [bars('a', [1]), { name: 'line', values: [2] }]
  assert.equal(stacked(mixed), mixed)
  const one = [bars('a', [1, null])]
  assert.equal(stacked(one), one)
})

test('the first and the last bar are drawn whole', () => {
  const bars = [{ kind: 'bars' as const }]
  assert.deepEqual(rangeOfBars([100, 200, 300], bars), [50, 350])
  assert.deepEqual(rangeOfBars([100, 200, 250], bars), [75, 275])
  assert.equal(rangeOfBars([100], bars), undefined)
  assert.equal(rangeOfBars([], bars), undefined)
  assert.equal(rangeOfBars([100, 200], [{ kind: 'steps' }]), undefined)
})
