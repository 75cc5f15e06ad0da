import assert from 'node:assert/strict'
import { test } from 'vitest'
import { mutants } from './all.ts'
import { judgeMutant } from './trial/try-mutant.ts'

test('every mutant applies to the source, and no two are equal', () => {
  const problems = mutants.flatMap((mutant) => judgeMutant(mutant) ?? [])
  assert.deepEqual(problems, [])
  assert.equal(new Set(mutants.map(({ wrong }) => wrong)).size, mutants.length)
  assert.ok(mutants.length <= 140, `${mutants.length} mutants by hand; StrykerJS should make the others`)
})
