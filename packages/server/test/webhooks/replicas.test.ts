/**
 * Webhooks with several replicas: every event is delivered at least once, in the order of the log for each target where
 * that was asked for, although receivers fail and a replica is killed. BOURSE_WEBHOOK_EVENTS sets how many events are
 * written; 20,000 take a minute.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { app } from '../../src/app.ts'
import { pause } from '../../src/core/base/clock.ts'
import { mintId } from '../../src/core/base/ids.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { waitFor } from '../../src/core/base/wait.ts'
import { type Db, statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { appendEvents } from '../../src/core/work/event-log.ts'
import { readOwnWebhooks, saveCursors } from '../../src/webhooks/webhook-shares.store.ts'
import { startProcesses } from '../restart/trading/replicas.ts'
import { startTestServer } from '../support/server.ts'
import { type Hooks, openHooks } from './hooks.ts'
import { openReceiver, type Received } from './receivers.ts'

const eventsWanted = Number(process.env.BOURSE_WEBHOOK_EVENTS ?? 1_600)
const accounts = 8
const targetsEach = 40
const failingPercent = 8
const written = 20
const random = createSeededRandom('webhook replicas')

const readClock = statement<{ now: number }>(null, 'select bourse_now() as now')

/** Writes events about some targets of an account in one commit; returns their ids. */
async function write(db: Db, account_id: string, count: number): Promise<string[]> {
  const { now } = (await db.row(readClock)) as { now: number }
  const events = Array.from({ length: count }, () => ({
    id: mintId('evt', now * 1000, random) as `evt_${string}`,
    account_id,
    workspace_id: null,
    action: 'image.revoked',
    target_type: 'image',
    target_id: `image_${random.integer(targetsEach)}`,
  }))
  await appendEvents(db, now, { type: 'system' }, events)
  return events.map(({ id }) => id)
}

test('three replicas deliver every event, in order for each target, while one of them is killed', async (t) => {
  await using replicas = await startProcesses(3)
  await using receiver = await openReceiver()
  const delivered: Received[] = []
  receiver.reply = (message) => {
    if (random.integer(100) < failingPercent) return 500
    delivered.push(message)
    return 200
  }
  const hooks: (Hooks & { webhook: { id: string }; ordering: string; ids: string[] })[] = []
  for (let index = 0; index < accounts; index++) {
    const own = await openHooks(replicas.server(0))
    const ordering = index % 2 === 0 ? 'none' : 'per_target'
    const webhook = await own.make({ url: `${receiver.url}/${own.account.id}`, ordering, actions: ['image.*'] })
    hooks.push({ ...own, webhook, ordering, ids: [] })
  }
  const rounds = Math.ceil(eventsWanted / accounts / written)
  for (let round = 0; round < rounds; round++) {
    for (const one of hooks) one.ids.push(...(await write(replicas.database.reader, one.account.id, written)))
    if (round === Math.floor(rounds / 3)) await replicas.restart(1)
    await pause((written / 50) * 1000)
  }
  const wanted = hooks.reduce((sum, { ids }) => sum + ids.length, 0)
  const missing = () => {
    const got = new Set(delivered.map(({ id }) => id))
    return hooks.flatMap(({ ids }) => ids.filter((id) => !got.has(id)))
  }
  // The second attempt follows after five seconds; the third one, five minutes later, by the clock of the sandbox.
  await waitFor(() => missing().length === 0, { at_most_milliseconds: 15_000, every_milliseconds: 100 })
  for (let i = 0; i < 5 && missing().length > 0; i++) await replicas.server(0).advance(10_000)
  assert.deepEqual(missing(), [])
  t.diagnostic(`${wanted} events, ${receiver.received.length} requests, ${delivered.length} delivered`)
  for (const { account, ordering, ids } of hooks) {
    const own = delivered.filter(({ path }) => path === `/${account.id}`)
    assert.deepEqual(new Set(own.map(({ id }) => id)), new Set(ids), 'nothing else was delivered')
    if (ordering === 'none') continue
    const place = new Map(ids.map((id, index) => [id, index]))
    const ofTarget = Map.groupBy(own, ({ json }) => json.data.targets[0].id)
    for (const [target, messages] of ofTarget) {
      const firsts = [...new Set(messages.map(({ id }) => place.get(id) as number))]
      assert.deepEqual(
        firsts,
        firsts.toSorted((a, b) => a - b),
        `${account.id} ${target}`,
      )
    }
  }
  // A killed replica repeats what it delivered since it last saved its cursors, a second at most.
  assert.ok(delivered.length < wanted * 1.5, `${delivered.length} deliveries`)
  const audits = app.audits.filter(({ name }) => name.startsWith('webhooks.'))
  assert.equal(audits.length, 4)
  assert.deepEqual(
    (await runAudit(replicas.database, audits)).filter(({ rows }) => rows.length > 0),
    [],
  )
})

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
  await waitFor(async () => (await reader.row(readRow))?.position === 1, { at_most_milliseconds: 5_000 })
  const before = await reader.row(readRow)
  assert.ok(before)
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
