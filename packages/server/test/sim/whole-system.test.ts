import assert from 'node:assert/strict'
import { test } from 'vitest'
import { runProgram, summaryOf } from './program.ts'

/**
 * The size of the usual run: as many seeds as cover the whole coverage list. Three workers, because each one waits for
 * the database half of its time.
 */
const size = { from: 1, seeds: 16, steps: 130, twice: 6, workers: 3 }

test('16 seeds with faults keep every invariant and converge, and six of them repeat with the same hash', async ({
  annotate,
}) => {
  const result = await runProgram(size)
  await annotate(summaryOf(result))
  assert.deepEqual(result.failures, [])
  assert.deepEqual(result.unmet, [])
})
