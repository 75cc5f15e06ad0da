import assert from 'node:assert/strict'
import type { DesiredState } from '@bourse/api/fleet/agent.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import type { Db, Statement } from '../../src/core/db/statement.ts'
import { systemOrigin } from '../../src/core/work/command.ts'
import { query } from '../../src/core/work/query.ts'
import { desiredState } from '../../src/fleet/agents/desired-state.service.ts'
import { bytesOf, uploadImage } from '../support/fixtures/images.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { call, launch, pass, settle } = world
const hosts = await world.addHosts(2)
await pass(60)
const pool = await world.makePool([[await world.now(), 2]])

const desiredOf = async (host: Id<'host'>): Promise<DesiredState> =>
  (await query(world.inside.runtime, systemOrigin, (ctx) => desiredState(ctx, host))) ?? assert.fail('no such host')
const generations = async () => Promise.all(hosts.map(async (host) => (await desiredOf(host)).generation))
const hostOf = async (id: string) =>
  (await world.rows<{ host_id: Id<'host'> }>('select host_id from machines where instance_id = $1', [id]))[0]?.host_id

const subnet = await call('POST', '/preview/v2/subnets', { region: 'north', cidr: '10.9.0.0/24' })
const firewall = await call('POST', '/preview/v2/firewalls', {})
const fields = { subnet: subnet.id, _preview_enable_public_ipv4: true, _preview_firewall: firewall.id }
const id = await launch(pool, { ...fields, name: 'web' })
await settle()
const host = (await hostOf(id)) as Id<'host'>

test('the desired state of a host has everything that its instances need, and nothing of others', async () => {
  const shown = await call('GET', `/v2/instances/${id}`)
  const { sha256, size_bytes } = await call('GET', `/v2/images/${shown.image.id}`)
  const state = await desiredOf(host)
  const [desired, ...others] = state.instances
  assert.deepEqual(others, [])
  assert.deepEqual(
    [state.object, state.epoch, state.cordoned, state.report_every_seconds],
    ['desired_state', 1, false, 30],
  )
  const { network, ...machine } = desired ?? assert.fail('nothing desired')
  assert.deepEqual(machine, {
    id,
    generation: 1,
    action: 'run',
    slot: 0,
    hostname: 'web',
    machine: { cpu_count: null, memory_bytes: null, storage_bytes: null },
    // The image has no upload, so there is nothing to fetch.
    image: { id: shown.image.id, url: null, sha256, size_bytes, expires_at: null },
    user_data_ticket: null,
    terminate_at: null,
    terminate_reason: null,
  })
  const { mac, vni, ...addresses } = network
  assert.match(mac, /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/)
  assert.ok(vni !== null && vni >= 1)
  assert.deepEqual(addresses, {
    private_ip: shown.private_ip,
    subnet: subnet.id,
    cidr: '10.9.0.0/24',
    traffic: 'encrypted',
    peers: [],
    public_ip: shown._preview_public_ip,
    firewall_rules: [],
    infiniband_partition: null,
    partition_key: null,
  })
  const [other] = hosts.filter((one) => one !== host)
  assert.deepEqual((await desiredOf(other as Id<'host'>)).instances, [])
})

test('hosts are notified at once of changed rules, another firewall and members of a subnet', async () => {
  const rule = { protocol: 'tcp', port_from: 443, port_to: 443, source_cidr: '0.0.0.0/0' }
  const before = await desiredOf(host)
  await call('PUT', `/preview/v2/firewalls/${firewall.id}/rules`, { rules: [rule] })
  await settle()
  const ruled = await desiredOf(host)
  assert.ok(ruled.generation > before.generation)
  assert.deepEqual(ruled.instances[0]?.network.firewall_rules, [rule])
  assert.equal(ruled.instances[0]?.generation, before.instances[0]?.generation)

  const other = await call('POST', '/preview/v2/firewalls', {})
  await call('PATCH', `/v2/instances/${id}`, { _preview_firewall: other.id })
  await settle()
  const moved = await desiredOf(host)
  assert.ok(moved.generation > ruled.generation)
  assert.deepEqual(moved.instances[0]?.network.firewall_rules, [])

  const second = await launch(pool, { subnet: subnet.id })
  await settle()
  const joined = await desiredOf(host)
  assert.ok(joined.generation > moved.generation)
  // Simulated hosts have no tunnels, so nothing is carried between them (host-tunnels.test.ts).
  assert.deepEqual(joined.instances[0]?.network.peers, [])
  await call('POST', `/v2/instances/${second}/terminate`)
  await pass(5)
  assert.ok((await desiredOf(host)).generation > joined.generation)
})

