/** One failover that loses commits, in every `npm test`. failovers.test.ts has twenty, and a restore. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { failOver } from './failover/run.ts'
import { makeSetting } from './failover/setting.ts'

const setting = await makeSetting()
afterAll(() => setting.template[Symbol.asyncDispose]())

test('after a failover that loses commits nothing that was remembered contradicts the database', async () => {
  const { lost } = await failOver(setting, { seed: 0, synchronous: false })
  assert.ok(lost > 0, 'no event was lost')
})
