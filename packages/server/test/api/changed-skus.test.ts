import assert from 'node:assert/strict'
import { test } from 'vitest'
import { platformAccount } from '../support/access.ts'
import { enrol, facts, factsThatFit, hardwareThatFits, type TestAgent } from '../support/agents.ts'
import type { CallBody } from '../support/calls.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { eventsOf, makeImage, makeSku, makeValue } from '../support/fixtures/fleet.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const platform = await platformAccount(server)
await makeValue(server, 'accelerator', 'h100')
const promised = { num_vcpus: 16 } as const

async function permit(sku: string, slots = 1, uses = 1): Promise<string> {
  const body = { sku, slots, uses }
  return (await server.call('create_host_enrolment', { token: platform.token, body })).token
}

const hostOf = (agent: TestAgent) => server.call('get_host', { params: { id: agent.host } })
const heartbeat = (agent: TestAgent, instances: CallBody<'report_host'>['instances'] = []) =>
  agent.call('report_host', { body: { epoch: agent.epoch, generation: 0, health: 'healthy', instances } })
const hostEvents = async (agent: TestAgent) =>
  (await eventsOf(server, platform.token, agent.host)).map((line) => line.split(' ')[0])

async function change(sku: string, body: object): Promise<void> {
  await server.call('update_sku', { params: { id: sku }, body })
  await server.settle()
}

/** The nodes that the pool of a host owns from the next minute on. */
async function supplyOf(agent: TestAgent): Promise<number> {
  const { pool, sku } = await hostOf(agent)
  const { allocation_schedule } = await server.call('get_pool', { params: { id: pool.id }, token: platform.token })
  const [step] = (allocation_schedule.by_sku[sku.id] ?? []).slice(-1)
  return step?.end_at === null ? step.node_count : 0
}

/** A host of a SKU of its own with two slots, and a machine that runs on one of them. */
async function makeBusyHost() {
  const sku = await makeSku(server, promised)
  const agent = await enrol(server, await permit(sku, 2), { facts: factsThatFit(promised, 2) })
  const account = await server.account()
  const { token } = account
  const pool = await grantNodes(server, account, { sku, supply: (await hostOf(agent)).pool.id, nodes: 1 })
  await server.advance(60)
  const { id: image } = await makeImage(server, account)
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  await server.advance(1)
  const { instances } = await agent.call('get_desired_state')
  const running = { id, generation: instances[0].generation, state: 'running' } as const
  await heartbeat(agent, [running])
  const explain = () => server.call('explain_instance', { params: { id }, token })
  return { sku, agent, explain, running, state: async () => (await explain()).state }
}

test('a host that a change of its SKU makes too small takes nothing new at once, and its machine runs on', async () => {
  const { sku, agent, explain, running } = await makeBusyHost()
  await change(sku, { num_vcpus: 1000 })
  const host = await hostOf(agent)
  assert.deepEqual([host.health, await supplyOf(agent)], ['faulted', 0])
  assert.match(host.health_message, /processors: SKU asks for 1000 vCPUs a slot, 2000 for 2 slots, host has 64/)
  assert.deepEqual(await hostEvents(agent), ['host.unfit'], 'its hardware is the same')
  assert.equal((await explain()).termination, null)
  const hardware = hardwareThatFits(promised, 2)
  const hourly = await agent.call('report_hardware', { body: { epoch: agent.epoch, hardware } })
  assert.equal(hourly.fits, false)
  await server.advance(4000)
  await heartbeat(agent, [running])
  assert.equal((await explain()).termination, null, 'also after the time for a repair')
})

test('a machine runs on when the software of a host that a change of its SKU made too small changes', async () => {
  const { sku, agent, explain, running } = await makeBusyHost()
  await change(sku, { num_vcpus: 1000 })
  const hardware = { ...hardwareThatFits(promised, 2), kernel: '6.12.9', qemu: '10.0.2', is_kvm_usable: null }
  await agent.call('report_hardware', { body: { epoch: agent.epoch, hardware } })
  assert.deepEqual(await hostEvents(agent), ['host.unfit', 'host.facts_changed'])
  await server.advance(4000)
  await heartbeat(agent, [running])
  assert.equal((await explain()).termination, null)
})

test('hardware that is lost after a change of the SKU ends machines as it does without one', async () => {
  const { sku, agent, explain } = await makeBusyHost()
  await change(sku, { num_vcpus: 48 })
  await server.advance(4000)
  const whole = hardwareThatFits(promised, 2)
  const lose = async (threads: number) => {
    const processors = { ...whole.processors, threads }
    await agent.call('report_hardware', { body: { epoch: agent.epoch, hardware: { ...whole, processors } } })
    return (await explain()).termination
  }
  const { now } = await server.call('get_clock')
  const { reason, deadline_at } = await lose(8)
  assert.equal(reason, 'host_unfit')
  assert.ok(deadline_at > now + 3000 && deadline_at <= now + 3660, 'the hour of repair begins with the loss')
  await server.advance(600)
  assert.equal((await lose(4)).deadline_at, deadline_at, 'a further loss does not begin it anew')
})

test('a host that fits its SKU again after another change gets its nodes back, and is healthy again', async () => {
  const { sku, agent, running } = await makeBusyHost()
  await change(sku, { num_vcpus: 1000 })
  await change(sku, { num_vcpus: 32 })
  assert.equal(await supplyOf(agent), 1)
  assert.deepEqual(await hostEvents(agent), ['host.unfit', 'host.fit'])
  await heartbeat(agent, [running])
  assert.equal((await hostOf(agent)).health, 'healthy')
})

test('a SKU that is no longer simulated is compared with its hosts, and takes them again when it is', async () => {
  const sku = await makeSku(server, { accelerator: 'h100', num_accelerators: 1, simulated: true })
  const agent = await enrol(server, await permit(sku), { facts: factsThatFit({}) })
  await server.advance(60)
  assert.equal((await hostOf(agent)).health, 'healthy')
  await change(sku, { simulated: false })
  const { health, health_message } = await hostOf(agent)
  assert.equal(health, 'faulted')
  assert.match(health_message, /accelerators: SKU asks for 1 × h100 a slot, host has 0/)
  await change(sku, { simulated: true })
  assert.deepEqual([await supplyOf(agent), await hostEvents(agent)], [1, ['host.unfit', 'host.fit']])
})

test('all hosts of a SKU are compared, more than become due at once, and none of another SKU', async () => {
  const sku = await makeSku(server, promised)
  const other = await enrol(server, await permit(await makeSku(server, promised)), { facts: factsThatFit(promised) })
  const secret = await permit(sku, 1, 70)
  const agents = [other]
  for (let index = 0; index < 70; index++) {
    const network = { network: 'ssh_only', host_address: facts.host_address, public_ipv4s: [] } as const
    agents.push(await enrol(server, secret, { facts: { ...factsThatFit(promised), ...network } }))
  }
  // A host that is silent for 90 s of the real clock is unreachable, and on a slow machine the enrolments take longer.
  await Promise.all(agents.map((agent) => heartbeat(agent)))
  await change(sku, { num_vcpus: 1000 })
  const { data } = await server.call('list_hosts', { query: { sku: [sku], health: ['faulted'], limit: 200 } })
  assert.equal(data.length, 70)
  assert.equal((await hostOf(other)).health, 'healthy')
})
