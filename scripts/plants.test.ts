import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plants } from './plants/all.ts'
import { judgePlant, tryPlant } from './plants/try-plant.ts'

const tried = plants.filter(({ in_commit }) => in_commit)

test('every planted bug can still be planted, and no two are the same', () => {
  const flaws = plants.flatMap((plant) => judgePlant(plant) ?? [])
  assert.deepEqual(flaws, [])
  assert.equal(new Set(plants.map(({ wrong }) => wrong)).size, plants.length)
  assert.ok(plants.length >= 80, `${plants.length} planted bugs`)
})

describe('a planted bug is found', { concurrency: 2 }, () => {
  for (const plant of tried) {
    test(plant.wrong, async () => assert.equal(await tryPlant(plant), undefined))
  }
})

test('a planted bug that no test finds, that another one finds, or that does not apply any more is told', async () => {
  const plant = tried.at(-1)
  assert.ok(plant)
  assert.match((await tryPlant({ ...plant, replacement: plant.text })) ?? '', /passes with it/)
  assert.match((await tryPlant({ ...plant, caught_by: 'something else' })) ?? '', /not by "something else"/)
  assert.match(judgePlant({ ...plant, text: 'no longer there' }) ?? '', /occurs 0 times/)
  assert.match(judgePlant({ ...plant, file: 'no/such/file.ts' }) ?? '', /there is no no\/such/)
})
