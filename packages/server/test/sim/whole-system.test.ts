import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgram, summaryOf } from './program.ts'

/** The size of every commit. `npm run sim` runs more, and asks that a seed comes to the same when it is run again. */
const size = { from: 1, seeds: 12, steps: 180, twice: 0 }

test('12 worlds with faults keep every promise and settle', async (t) => {
  const result = await runProgram(size)
  t.diagnostic(summaryOf(result))
  assert.deepEqual(result.failures, [])
  assert.deepEqual(result.unmet, [])
})
