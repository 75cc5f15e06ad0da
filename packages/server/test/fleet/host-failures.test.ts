import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { beforeEach, describe, test } from 'vitest'
import { isRefusal } from '../../src/core/base/refusal.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { desiredState } from '../../src/fleet/agents/desired-state.service.ts'
import { acceptReport, type HostReport } from '../../src/fleet/agents/reports.service.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { launch, states, actions, pass, settle, call, addFault, removeFault } = world

let host: Id<'host'>
let pool: Id<'pool'>

/** Each test has a free host with two slots, and a pool that owns four nodes. */
beforeEach(async () => {
  const { data } = await world.server.call('list_instances', {
    query: { state: ['running', 'failed', 'awaiting_allocation'] },
    token: world.account.token,
  })
  for (const { id } of data) await call('POST', `/v2/instances/${id}/terminate`)
  await pass(120)
  if (host === undefined) {
    const [added] = await world.addHosts(1, 2)
    host = added as Id<'host'>
    const now = await world.now()
    await pass(60 - (now % 60))
    pool = await world.makePool([[await world.now(), 2]])
    await settle()
  }
  const { state, health, used_slots } = await world.host(host)
  assert.deepEqual([state, health, used_slots], ['active', 'healthy', 0])
})

const terminate = (id: string) => call('POST', `/v2/instances/${id}/terminate`)
const slots = async () => (await world.host(host)).used_slots
const reports = (report: Partial<HostReport>, id: Id<'host'> = host) =>
  systemCommand(world.inside.runtime, async (ctx) => {
    const { epoch, generation } = (await desiredState(ctx, id)) ?? assert.fail('no such host')
    return acceptReport(ctx, id, { epoch, generation, health: 'healthy', instances: [], ...report })
  })
const machineOf = async (id: string) => {
  const columns = 'host_id, slot, generation, action, state, reason, start_failures'
  return (await world.rows<any>(`select ${columns} from machines where instance_id = $1`, [id]))[0]
}

describe('slots', () => {
  test('the slot of an ended instance is free only after its host has confirmed the stop', async () => {
    const [a, b] = [await launch(pool), await launch(pool)]
    await pass(10)
    const waiting = await launch(pool)
    await terminate(a)
    await settle()
    assert.deepEqual(await states(a, b, waiting), ['terminated', 'running', 'awaiting_allocation'])
    assert.equal(await slots(), 2)
    await pass(3)
    assert.deepEqual(await states(waiting), ['running'])
    assert.equal((await machineOf(a))?.host_id, undefined)
  })

  test('the successor of a replaced instance takes its slot ahead of instances that waited longer', async () => {
    const [a, b] = [await launch(pool), await launch(pool)]
    await pass(10)
    const { slot } = await machineOf(a)
    const waiting = await launch(pool, { priority_level: 'critical' })
    const { image } = await call('GET', `/v2/instances/${a}`)
    const { id } = await call('POST', `/v2/instances/${a}/replace`, { image: image.id })
    await pass(10)
    assert.deepEqual(await states(a, b, id, waiting), ['terminated', 'running', 'running', 'awaiting_allocation'])
    assert.equal((await machineOf(id)).slot, slot)
  })

  test('a record can be purged before its machine has stopped, and the stop is still executed', async () => {
    const id = await launch(pool)
    await pass(10)
    await terminate(id)
    await call('DELETE', `/v2/instances/${id}`)
    assert.equal(await slots(), 1)
    await pass(3)
    assert.equal(await slots(), 0)
    assert.deepEqual(await world.rows('select id from instances where id = $1', [id]), [])
  })
})

describe('silence', () => {
  test('90 s of silence emit one event per running instance, and nothing else', async () => {
    const id = await launch(pool)
    await pass(10)
    const fault = await addFault({ kind: 'host_silent', target: { host_id: host } })
    await pass(89)
    assert.equal((await world.host(host)).health, 'healthy')
    await pass(1)
    assert.equal((await world.host(host)).health, 'unreachable')
    await pass(86_400)
    assert.deepEqual(await actions(id), ['created', 'running', 'connection_lost'])
    await removeFault(fault)
    await settle()
    assert.equal((await world.host(host)).health, 'healthy')
    await addFault({ kind: 'host_silent', target: { host_id: host }, seconds: 300 })
    await pass(600)
    assert.deepEqual(await actions(id), ['created', 'running', 'connection_lost', 'connection_lost'])
    assert.deepEqual(await states(id), ['running'])
  })

  test('a host that returns in time is never reported as lost', async () => {
    const id = await launch(pool)
    await pass(10)
    await addFault({ kind: 'host_silent', target: { host_id: host }, seconds: 89 })
    await pass(600)
    assert.deepEqual(await actions(id), ['created', 'running'])
  })

  test('slots of a silent host are neither used nor freed, addresses are free after five minutes', async () => {
    const id = await launch(pool, { _preview_enable_public_ipv4: true })
    await pass(10)
    await addFault({ kind: 'host_silent', target: { host_id: host }, seconds: 900 })
    await pass(100)
    await terminate(id)
    const waiting = await launch(pool)
    await pass(150)
    assert.deepEqual([await slots(), await states(waiting)], [1, ['awaiting_allocation']])
    assert.notEqual((await call('GET', `/v2/instances/${id}`))._preview_public_ip, undefined)
    await pass(100)
    assert.equal((await call('GET', `/v2/instances/${id}`))._preview_public_ip, undefined)
    await pass(540)
    assert.deepEqual(await states(waiting), ['awaiting_allocation'])
    await pass(20)
    assert.deepEqual([await slots(), await states(waiting)], [1, ['running']])
  })

  test('addresses of an instance that ends after five minutes of silence are free at once', async () => {
    const id = await launch(pool, { _preview_enable_public_ipv4: true })
    await pass(10)
    await addFault({ kind: 'host_silent', target: { host_id: host }, seconds: 900 })
    await pass(400)
    await terminate(id)
    await settle()
    assert.equal((await call('GET', `/v2/instances/${id}`))._preview_public_ip, undefined)
    assert.equal(await slots(), 1)
    await pass(600)
    assert.equal(await slots(), 0)
  })

  test('an instance placed on a host just before its silence waits for its return', async () => {
    await addFault({ kind: 'host_silent', target: { host_id: host }, seconds: 200 })
    const id = await launch(pool)
    await pass(199)
    assert.deepEqual(await actions(id), ['created'])
    await pass(1)
    assert.deepEqual(await actions(id), ['created', 'running'])
  })

  test('a silent host loses a placement that its pool no longer covers, without notice', async () => {
    await addFault({ kind: 'host_silent', target: { host_id: host }, seconds: 200 })
    const id = await launch(pool)
    await settle()
    const now = await world.now()
    await world.takeNodes(pool, 2, { until: now - (now % 60) + 600 })
    await settle()
    assert.equal((await machineOf(id)).action, 'stop')
    await pass(300)
    assert.deepEqual([await machineOf(id), await actions(id)], [undefined, ['created']])
    await pass(300)
    assert.deepEqual(await actions(id), ['created', 'running'])
  })
})

