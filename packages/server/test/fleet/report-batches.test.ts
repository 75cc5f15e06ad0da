import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { systemCommand } from '../../src/core/command.ts'
import { lockHosts } from '../../src/fleet/hosts.service.ts'
import { hostId, instanceId } from '../support/big-fleet.ts'
import { startReportingHosts } from './reporting-hosts.ts'

const hosts = 12
const commits: string[] = []
let breaks: string | undefined

const fleet = await startReportingHosts(
  { hosts, slots: 1 },
  {
    failpoint: (name, request_id) => {
      if (name === 'after_commit') commits.push(request_id)
      if (name === 'after_work' && request_id === breaks) throw new Error('One of them met a bug.')
    },
  },
)
const { inside, all, say, rows, asOwner } = fleet

const seen = 'select id from hosts where last_seen_at > floor(bourse_real_now())::bigint - 60 order by id'

function reportOf(number: number, entry: object = {}, more: object = {}) {
  const instances = [{ id: instanceId(number), generation: 1, state: 'running', ...entry }]
  return { epoch: 1, generation: 7, health: 'healthy', instances, ...more }
}

/** All hosts were seen a while ago, though not so long that anybody would miss them. */
beforeEach(async () => {
  await asOwner(
    `update hosts set last_seen_at = floor(bourse_real_now())::bigint - 70, generation = 5, health = 'healthy',
       health_message = null, reported_generation = 0`,
  )
  commits.length = 0
  breaks = undefined
})

test('steady reports of a moment share transactions, and note no more than that their hosts were seen', async () => {
  const before = await rows('select * from machines order by instance_id')
  const answers = await all((number) => say(number, reportOf(number)))
  for (const { status, body } of answers) assert.deepEqual([status, body], [200, { desired_generation: 5 }])
  assert.equal((await rows(seen)).length, hosts)
  assert.deepEqual(await rows('select distinct reported_generation, health from hosts'), [
    { reported_generation: 5, health: 'healthy' },
  ])
  assert.deepEqual(await rows('select * from machines order by instance_id'), before)
  assert.ok(commits.length < hosts, `${hosts} reports took ${commits.length} transactions`)
})

test('news beside steady reports is taken as ever', async () => {
  const answers = await all((number) => {
    return say(
      number,
      number % 3 === 0 ? reportOf(number, {}, { health: 'faulted', message: 'hot' }) : reportOf(number),
    )
  })
  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.equal((await rows(seen)).length, hosts)
  const faulted = await rows<{ id: string }>("select id from hosts where health = 'faulted' and health_message = 'hot'")
  assert.equal(faulted.length, hosts / 3)
})

test('a host that somebody holds keeps only its own report waiting', async () => {
  const held = hostId(3)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding = new Promise<{ done: Promise<void> }>((resolve) => {
    const done = systemCommand(inside.runtime, async (ctx) => {
      await lockHosts(ctx, [held as never])
      resolve({ done })
      await released
    })
  })
  const { done } = await holding
  const waiting = say(3, reportOf(3))
  const others = await all(async (number) => (number === 3 ? undefined : say(number, reportOf(number))))
  for (const answer of others) assert.ok(answer === undefined || answer.status === 200, answer?.text)
  assert.ok((await rows<{ id: string }>(seen)).every(({ id }) => id !== held))
  release()
  await done
  assert.equal((await waiting).status, 200)
  assert.ok((await rows<{ id: string }>(seen)).some(({ id }) => id === held))
})

test('where one report of a transaction meets a bug, the others are taken all the same', async () => {
  breaks = 'batch'
  const answers = await all((number) => say(number, reportOf(number, {}, { health: 'faulted', message: 'cold' })))
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const found = await rows<{ count: number }>("select count(*) from hosts where health_message = 'cold'")
  assert.equal(Number(found[0]?.count), hosts)
})

test('a report that tells of the same machines after a silence takes the silence off them', async () => {
  await asOwner("update hosts set health = 'unreachable'")
  await asOwner('update instances set connection_lost_at = 1')
  const answers = await all((number) => say(number, reportOf(number)))
  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.deepEqual(await rows('select distinct health from hosts'), [{ health: 'healthy' }])
  assert.deepEqual(await rows('select id from instances where connection_lost_at is not null'), [])
})
