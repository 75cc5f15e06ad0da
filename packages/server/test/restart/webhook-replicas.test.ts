/**
 * Webhooks with several replicas: every event is delivered at least once, in the order of the log for each target where
 * that was asked for, although receivers fail and replicas are killed or frozen; streams and polls get each event once.
 * BOURSE_WEBHOOK_EVENTS sets how many events are written: 20,000 take three minutes.
 */
import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { app } from '../../src/app.ts'
import { mintId } from '../../src/core/base/ids.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { type Db, statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { appendEvents } from '../../src/core/work/event-log.ts'
import type { TestAccount } from '../support/server.ts'
import { type FollowedEvents, openFollowers } from '../webhooks/followers.ts'
import { type Hooks, openHooks } from '../webhooks/hooks.ts'
import { openReceiver, type ReceivedMessage } from '../webhooks/receivers.ts'
import { startProcesses, type TradingReplicas } from './trading/replicas.ts'

const eventsWanted = Number(process.env.BOURSE_WEBHOOK_EVENTS ?? 1_600)
const accounts = 8
const targetsEach = 40
const failingPercent = 8
const written = 20
const random = createSeededRandom('webhook replicas')

const readClock = statement<{ now: number }>(null, 'select bourse_now() as now')

const listStates = statement<{ id: string; worker_id: string; epoch: number; position: number; pending: number }>(
  null,
  `select w.id, w.worker_id, w.epoch, w.position, (
     select count(*)
     from webhook_deliveries d
     where d.webhook_id = w.id and d.state = 'pending'
   ) as pending
   from webhooks w
   where w.id = any($1)
   order by w.id`,
)
/** What the writes of a server leave: cursors and deliveries. */
const listWritten = statement<{ id: string }>(
  null,
  `select w.id, w.position, w.failures, w.last_success_at, w.last_failure_at, d.id as delivery, d.event_id, d.state,
     d.attempts
   from webhooks w
   left join webhook_deliveries d on d.webhook_id = w.id
   where w.id = any($1)
   order by w.id, d.id`,
)

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

test('replicas are killed, and each event comes once by stream and by poll, and in order by webhook', async ({
  annotate,
}) => {
  await using replicas = await startProcesses(3)
  await using receiver = await openReceiver()
  await using followers = openFollowers(replicas, 3)
  const delivered: ReceivedMessage[] = []
  receiver.reply = (message) => {
    if (random.integer(100) < failingPercent) return 500
    delivered.push(message)
    return 200
  }
  const hooks: Hooked[] = []
  for (let index = 0; index < accounts; index++) {
    const own = await openHooks(replicas.server(0))
    const ordering = index % 2 === 0 ? 'none' : 'per_target'
    await own.make({ url: `${receiver.url}/${own.account.id}`, ordering, actions: ['image.*'] })
    const filters = index % 3 === 0 ? {} : { action: 'image.revoked' }
    const seen = [true, false].map((streams) => followers.follow(own.account, { streams, filters }))
    hooks.push({ account: own.account, ordering, ids: [], seen })
  }
  const rounds = Math.ceil(eventsWanted / accounts / written)
  const kills = new Map([1, 2, 3].map((quarter) => [Math.floor((rounds * quarter) / 4), 1 + (quarter % 2)]))
  for (let round = 0; round < rounds; round++) {
    for (const one of hooks) one.ids.push(...(await write(replicas.database.reader, one.account.id, written)))
    const victim = kills.get(round)
    if (victim !== undefined) await replicas.restart(victim)
    await pause((written / 50) * 1000)
  }
  const wanted = hooks.reduce((sum, { ids }) => sum + ids.length, 0)
  const missing = () => {
    const got = new Set(delivered.map(({ id }) => id))
    return hooks.flatMap(({ ids }) => ids.filter((id) => !got.has(id)))
  }
  let before = -1
  const deliver = async () => {
    // Once nothing arrives any more, the next attempts are minutes away, by the clock of the sandbox.
    const isStill = receiver.received.length === before
    before = receiver.received.length
    if (missing().length > 0 && isStill) await replicas.server(0).advance(2_000)
    assert.deepEqual(missing().slice(0, 5), [], `${missing().length} are missing`)
    return true
  }
  await eventually('each event is delivered', deliver, { usual_seconds: 5, every_milliseconds: 500 })
  for (const { ids, seen } of hooks) {
    for (const read of seen) await read.until(ids.length)
  }
  await annotate(`${wanted} events, ${receiver.received.length} requests, ${delivered.length} delivered`)
  for (const { account, ordering, ids, seen } of hooks) {
    for (const { ids: read } of seen) assert.deepEqual(read, ids)
    const own = delivered.filter(({ path }) => path === `/${account.id}`)
    assert.deepEqual(new Set(own.map(({ id }) => id)), new Set(ids), 'nothing else was delivered')
    if (ordering === 'per_target') assertOrdered(own, ids)
  }
  assert.deepEqual(followers.gaps, [])
  // A killed replica repeats what it delivered since it last saved its cursors, a second at most.
  assert.ok(delivered.length < wanted * 1.5, `${delivered.length} deliveries`)
  await assertAudited(replicas)
})

