import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgram, summaryOf } from './program.ts'

/**
 * The size of every commit; `npm run sim -- --seeds 100` runs enough to ask for each event and each refusal too. Three
 * workers, since each waits for the database half of its time.
 */
const size = { from: 1, seeds: 16, steps: 180, twice: 10, workers: 3 }

test('16 worlds with faults keep every promise and settle; ten of them, run again, come to the same', async (t) => {
  const result = await runProgram(size)
  t.diagnostic(summaryOf(result))
  assert.deepEqual(result.failures, [])
  assert.deepEqual(result.unmet, [])
})
