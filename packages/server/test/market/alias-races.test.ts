import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import type { Runtime } from '../../src/core/work/runtime.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'
import { answersBehind } from './lock-races.ts'

const server = await startTestServer()
const runtime = server.inside?.runtime as Runtime
const rename = statement<never>(null, 'update skus set alias = $2 where id = $1')
const restore = statement<never>(null, 'update skus set deleted_at = null where id = $1')

/** The answer to a request that waits for a transaction which changes a SKU. */
async function whileUncommitted(change: [typeof rename, unknown[]], send: () => ReturnType<typeof server.request>) {
  const [response] = await answersBehind(runtime, { lock: (ctx) => ctx.db.run(...change) }, () => [send()])
  return response as TestResponse
}

test('a SKU is refused the alias that another one gets at the same moment', async () => {
  const [first, second] = [await makeSku(server), await makeSku(server)]
  const renamed = await whileUncommitted([rename, [first, 'wanted']], () =>
    server.attempt('update_sku', { params: { id: second }, body: { alias: 'wanted' } }),
  )
  assert.deepEqual(refusalOf(renamed), [409, 'alias_taken', 'alias'])

  await server.call('retire_sku', { params: { id: first } })
  await server.call('update_sku', { params: { id: second }, body: { alias: 'wanted' } })
  await server.call('retire_sku', { params: { id: second } })
  const restored = await whileUncommitted([restore, [first]], () =>
    server.attempt('restore_sku', { params: { id: second } }),
  )
  assert.deepEqual(refusalOf(restored), [409, 'alias_taken', 'alias'])
})