/** An account with a webhook, the ids of the events that were written, and its readers. */
type Hooked = {
  readonly account: TestAccount
  readonly ordering: string
  readonly ids: string[]
  readonly seen: readonly FollowedEvents[]
}

/** The first deliveries of the events of a target have the order of the log. */
function assertOrdered(messages: readonly ReceivedMessage[], ids: readonly string[]): void {
  const place = new Map(ids.map((id, index) => [id, index]))
  for (const [target, own] of Map.groupBy(messages, ({ json }) => json.data.targets[0].id)) {
    const firsts = [...new Set(own.map(({ id }) => place.get(id) as number))]
    assert.deepEqual(
      firsts,
      firsts.toSorted((a, b) => a - b),
      target,
    )
  }
}

async function assertAudited({ database }: TradingReplicas): Promise<void> {
  const audits = app.audits.filter(({ name }) => name.startsWith('webhooks.'))
  assert.equal(audits.length, 4)
  assert.deepEqual(
    (await runAudit(database, audits)).filter(({ rows }) => rows.length > 0),
    [],
  )
}

/** Asks which replicas own some webhooks, and how far these are. */
function questionsAbout(reader: Db, ids: readonly string[]) {
  const states = () => reader.rows(listStates, [ids])
  const owners = async () => Map.groupBy(await states(), ({ worker_id }) => worker_id ?? '')
  // A replica takes what another one had once its lease has ended.
  const patience = { usual_seconds: 5 }
  const areOwnedBy = (count: number) =>
    eventually(
      `${count} replicas own all webhooks`,
      async () => {
        const found = await owners()
        assert.ok(found.size === count && !found.has(''), JSON.stringify(await states()))
        return true
      },
      patience,
    )
  const areAt = (wanted: number) =>
    eventually(
      `all webhooks are at position ${wanted}, with no delivery pending`,
      async () => {
        const shown = await states()
        assert.ok(
          shown.every(({ position, pending }) => position === wanted && pending === 0),
          JSON.stringify(shown),
        )
        return true
      },
      patience,
    )
  return { states, areOwnedBy, areAt }
}

test('a replica that freezes within its deliveries changes nothing when it wakes', async () => {
  await using replicas = await startProcesses(2)
  await using receiver = await openReceiver()
  const frozen = 1
  // So many that each replica has some.
  const accounts = [await openHooks(replicas.server(0)), await openHooks(replicas.server(0))]
  const made: { id: string; account: number }[] = []
  for (let index = 0; index < 16; index++) {
    const body = { url: `${receiver.url}/${index}`, actions: ['image.*'], ordering: 'per_target' } as const
    const { id } = await (accounts[index % 2] as Hooks).make(body)
    made.push({ id, account: index % 2 })
  }
  const { reader } = replicas.database
  const ids: [string[], string[]] = [[], []]
  const writeAll = async (count: number) => {
    for (const [index, { account }] of accounts.entries()) ids[index]?.push(...(await write(reader, account.id, count)))
  }
  const { states, areOwnedBy, areAt } = questionsAbout(
    reader,
    made.map(({ id }) => id),
  )
  await areOwnedBy(2)
  const before = new Map((await states()).map((state) => [state.id, state]))
  await writeAll(10)
  const arrived = (path: string) => receiver.received.filter((message) => message.path === path)
  await receiver.until(made.length * 10)
  await areAt(10)
  // The next attempts of both replicas hang, so that one freezes in the middle of them.
  const open: (() => void)[] = []
  receiver.reply = () => (response) => void open.push(() => response.writeHead(500).end())
  await writeAll(10)
  const isHung = () => new Set(receiver.received.slice(made.length * 10).map(({ path }) => path)).size === made.length
  await eventually('each webhook has an attempt that hangs', isHung)
  replicas.stop(frozen)
  receiver.reply = () => 200
  for (const fail of open) fail()
  // The other one takes over when the lease has ended, and delivers everything.
  await areOwnedBy(1)
  await areAt(20)
  const taken = (await states()).filter(({ id, epoch }) => epoch > (before.get(id)?.epoch ?? 0))
  assert.ok(taken.length > 0)
  const after = await reader.rows(listWritten, [taken.map(({ id }) => id)])
  replicas.thaw(frozen)
  // Once it has its lease again it has given up what it had, and takes back what is its own with a new epoch.
  await areOwnedBy(2)
  assert.deepEqual(await reader.rows(listWritten, [taken.map(({ id }) => id)]), after)
  for (const [index, { id, account }] of made.entries()) {
    const got = arrived(`/${index}`).map((message) => message.id)
    assert.deepEqual(new Set(got), new Set(ids[account]), id)
  }
  const count = receiver.received.length + made.length * 5
  await writeAll(5)
  await receiver.until(count)
  await areAt(25)
  assert.equal(receiver.received.length, count)
  await assertAudited(replicas)
})
