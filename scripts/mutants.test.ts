import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { mutants } from './mutants/all.ts'
import { judgeMutant, tryMutant } from './mutants/trial/try-mutant.ts'

const tried = mutants.filter(({ in_commit }) => in_commit)

describe('a mutant is found', { concurrent: true }, () => {
  for (const mutant of tried) {
    test(mutant.wrong, async () => assert.equal(await tryMutant(mutant), undefined))
  }
})

test('a mutant is reported if no test finds it, if another test finds it, or if it does not apply', async () => {
  const mutant = tried.at(-1)
  assert.ok(mutant)
  assert.match((await tryMutant({ ...mutant, replacement: mutant.text })) ?? '', /passes with it/)
  assert.match((await tryMutant({ ...mutant, caught_by: 'something else' })) ?? '', /not by "something else"/)
  assert.match(judgeMutant({ ...mutant, text: 'no longer there' }) ?? '', /occurs 0 times/)
  assert.match(judgeMutant({ ...mutant, file: 'no/such/file.ts' }) ?? '', /there is no no\/such/)
})
