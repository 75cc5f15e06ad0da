import assert from 'node:assert/strict'
import { test } from 'vitest'
import { compareRuns, describeComparison, describeMachines } from './compare.ts'
import type { HistoryLine } from './report.ts'

const machine = { processors: 2, memory_gib: 24, node: '24.0.0', loop_ms: 75, round_trips_ms: 15, fsync_ms: 1 }

function line(name: string, ratio: number, more: Partial<HistoryLine> = {}): HistoryLine {
  const common = { date: '2026-11-29', commit: 'abc', machine, group: 'http', goal: null, met: true }
  return { ...common, name, ours: ratio, against: 1, ratio, better: 'more', noise: 0.01, ...more }
}

test('a row moved where its change exceeds what chance makes of the rounds of both runs', () => {
  // Three errors of 0.02 and 0.02 together are 8.5 %.
  const before = [line('up', 1, { noise: 0.02 }), line('noisy', 1, { noise: 0.02 }), line('down', 1)]
  const after = [line('up', 1.09, { noise: 0.02 }), line('noisy', 1.08, { noise: 0.02 }), line('down', 0.9)]
  const { moved, same } = compareRuns(before, after)
  assert.deepEqual(
    moved.map(({ name, verdict }) => [name, verdict]),
    [
      ['down', 'worse'],
      ['up', 'better'],
    ],
  )
  assert.equal(same, 1)
})

test('less is better where the row says so, and a figure without another side is its own value', () => {
  const of = (ours: number) => line('memory', 0, { ours, against: null, ratio: null, better: 'less' })
  assert.equal(compareRuns([of(100)], [of(80)]).moved[0]?.verdict, 'better')
  assert.equal(compareRuns([of(100)], [of(120)]).moved[0]?.verdict, 'worse')
})

test('the least change that counts is larger for a figure of one reading', () => {
  const once = (ratio: number) => [line('once', ratio, { noise: null })]
  assert.equal(compareRuns(once(1), once(1.14)).same, 1)
  assert.equal(compareRuns(once(1), once(1.16)).moved.length, 1)
  const even = (ratio: number) => [line('even', ratio, { noise: 0 })]
  assert.equal(compareRuns(even(1), even(1.029)).same, 1)
  assert.equal(compareRuns(even(1), even(1.031)).moved.length, 1)
})

test('a value that was 0 moved if it is not 0 any more', () => {
  const [first] = compareRuns([line('zero', 0)], [line('zero', 1)]).moved
  assert.equal(first?.verdict, 'better')
  assert.equal(compareRuns([line('zero', 0)], [line('zero', 0)]).same, 1)
})

test('rows of one run alone are named', () => {
  const comparison = compareRuns([line('gone', 1), line('kept', 1)], [line('kept', 1.5), line('new', 1)])
  assert.deepEqual(describeComparison(comparison), [
    'better kept                              1.000 → 1.500         +50.0 %  chance 4.2 %',
    '1 rows moved, 0 did not.',
    'Only before: http gone.',
    'Only after: http new.',
  ])
})

test('the machines of both runs are shown, because figures without another side depend on them', () => {
  const slower = { ...machine, loop_ms: 150 }
  assert.equal(
    describeMachines([line('a', 1)], [line('a', 1, { machine: slower })]),
    'Machine: loop_ms 75.0 → 150.0, round_trips_ms 15.0 → 15.0, fsync_ms 1.0 → 1.0.',
  )
  assert.equal(describeMachines([], []), undefined)
})
