import assert from 'node:assert/strict'
import { beforeEach, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { lockHosts } from '../../src/fleet/hosts/hosts.service.ts'
import { hostId, instanceId } from '../support/big-fleet.ts'
import type { TestResponse } from '../support/server.ts'
import { startReportingHosts } from './reporting-hosts.ts'

const hosts = 15
const rounds = 5
/** Reports under way when their epoch or generation ended: four per round of each host. */
const pauses = 4 * hosts * rounds
const paused = { 'x-request-id': 'paused' }
const gate = { isClosed: false, held: 0, open: () => {}, opened: Promise.resolve() }
const commits: string[] = []
let breaks: string | undefined

const fleet = await startReportingHosts({ hosts, slots: rounds }, { failpoint })
const { inside, all, say, rows, asOwner, enrolAgain } = fleet

async function failpoint(name: string, requestId: string): Promise<void> {
  if (name === 'after_commit') commits.push(requestId)
  if (name === 'after_work' && requestId === breaks) throw new Error('One of them met a bug.')
  // Reports wait here: they are parsed and checked as far as possible without a lock, and nothing is written yet.
  if (!gate.isClosed || name !== 'before_claim' || !['paused', 'batch'].includes(requestId)) return
  gate.held += 1
  await gate.opened
}

function closeGate(): void {
  gate.opened = new Promise((resolve) => {
    gate.open = resolve
  })
  gate.isClosed = true
}

/** Sends reports, and waits until at least one of them is paused. */
async function untilLocked(send: () => Promise<TestResponse[]>): Promise<{ responses: Promise<TestResponse[]> }> {
  const { held: locked } = gate
  const responses = send()
  await eventually('a report is paused', () => gate.held > locked)
  return { responses }
}

/** The last heartbeat of all hosts before a test. */
let before = 0
const listSeen = () => rows<{ id: string }>('select id from hosts where last_seen_at > $1 order by id', [before])

function reportOf(number: number, entry: object = {}, more: object = {}) {
  const instances = [{ id: instanceId(number), generation: 1, state: 'running', ...entry }]
  return { epoch: 1, generation: 5, health: 'healthy', instances, ...more }
}

/** Sets the last heartbeat of all hosts to a while ago, within the silence limit. */
beforeEach(async () => {
  const [found] = await rows<{ at: number }>('select floor(bourse_real_now())::bigint - 70 as at')
  before = Number(found?.at)
  await asOwner(
    `update hosts set last_seen_at = ${before}, generation = 5, health = 'healthy', health_message = null,
       reported_generation = 0`,
  )
  commits.length = 0
  breaks = undefined
})

test('concurrent unchanged reports share transactions, and only record a heartbeat', async () => {
  const machines = await rows('select * from machines order by instance_id')
  const responses = await all((number) => say(number, reportOf(number)))
  for (const { status, body } of responses) assert.deepEqual([status, body], [200, { desired_generation: 5 }])
  assert.equal((await listSeen()).length, hosts)
  assert.deepEqual(await rows('select distinct reported_generation, health from hosts'), [
    { reported_generation: 5, health: 'healthy' },
  ])
  assert.deepEqual(await rows('select * from machines order by instance_id'), machines)
  assert.ok(commits.length < hosts, `${hosts} reports took ${commits.length} transactions`)
})

test('changes among unchanged reports are applied as usual', async () => {
  const responses = await all((number) => {
    return say(
      number,
      number % 3 === 0 ? reportOf(number, {}, { health: 'faulted', message: 'hot' }) : reportOf(number),
    )
  })
  for (const { status, text } of responses) assert.equal(status, 200, text)
  assert.equal((await listSeen()).length, hosts)
  const faulted = await rows<{ id: string }>("select id from hosts where health = 'faulted' and health_message = 'hot'")
  assert.equal(faulted.length, hosts / 3)
})

test('a locked host delays only its own report', async () => {
  const locked = hostId(3)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding = new Promise<{ done: Promise<void> }>((resolve) => {
    const done = systemCommand(inside.runtime, async (ctx) => {
      await lockHosts(ctx, [locked as never])
      resolve({ done })
      await released
    })
  })
  const { done } = await holding
  const waiting = say(3, reportOf(3))
  const others = await all(async (number) => (number === 3 ? undefined : say(number, reportOf(number))))
  for (const response of others) assert.ok(response === undefined || response.status === 200, response?.text)
  assert.ok((await listSeen()).every(({ id }) => id !== locked))
  release()
  await done
  assert.equal((await waiting).status, 200)
  assert.ok((await listSeen()).some(({ id }) => id === locked))
})

test('if one report of a transaction fails by a bug, the others are still accepted', async () => {
  breaks = 'batch'
  const responses = await all((number) => say(number, reportOf(number, {}, { health: 'faulted', message: 'cold' })))
  for (const { status, text } of responses) assert.equal(status, 200, text)
  const found = await rows<{ count: number }>("select count(*) from hosts where health_message = 'cold'")
  assert.equal(Number(found[0]?.count), hosts)
})

test('an unchanged report after a silence ends the silence of the machines', async () => {
  await asOwner("update hosts set health = 'unreachable'")
  await asOwner('update instances set connection_lost_at = 1')
  const responses = await all((number) => say(number, reportOf(number)))
  for (const { status, text } of responses) assert.equal(status, 200, text)
  assert.deepEqual(await rows('select distinct health from hosts'), [{ health: 'healthy' }])
  assert.deepEqual(await rows('select id from instances where connection_lost_at is not null'), [])
})

test('a paused report writes nothing if it continues in a later epoch or under a newer generation', async () => {
  let refused = 0
  for (let epoch = 1; epoch <= rounds; epoch++) {
    refused += await passEpoch(epoch)
    refused += await passGeneration(epoch)
  }
  assert.equal(refused, pauses)
  const found = await rows(
    `select h.epoch, h.health, h.health_message, m.state, m.start_failures, count(*) as machines
     from hosts h join machines m on m.host_id = h.id where m.generation > 1 group by 1, 2, 3, 4, 5`,
  )
  const state = { state: 'start_failed', start_failures: 1, machines: hosts * rounds }
  assert.deepEqual(found, [{ epoch: rounds + 1, health: 'healthy', health_message: null, ...state }])
})

/** Reports with and without changes wait in the server, others arrive late. All of their epochs have ended by then. */
async function passEpoch(epoch: number): Promise<number> {
  const steady = { epoch, generation: 1, health: 'healthy', instances: [] }
  const changed = { ...steady, health: 'faulted', message: 'long ago' }
  closeGate()
  const sent: { responses: Promise<TestResponse[]> }[] = []
  for (const report of [changed, steady])
    sent.push(await untilLocked(() => all((number) => say(number, report, paused))))
  for (const { status, text } of await all(enrolAgain)) assert.equal(status, 201, text)
  gate.isClosed = false
  gate.open()
  const responses = [...sent.map(({ responses }) => responses), all((number) => say(number, changed))]
  for (const { status, text } of (await Promise.all(responses)).flat()) {
    assert.equal(status, 409, text)
    assert.match(text, /stale_epoch/)
  }
  return 3 * hosts
}

/** A failed start is requested again under a newer generation. Reports of the older generation are ignored. */
async function passGeneration(round: number): Promise<number> {
  for (const state of ['start_failed', 'unhealthy']) {
    const responses = await all((number) => {
      const entry = { id: instanceId((round - 1) * hosts + number), generation: 1, state }
      return say(number, { epoch: round + 1, generation: 1, health: 'healthy', instances: [entry] })
    })
    for (const { status, text } of responses) assert.equal(status, 200, text)
  }
  assert.deepEqual(await rows("select id from instances where state <> 'running'"), [])
  return hosts
}