/** Reads of a pool, whose connections run statements that are sent together in any order: here hosts come last. */
function hostsLast(db: Db, change: () => Promise<unknown>): Db {
  const read = Promise.withResolvers<void>()
  let isRead = false
  const rows = async <R>(statement: Statement<R>, params?: readonly unknown[]): Promise<R[]> => {
    if (statement.name === 'fleet.list_desired') {
      isRead = true
      const found = await db.rows(statement, params)
      await change()
      read.resolve()
      return found
    }
    // What is sent together begins in one turn.
    await new Promise(setImmediate)
    if (isRead && statement.name === 'fleet.find_hosts') await read.promise
    return db.rows(statement, params)
  }
  return {
    rows,
    row: (statement, params) => db.row(statement, params),
    run: (statement, params) => db.run(statement, params),
  }
}

test('a change during a read of the desired state is in it, or its generation is a later one', async () => {
  const { id: other } = await call('POST', '/preview/v2/firewalls', {})
  const rule = { protocol: 'tcp', port_from: 22, port_to: 22, source_cidr: '0.0.0.0/0' }
  await call('PUT', `/preview/v2/firewalls/${other}/rules`, { rules: [rule] })
  const change = async () => {
    await call('PATCH', `/v2/instances/${id}`, { _preview_firewall: other })
    await settle()
  }
  const read = await query(world.inside.runtime, systemOrigin, (ctx) =>
    desiredState({ ...ctx, db: hostsLast(ctx.db, change) }, host),
  )
  const later = await desiredOf(host)
  assert.deepEqual(later.instances[0]?.network.firewall_rules, [rule])
  assert.ok(read && read.generation < later.generation, `${read?.generation} ${later.generation}`)
})

test('a notice is in the desired state until it is withdrawn', async () => {
  const before = await generations()
  const now = await world.now()
  await world.takeNodes(pool, 2, { until: now - (now % 60) + 600 })
  await settle()
  const { deadline_at } = (await world.rows<any>('select deadline_at from instances where id = $1', [id]))[0]
  const [noticed] = (await desiredOf(host)).instances
  assert.deepEqual([noticed?.terminate_at, noticed?.terminate_reason], [deadline_at, 'allocation_ended'])
  await world.takeNodes(pool, -2, { until: now - (now % 60) + 600 })
  await settle()
  const [withdrawn] = (await desiredOf(host)).instances
  assert.deepEqual([withdrawn?.terminate_at, withdrawn?.terminate_reason], [null, null])
  const place = hosts.indexOf(host)
  assert.equal((await generations())[place], (before[place] as number) + 2)
})

test('an ending instance is listed with stop until its host reports it stopped', async () => {
  await call('POST', `/v2/instances/${id}/terminate`)
  await call('DELETE', `/v2/instances/${id}`)
  const { instances, generation } = await desiredOf(host)
  assert.deepEqual(
    instances.map((one) => [one.id, one.action, one.generation]),
    [[id, 'stop', generation]],
  )
  await pass(5)
  assert.deepEqual((await desiredOf(host)).instances, [])
  assert.deepEqual(await world.findings(), [])
})

test('a host fetches an uploaded image by the URL in its desired state', async () => {
  const bytes = bytesOf(10_000)
  const { account, server } = world
  const image = await uploadImage({ server, token: account.token }, [bytes])
  const machine = await launch(pool, { image: image.id })
  await settle()
  const { instances } = await desiredOf((await hostOf(machine)) as Id<'host'>)
  const { url, expires_at, ...notified } = instances.find((one) => one.id === machine)?.image ?? assert.fail('no image')
  assert.deepEqual(notified, { id: image.id, sha256: image.sha256, size_bytes: bytes.length })
  const { now } = await server.call('get_clock')
  assert.equal(expires_at, now + 3600)
  assert.ok(Buffer.from(await (await fetch(url as string)).arrayBuffer()).equals(bytes))
})
