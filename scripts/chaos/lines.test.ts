import assert from 'node:assert/strict'
import { test } from 'vitest'
import { boundLines, groupLines } from './lines.ts'

test('lines that differ only in ids and numbers are one with their count', () => {
  const lost = (account: number, id: string) => `lost: POST test-2-${account} /v2/orders/ordr_${id}`
  const lines = [lost(1, 'P7alGlqSN6dObjDmGtKFz'), '3 calls never had an answer', lost(12, 'P7alGtKFz-qSN_dObjDmG')]
  assert.deepEqual(groupLines(lines, 10), [`2 × ${lines[0]}`, lines[1]])
  assert.deepEqual(groupLines([], 10), [])
})

test('of more kinds than are shown, the last line says how many lines of how many kinds are left', () => {
  const kinds = ['a', 'b', 'b', 'c', 'c', 'c']
  assert.deepEqual(groupLines(kinds, 3), ['a', '2 × b', '3 × c'])
  assert.deepEqual(groupLines(kinds, 2), ['a', 'and 5 more lines of 2 kinds'])
})

test('lines of a report are bounded in number and length, and the rest is counted', () => {
  const bounded = boundLines(['x'.repeat(5_000), 'y', 'z'], 2)
  assert.deepEqual([bounded.lines.map(({ length }) => length), bounded.left_out], [[1_000, 1], 1])
  assert.deepEqual(boundLines(['y'], 2), { lines: ['y'], left_out: 0 })
})
