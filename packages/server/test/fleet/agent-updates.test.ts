import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { platformAccount } from '../support/access.ts'
import { signingKey } from '../support/bundles.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'
import { addVersion, makeArchives, startHost } from './update-hosts.ts'

/** Each of three hosts starts some processes, one after the other. */
const rollingOut = { usual_seconds: 20 }

const server = await startTestServer()
const { good, broken } = await makeArchives()
const { hosts, instances, token } = await openWorld()

/** Three hosts of one SKU with a machine each. */
async function openWorld() {
  const operator = await platformAccount(server)
  const sku = await makeSku(server)
  const body = { sku, slots: 1, uses: 3 }
  const { token: permit } = await server.call('create_host_enrolment', { token: operator.token, body })
  const own = []
  for (let count = 0; count < 3; count++) own.push(await startHost(server, permit, good))
  const account = await server.account()
  const { pool: supply } = await server.call('get_host', { params: { id: own[0]?.id ?? '' } })
  const pool = await grantNodes(server, account, { sku, supply: supply.id, nodes: own.length })
  await server.advance(60)
  const { id: image } = await makeImage(server, account)
  const made: Id<'instance'>[] = []
  for (const _ of own) {
    const launch = { pool, sku, image }
    made.push((await server.call('create_instance', { token: account.token, body: launch })).id as Id<'instance'>)
  }
  const world = { hosts: own, instances: made, token: account.token }
  await eventually(
    'all machines have booted',
    async () => {
      for (const id of made) assert.match(await consoleOf(id, account.token), /booted/)
      return true
    },
    rollingOut,
  )
  return world
}

async function consoleOf(id: string, token: string): Promise<string> {
  const { data } = await server.call('list_instance_logs', { params: { id }, token })
  return data.map((chunk) => Buffer.from(chunk.data, 'base64').toString()).join('')
}

/** The timers of all hosts run until something is so. */
async function tickUntil<T>(sentence: string, ask: () => Promise<T | undefined>): Promise<T> {
  return eventually(
    sentence,
    async () => {
      const printed = await Promise.all(hosts.map(({ tick }) => tick()))
      const answer = await ask()
      assert.ok(answer !== undefined, printed.join('\n'))
      return answer
    },
    rollingOut,
  )
}

function rollOut(version: string) {
  const body = { agent_version: version, groups: ['canary=1%', 'rest'], health_seconds: 1, return_seconds: 600 }
  return server.call('create_agent_rollout', { body })
}

function whenIn(id: string, state: string) {
  return tickUntil(`the rollout is ${state}`, async () => {
    const rollout = await server.call('get_agent_rollout', { params: { id } })
    return rollout.state === state ? rollout : undefined
  })
}

/** No machine has ended, failed or booted a second time, and each is where it was. */
async function machinesRunOn(): Promise<void> {
  for (const id of instances) {
    assert.equal((await server.call('get_instance', { params: { id }, token })).state, 'running')
    assert.equal((await consoleOf(id, token)).match(/booted/g)?.length, 1)
  }
}

async function reportedVersions(): Promise<(string | null)[]> {
  const shown = await Promise.all(hosts.map(({ id }) => server.call('get_host', { params: { id } })))
  return shown.map(({ agent_version }) => agent_version)
}

test('a good version reaches all hosts, one after the other, and machines run on', async () => {
  await Promise.all(hosts.map(({ tick }) => tick()))
  const { id } = await rollOut(await addVersion(server, '1.1.0', good))
  const rollout = await whenIn(id, 'completed')
  assert.deepEqual(
    rollout.groups.map(({ updated }) => updated),
    [1, 2],
  )
  assert.deepEqual(await reportedVersions(), ['1.1.0', '1.1.0', '1.1.0'])
  assert.deepEqual(
    hosts.map(({ version }) => version()),
    ['1.1.0', '1.1.0', '1.1.0'],
  )
  await machinesRunOn()
})

test('a version that does not start stops after the first group, and that host is back on the former one', async () => {
  const { id } = await rollOut(await addVersion(server, '1.2.0', broken))
  const rollout = await whenIn(id, 'halted')
  assert.equal(rollout.halt_reason, 'update_failed')
  assert.match(rollout.halt_message ?? '', /This build is broken/)
  assert.deepEqual(
    rollout.groups.map(({ failed, pending }) => [failed, pending]),
    [
      [1, 0],
      [0, 2],
    ],
  )
  assert.deepEqual(
    hosts.map(({ version }) => version()),
    ['1.1.0', '1.1.0', '1.1.0'],
  )
  assert.deepEqual(await reportedVersions(), ['1.1.0', '1.1.0', '1.1.0'])
  await machinesRunOn()
  await server.call('cancel_agent_rollout', { params: { id } })
})

test('a version that a foreign key has signed is refused on the host', async () => {
  const { id } = await rollOut(await addVersion(server, '1.3.0', good, signingKey('b')))
  const rollout = await whenIn(id, 'halted')
  assert.match(rollout.halt_message ?? '', /has signed the version, which is not in .*agent-signers/)
  assert.deepEqual(
    hosts.map(({ version }) => version()),
    ['1.1.0', '1.1.0', '1.1.0'],
  )
  await machinesRunOn()
  await server.call('cancel_agent_rollout', { params: { id } })
})

test('an updater that is killed in the middle of an update finishes it at its next start', async () => {
  const { id } = await rollOut(await addVersion(server, '1.4.0', good))
  const canary = await eventually('a host begins', async () => {
    const { hosts: shown } = await server.call('get_agent_rollout', { params: { id } })
    return hosts.find((host) => shown.some((one) => one.host === host.id && one.state === 'updating'))
  })
  assert.ok(canary)
  const updater = canary.tickWithoutEnd()
  await eventually(
    'the version is switched',
    async () => {
      assert.ok(canary.hasJournal())
      assert.equal(canary.version(), '1.4.0')
      return true
    },
    rollingOut,
  )
  // With its group, as a power failure would end it.
  process.kill(-(updater.pid as number), 'SIGKILL')
  const rollout = await whenIn(id, 'completed')
  assert.equal(canary.hasJournal(), false)
  assert.deepEqual(
    rollout.groups.map(({ updated }) => updated),
    [1, 2],
  )
  assert.deepEqual(await reportedVersions(), ['1.4.0', '1.4.0', '1.4.0'])
  await machinesRunOn()
})
