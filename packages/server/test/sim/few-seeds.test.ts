/** Few seeds of the simulation, for `npm test`. whole-system.test.ts has as many as cover the whole coverage list. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { runProgram, summaryOf } from './program.ts'

const size = { from: 101, seeds: 2, steps: 40, twice: 1, workers: 2 }

test('two seeds with faults keep every invariant and converge, and one repeats with the same hash', async ({
  annotate,
}) => {
  const result = await runProgram(size)
  await annotate(summaryOf(result))
  assert.deepEqual(result.failures, [])
})
