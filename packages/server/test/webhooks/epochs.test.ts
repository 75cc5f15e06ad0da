/** The epochs of webhooks: who takes one raises it, and nothing is written under an earlier one. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { statement } from '../../src/core/db/db.ts'
import { openEgress } from '../../src/core/egress/egress.ts'
import type { Server } from '../../src/server.ts'
import { readOwnWebhooks, saveCursors } from '../../src/webhooks/webhook-shares.store.ts'
import { startWebhookWorker } from '../../src/webhooks/webhook-worker.service.ts'
import { startTestServer } from '../support/server.ts'
import { openHooks } from './hooks.ts'
import { openReceiver } from './receivers.ts'

test('writes of an earlier epoch are refused, and its server gives the webhook up', async () => {
  await using receiver = await openReceiver()
  const server = await startTestServer()
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  await hooks.emit()
  await receiver.until(1)
  const { reader } = (server.inside as NonNullable<typeof server.inside>).runtime.database
  const readRow = statement<{ worker_id: string; epoch: number; revision: number; position: number }>(
    null,
    `select worker_id, epoch, revision, position from webhooks where id = '${id}'`,
  )
  const before = await eventually('the delivery of the first event is recorded', async () => {
    const row = await reader.row(readRow)
    assert.equal(row?.position, 1)
    return row
  })
  const stale = { ...before, id, position: 9, position_at: 9, has_succeeded: true }
  const nothing = { replay_position: null, replay_position_at: null }
  const saved = await saveCursors(reader, before.worker_id, [{ ...stale, ...nothing, epoch: before.epoch - 1 }])
  assert.equal(saved.size, 0)
  assert.equal((await saveCursors(reader, 'another', [{ ...stale, ...nothing }])).size, 0)
  assert.equal((await reader.row(readRow))?.position, 1)
  assert.equal((await readOwnWebhooks(reader, before.worker_id, [id])).length, 1)
  // As if another server had taken the webhook while this one was paused: its lease does not count any more.
  receiver.reply = () => 500
  const steal = statement<never>(null, `update webhooks set worker_id = 'paused', epoch = epoch + 1 where id = '${id}'`)
  await reader.run(steal)
  await hooks.emit()
  await hooks.deliveries(id, { count: 1, attempts: 1 })
  const later = await reader.row(readRow)
  assert.equal(later?.worker_id, before.worker_id)
  assert.equal(later?.epoch, before.epoch + 2)
  assert.equal((await hooks.deliveries(id, { count: 1 })).length, 1)
})

test('a worker that starts again saves its cursors, though another server had the webhook in between', async () => {
  await using receiver = await openReceiver()
  const server = await startTestServer({ runs_reconcilers: false })
  const { runtime } = server.inside as Server
  const hooks = await openHooks(server)
  const { id } = await hooks.make({ url: receiver.url })
  const deliverOne = async (count: number) => {
    await hooks.emit()
    const options = { egress: openEgress({ is_public_only: false }), fault: () => undefined }
    const stop = startWebhookWorker(runtime, options)
    await receiver.until(count)
    await stop()
  }
  await deliverOne(1)
  const take = statement<never>(null, `update webhooks set epoch = epoch + 1 where id = '${id}'`)
  await runtime.database.reader.run(take)
  await deliverOne(2)
  const readPosition = statement<{ position: number }>(null, `select position from webhooks where id = '${id}'`)
  assert.deepEqual(await runtime.database.reader.row(readPosition), { position: 2 })
})
