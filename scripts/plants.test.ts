import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quickPlants } from './plants/plants.ts'
import { tryPlant } from './plants/try-plant.ts'

describe('a planted bug is found', { concurrency: 2 }, () => {
  for (const plant of quickPlants) {
    test(plant.wrong, async () => assert.equal(await tryPlant(plant), undefined))
  }
})

test('a planted bug that no test finds, that another one finds, or that does not apply any more is told', async () => {
  const [plant] = quickPlants
  assert.ok(plant)
  assert.match((await tryPlant({ ...plant, replacement: plant.text })) ?? '', /passes with it/)
  assert.match((await tryPlant({ ...plant, caught_by: 'something else' })) ?? '', /not by "something else"/)
  assert.match((await tryPlant({ ...plant, text: 'no longer there' })) ?? '', /occurs 0 times/)
})
