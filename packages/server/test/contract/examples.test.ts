import assert from 'node:assert/strict'
import { test } from 'vitest'
import { recordExamples } from '../../../../scripts/gen/examples/record.ts'

test('two recordings of the examples of the reference are equal', async () => {
  assert.deepEqual(await recordExamples(), await recordExamples())
})
