/** Requested deliveries of a webhook whose receiver does not take any. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import type { Server } from '../../src/server.ts'
import { deleteStaleDeliveries, listStaleWebhooks } from '../../src/webhooks/webhook-purge.store.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { openHooks } from './hooks.ts'

const server = await startTestServer()
const { database } = (server.inside as Server).runtime
const url = 'http://127.0.0.1:9/'

test('beyond 1,100 pending deliveries, tests and repeated deliveries are refused', async () => {
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url, enabled: false })
  // Without a time of the next attempt, so that none is attempted.
  const insert = (first: number, last: number) =>
    database.reader.run(
      statement(
        null,
        `insert into webhook_deliveries (id, webhook_id, origin, state, created_at)
         select 'wdlv_' || lpad(n::text, 21, '0'), $1, 'test', 'pending', bourse_now()
         from generate_series($2::integer, $3::integer) n`,
      ),
      [id, first, last],
    )
  await insert(1, 1_099)
  const [{ id: known }] = await hooks.deliveries(id, { count: 1 })
  const again = { params: { id, delivery: known } }
  assert.equal((await hooks.attempt('redeliver_webhook_delivery', again)).status, 201)
  await insert(1_100, 1_101)
  for (const name of ['redeliver_webhook_delivery', 'test_webhook'] as const) {
    assert.deepEqual(refusalOf(await hooks.attempt(name, again)).slice(0, 2), [422, 'limit_exceeded'], name)
  }
})

test('more than 10,000 deliveries of a webhook are found in one of 16 turns, and the oldest deleted', async () => {
  const hooks = await openHooks(server)
  const [full, other] = [await hooks.make({ url, enabled: false }), await hooks.make({ url, enabled: false })]
  const fill = statement<never>(
    null,
    `insert into webhook_deliveries (id, webhook_id, origin, state, created_at)
     select 'wdlv_full_' || n, $1, 'test', 'failed', bourse_now() - 100 + n / 1000
     from generate_series(1, $2::integer) n`,
  )
  await database.reader.run(fill, [full.id, 10_003])
  const kept = { before: 0, kept: 10_000 }
  const found: string[] = []
  for (let turn = 5; turn < 21; turn++) found.push(...(await listStaleWebhooks(database.reader, { ...kept, turn })))
  assert.deepEqual(
    found.filter((id) => id === full.id || id === other.id),
    [full.id],
  )
  const purged = await deleteStaleDeliveries(database.reader, full.id, { ...kept, limit: 1_000 })
  assert.deepEqual(purged, { deleted: 3, had_pending: false })
})
