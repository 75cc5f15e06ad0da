/** A short run of the simulation, for `npm test`. whole-system.test.ts has as many seeds as cover its whole list. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { runProgram, summaryOf } from './program.ts'

const size = { from: 101, seeds: 1, steps: 40, twice: 1, workers: 2 }

test('a seed with faults keeps every invariant and converges, and repeats with the same hash', async ({ annotate }) => {
  const result = await runProgram(size)
  await annotate(summaryOf(result))
  assert.deepEqual(result.failures, [])
})