describe('machines that fail', () => {
  test('a crash of the host is silence at first, and then the machines are lost', async () => {
    const id = await launch(pool)
    await pass(10)
    await addFault({ kind: 'host_crash', target: { host_id: host } })
    await pass(119)
    assert.deepEqual(await actions(id), ['created', 'running', 'connection_lost'])
    await pass(1)
    assert.deepEqual(await actions(id), ['created', 'running', 'connection_lost', 'failed'])
    assert.deepEqual([(await machineOf(id)).reason, await slots()], ['machine_lost', 1])
    await terminate(id)
    await pass(3)
    assert.equal(await slots(), 0)
  })

  test('a failed start is retried on the same slot without an event', async () => {
    await addFault({ kind: 'start_failure', target: { host_id: host }, times: 2 })
    const id = await launch(pool)
    await pass(60)
    const { state, start_failures, slot } = await machineOf(id)
    assert.deepEqual([state, start_failures, slot], ['running', 2, 0])
    assert.deepEqual(await actions(id), ['created', 'running'])
  })

  for (const kind of ['start_failure', 'checksum_mismatch'] as const) {
    test(`three starts that fail by ${kind} fail the instance once, and it still uses its slot`, async () => {
      const id = await launch(pool)
      await addFault({ kind, target: { instance_id: id }, times: 0 })
      await pass(120)
      assert.deepEqual(await actions(id), ['created', 'running', 'failed'])
      assert.deepEqual([(await machineOf(id)).reason, await slots()], [kind, 1])
      await pass(3600)
      assert.deepEqual(await actions(id), ['created', 'running', 'failed'])
    })
  }

  test('a machine that reports itself unhealthy fails its instance, which can still be replaced', async () => {
    const id = await launch(pool)
    await pass(10)
    await addFault({ kind: 'instance_unhealthy', target: { instance_id: id } })
    await settle()
    assert.deepEqual(await states(id), ['failed'])
    const { image } = await call('GET', `/v2/instances/${id}`)
    const successor = await call('POST', `/v2/instances/${id}/replace`, { image: image.id })
    await pass(10)
    assert.deepEqual(await states(id, successor.id), ['terminated', 'running'])
  })

  test('a guest that powers off ends its instance', async () => {
    const id = await launch(pool)
    await pass(10)
    await addFault({ kind: 'guest_shutdown', target: { instance_id: id } })
    await settle()
    assert.deepEqual([await actions(id), await slots()], [['created', 'running', 'terminated'], 0])
  })
})

describe('reports', () => {
  test('reports of an older epoch and of an unknown host are refused', async () => {
    const { epoch } = { epoch: 1 }
    await assert.rejects(reports({ epoch: epoch - 1 }), (error) => isRefusal(error, 'stale_epoch'))
    const absent = systemCommand(world.inside.runtime, (ctx) =>
      acceptReport(ctx, 'host_absent', { epoch, generation: 0, health: 'healthy', instances: [] }),
    )
    await assert.rejects(absent, (error) => isRefusal(error, 'authentication_error'))
  })

  test('entries of an older generation, and of instances on other hosts, change nothing', async () => {
    const id = await launch(pool)
    await pass(10)
    const { generation } = await machineOf(id)
    const state = 'unhealthy' as const
    await reports({ instances: [{ id, generation: generation - 1, state }] })
    await reports({ instances: [{ id: 'inst_elsewhere', generation: 99, state }] })
    assert.deepEqual(await states(id), ['running'])
    await reports({ instances: [{ id, generation, state }] })
    await reports({ instances: [{ id, generation, state }] })
    assert.deepEqual(await actions(id), ['created', 'running', 'failed'])
  })

  test('a faulted host accepts no instances until it reports healthy', async () => {
    await reports({ health: 'faulted' })
    const id = await launch(pool)
    await pass(60)
    assert.deepEqual([(await world.host(host)).health, await states(id)], ['faulted', ['awaiting_allocation']])
    await reports({ health: 'healthy' })
    await pass(1)
    assert.deepEqual(await states(id), ['running'])
  })
})

test('no audit finds anything after these tests', async () => {
  assert.deepEqual(await world.findings(), [])
})
