import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { type FailoverTally, failOver, restoreOlder } from './failover/run.ts'
import { makeSetting } from './failover/setting.ts'

const only = process.env.BOURSE_TEST_SEED
const seeds = only === undefined ? Array.from({ length: 20 }, (_, seed) => seed) : [Number(only)]
const setting = await makeSetting()
afterAll(() => setting.template[Symbol.asyncDispose]())

test('after failovers that lose commits nothing that was remembered contradicts the database', async () => {
  const sum: FailoverTally = { lost: 0, gone: 0, forgotten: 0, resumed: 0, refused: 0 }
  for (const seed of seeds) {
    // Every fourth standby is synchronous, so its promotion loses nothing.
    const tally = await failOver(setting, { seed, synchronous: seed % 4 === 3 }).catch((error) => {
      throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
    })
    for (const name of Object.keys(sum) as (keyof FailoverTally)[]) sum[name] += tally[name]
  }
  console.log(`${seeds.length} failovers: ${JSON.stringify(sum)}`)
  if (only !== undefined) return
  for (const name of ['lost', 'gone', 'forgotten', 'resumed'] as const) assert.ok(sum[name] > 0, `none was ${name}`)
})

test('the copy of an older data directory under running servers is a new history', async () => {
  const { lost, gone } = await restoreOlder(setting, 100)
  assert.ok(lost > 0, 'nothing was lost')
  assert.ok(gone > 0, 'no cursor of a lost event was refused')
})
