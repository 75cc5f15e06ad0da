import assert from 'node:assert/strict'
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import { test } from 'vitest'
import { heartbeat, openDeviceHosts, promised, reported, reportHardware } from '../fleet/device-hosts.ts'
import {
  enrol,
  facts,
  factsThatFit,
  hardwareThatFits,
  introduction,
  makeHostKey,
  type TestAgent,
} from '../support/agents.ts'
import { eventsOf, makeImage, makeSku, makeValue } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

const server = await startTestServer()
const { platform, permit, hostOf, desiredMachine, makeFixture } = await openDeviceHosts(server)
const gibibyte = 2 ** 30

function tryEnrol(secret: string, given: object): Promise<TestResponse> {
  const body = introduction(secret, makeHostKey(), { facts: given })
  return server.attempt('enrol_host', { token: null, body })
}

const hostEvents = async (agent: TestAgent) =>
  (await eventsOf(server, platform.token, agent.host)).map((line) => line.split(' ')[0])

/** The nodes that the pool of a host owns from the next minute on. */
async function supplyOf(agent: TestAgent): Promise<number> {
  const { pool, sku } = await hostOf(agent)
  const { allocation_schedule } = await server.call('get_pool', { params: { id: pool.id }, token: platform.token })
  const [step] = (allocation_schedule.by_sku[sku.id] ?? []).slice(-1)
  return step?.end_at === null ? step.node_count : 0
}

test('a host without the hardware of its SKU is refused with a detail for each fact, and not kept', async () => {
  const sku = await makeSku(server, { ...promised, rdma_type: 'roce', local_storage_bytes: 2 ** 50 })
  const secret = await permit(sku, 64)
  const response = await tryEnrol(secret, { ...facts, cpu_count: 1, memory_bytes: 0 })
  assert.equal(response.status, 422)
  assert.deepEqual(
    response.body.error.details.map(({ field, code, message }: any) => [field, code, message.split(':')[0]]),
    [
      ['facts.cpu_count', 'host_does_not_fit', 'processors'],
      ['facts.memory_bytes', 'host_does_not_fit', 'memory'],
      ['facts.storage_bytes', 'host_does_not_fit', 'storage'],
      ['facts.hardware.accelerators', 'host_does_not_fit', 'accelerators'],
      ['facts.hardware.rdma', 'host_does_not_fit', 'rdma'],
    ],
  )
  assert.match(response.body.error.details[3].message, /SKU asks for 2 × h100 a slot, 128 for 64 slots, host has 0/)
  const { data } = await server.call('list_hosts', { query: { sku: [sku] }, token: platform.token })
  assert.deepEqual(data, [])
  const permits = await server.call('list_host_enrolments', { token: platform.token })
  assert.equal(permits.data.find((one) => one.sku.id === sku).used, 0)
})

test('a host whose devices cannot reach machines is refused, and becomes unfit when that happens later', async () => {
  const sku = await makeSku(server, promised)
  const ready = { is_root: true, is_vfio_loaded: true, has_uefi: true }
  const refused = await tryEnrol(
    await permit(sku, 1),
    factsThatFit(promised, 1, { delivery: { ...ready, is_root: false } }),
  )
  assert.deepEqual(refusalOf(refused), [422, 'host_does_not_fit', 'facts.hardware.delivery'])
  assert.match(refused.body.error.details[0].message, /enrol and run it as root/)
  const agent = await enrol(server, await permit(sku, 1), { facts: factsThatFit(promised, 1, { delivery: ready }) })
  const hardware = { ...hardwareThatFits(promised), delivery: { ...ready, has_uefi: false } }
  assert.match((await reported(agent, hardware)).problems[0], /install the package ovmf/)
  assert.deepEqual([(await hostOf(agent)).health, await hostEvents(agent)], ['faulted', ['host.unfit']])
  assert.equal((await reported(agent, hardwareThatFits(promised))).fits, true, 'an older agent does not say')
})

test('needs are multiplied by the slots of the permit, and the counts are those of the hardware', async () => {
  const sku = await makeSku(server, promised)
  const two = factsThatFit(promised, 2)
  const refused = await tryEnrol(await permit(sku, 3), two)
  assert.deepEqual(refusalOf(refused), [422, 'host_does_not_fit', 'facts.hardware.accelerators'])
  const agent = await enrol(server, await permit(sku, 2), { facts: { ...two, cpu_count: 999, accelerators: [] } })
  const host = await hostOf(agent)
  assert.deepEqual([host.facts.cpu_count, host.facts.accelerators], [64, Array(4).fill('h100')])
  assert.deepEqual(host.facts.hardware, two.hardware)
})

test('a simulated SKU takes any host, and every buyer sees that it is simulated', async () => {
  const sku = await makeSku(server, { ...promised, simulated: true })
  const laptop = await enrol(server, await permit(sku, 8), { facts: { ...facts, host_address: '192.0.2.99' } })
  const account = await server.account()
  const { token } = account
  assert.equal((await server.call('get_sku', { params: { id: sku }, token })).simulated, true)
  const { data } = await server.call('list_skus', { query: { limit: 200 }, token })
  assert.deepEqual(
    data.filter(({ simulated }) => simulated).map(({ id }) => id),
    [sku],
  )
  const pool = (await server.call('create_pool', { token, body: {} })).id
  const { id: image } = await makeImage(server, account)
  const made = await server.call('create_instance', { token, body: { pool, sku, image } })
  assert.equal(made.sku.simulated, true)
  const seller = (await hostOf(await enrol(server, await permit(sku, 1)))).pool.id
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 3600
  const window = { start_at, end_at: start_at + 3600, node_count: 1 }
  const offer = {
    pool: seller,
    sku,
    side: 'sell',
    allow_standing: true,
    limit_price_dollars_per_node_hour: '1.000000',
  } as const
  await server.call('create_order', { token: platform.token, body: { ...offer, allocation_schedule_delta: [window] } })
  const asked = { side: 'buy', sku, start_at, duration_seconds: 3600, node_count: 1 } as const
  const estimate = await server.call('create_order_estimate', { token, body: asked })
  assert.deepEqual([estimate.type, estimate.simulated], ['quoted', true])
  const patched = await server.call('update_sku', { params: { id: sku }, body: { simulated: false } })
  assert.equal('simulated' in patched, false)
  assert.equal('simulated' in (await server.call('get_instance', { params: { id: made.id }, token })).sku, false)
  await server.settle()
  const host = await hostOf(laptop)
  assert.deepEqual([host.health, await supplyOf(laptop)], ['faulted', 0])
  assert.match(host.health_message, /accelerators: SKU asks for 2 × h100 a slot, 16 for 8 slots, host has 0/)
  assert.deepEqual(await hostEvents(laptop), ['host.unfit'])
})

test('a change of the hardware is an event of the owner; the same hardware, and how busy it is, are none', async () => {
  const sku = await makeSku(server, promised)
  const agent = await enrol(server, await permit(sku, 1), { facts: factsThatFit(promised) })
  const hardware = hardwareThatFits(promised)
  assert.deepEqual(await reported(agent, hardware), { fits: true, problems: [] })
  await reported(agent, { ...hardware, storage: { ...hardware.storage, free_bytes: 7 } })
  assert.deepEqual(await hostEvents(agent), [])
  await reported(agent, { ...hardware, kernel: '6.2.0' })
  assert.deepEqual(await hostEvents(agent), ['host.facts_changed'])
  assert.equal((await hostOf(agent)).facts.hardware.kernel, '6.2.0')
})

test('reports of an older epoch, of odd hardware and of too much of it are refused', async () => {
  const { agent } = await makeFixture(1, 1)
  const hardware = hardwareThatFits(promised)
  assert.deepEqual(refusalOf(await reportHardware(agent, hardware, 0)), [400, 'out_of_range', 'epoch'])
  const [model] = hardware.accelerators
  const odd = { ...hardware, accelerators: [{ ...model, pci_id: 'x' }] } as HostHardware
  assert.deepEqual(refusalOf(await reportHardware(agent, odd)), [
    400,
    'invalid_format',
    'hardware.accelerators.0.pci_id',
  ])
  const long = { ...hardware, more: 'x'.repeat(10_000) } as HostHardware
  assert.deepEqual(refusalOf(await reportHardware(agent, long)), [413, 'body_too_large', null])
  const again = await enrol(server, await permit((await hostOf(agent)).sku.id, 1), {
    key: agent.key,
    facts: factsThatFit(promised),
  })
  assert.deepEqual(refusalOf(await reportHardware(agent, hardware)), [409, 'stale_epoch', null])
  assert.equal((await reportHardware(again, hardware)).status, 200)
})

test('an instance shows the accelerators of its slot, and two of an account whether they share a host', async () => {
  const { launch, instance } = await makeFixture(2, 2)
  const shown = [
    (await instance((await launch()).id)).hardware,
    (await instance((await launch()).id)).hardware,
  ] as const
  const devices = shown.flatMap(({ accelerators }) => accelerators)
  assert.deepEqual(
    devices.map(({ kind }) => kind),
    Array(4).fill('h100'),
  )
  assert.equal(new Set(devices.map(({ pci }) => pci)).size, 4)
  assert.equal(shown[0].host, shown[1].host)
  assert.match(shown[0].host, /^[0-9a-f]{16}$/)
  assert.deepEqual(shown[0].numa, [0])
  assert.ok(shown[0].verified_at > 1_600_000_000)
})

test('a machine keeps the devices of its slot when another device of a host with a spare is gone', async () => {
  const { agent, launch, instance } = await makeFixture(2, 2)
  const spare = hardwareThatFits(promised, 3)
  assert.equal((await reported(agent, spare)).fits, true)
  await launch()
  const { id } = await launch()
  const before = (await instance(id)).hardware.accelerators
  const accelerators = spare.accelerators.map((model) => ({ ...model, devices: model.devices.slice(1) }))
  assert.equal((await reported(agent, { ...spare, accelerators })).fits, true)
  assert.deepEqual((await instance(id)).hardware.accelerators, before)
  const shown = before.map(({ pci }) => pci)
  assert.deepEqual((await desiredMachine(agent, id)).machine.devices, shown)
})

test('a slot that lost a device gets a spare one as soon as its machine has ended', async () => {
  const { agent, token, launch, instance } = await makeFixture(2, 2)
  const spare = hardwareThatFits(promised, 3)
  await reported(agent, spare)
  const [first, second] = [await launch(), await launch()]
  const devicesOf = async (id: string): Promise<string[]> =>
    (await instance(id)).hardware.accelerators.map(({ pci }) => pci)
  const [lost, kept] = [await devicesOf(first.id), await devicesOf(second.id)]
  const accelerators = spare.accelerators.map((model) => {
    return { ...model, devices: model.devices.filter(({ pci }) => pci !== lost[0]) }
  })
  assert.equal((await reported(agent, { ...spare, accelerators })).fits, true)
  await server.call('terminate_instance', { params: { id: first.id }, token })
  const { generation } = await desiredMachine(agent, first.id)
  await heartbeat(agent, [{ id: first.id, generation, state: 'stopped' }])
  const next = await devicesOf((await launch()).id)
  assert.deepEqual([next.length, next.includes(lost[0] as string)], [2, false], `${next}`)
  assert.deepEqual(await devicesOf(second.id), kept)
})

test('a machine whose devices are all gone is not shown with those of a free slot', async () => {
  const { agent, launch, instance } = await makeFixture(2, 2)
  const { id } = await launch()
  const before = (await instance(id)).hardware.accelerators
  const own = before.map(({ pci }) => pci)
  const hardware = hardwareThatFits(promised, 2)
  const accelerators = hardware.accelerators.map((model) => {
    return { ...model, devices: model.devices.filter(({ pci }) => !own.includes(pci)) }
  })
  assert.equal((await reported(agent, { ...hardware, accelerators })).fits, false)
  assert.deepEqual((await instance(id)).hardware.accelerators, before)
  assert.deepEqual((await desiredMachine(agent, id)).machine.devices, own)
})

test('a machine with a whole board gets its NVSwitches, and a board that lacks one fits no more', async () => {
  const { agent, launch, instance, explain } = await makeFixture(1, 1)
  const whole = hardwareThatFits(promised)
  const accelerators = whole.accelerators.map((model) => ({ ...model, pci_id: '10de:2330', form_factor: 'sxm5' }))
  const nvswitches = [7, 8].map((bus) => ({ pci: `0001:0${bus}:00.0`, numa_node: 0, iommu_group: 900 + bus }))
  assert.equal((await reported(agent, { ...whole, accelerators, nvswitches })).fits, true)
  const { id } = await launch()
  const own = nvswitches.map(({ pci }) => pci)
  const { hardware } = await instance(id)
  assert.deepEqual(hardware.nvswitches, own)
  const shown = hardware.accelerators.map(({ pci }) => pci)
  assert.deepEqual((await desiredMachine(agent, id)).machine.devices, [...shown, ...own])
  const lost = nvswitches.map((one, index) => (index === 0 ? { ...one, iommu_group: null } : one))
  const response = await reported(agent, { ...whole, accelerators, nvswitches: lost })
  assert.deepEqual([response.fits, response.problems.length], [false, 1])
  assert.match(response.problems[0], / nvswitches: .* cannot be given 0001:07:00\.0\.$/)
  const [{ state }, { termination }] = [await instance(id), await explain(id)]
  assert.deepEqual([state, termination], ['running', null], 'its machine runs on')
})

test('a host that loses an accelerator takes no instances, and those that it cannot run end with notice', async () => {
  const { agent, launch, instance, explain } = await makeFixture(2, 1)
  const { id } = await launch()
  const devices = (await instance(id)).hardware.accelerators
  assert.equal(await supplyOf(agent), 1)
  const whole = hardwareThatFits(promised, 2)
  const { accelerators } = hardwareThatFits({ accelerator: 'h100', num_accelerators: 1 })
  const response = await reported(agent, { ...whole, accelerators })
  assert.equal(response.fits, false)
  assert.deepEqual((await instance(id)).hardware.accelerators, devices, 'its machine still has them')
  assert.match(response.problems[0], /accelerators: SKU asks for 2 × h100 a slot, 4 for 2 slots, host has 1/)
  await heartbeat(agent)
  const host = await hostOf(agent)
  assert.equal(host.health, 'faulted')
  assert.match(host.health_message, /^The host no longer fits its SKU\. accelerators: /)
  assert.equal(await supplyOf(agent), 0)
  assert.deepEqual(await hostEvents(agent), ['host.facts_changed', 'host.unfit'])
  const { termination, summary } = await explain(id)
  assert.equal(termination.reason, 'host_unfit')
  assert.match(summary, /^It runs\. Its host no longer has the hardware of its SKU: it ends at /)
  const { now } = await server.call('get_clock')
  assert.ok(termination.deadline_at > now + 3_000 && termination.deadline_at <= now + 3_600)
  await server.advance(termination.deadline_at - now - 500)
  await server.settle()
  assert.equal((await instance(id)).state, 'running')
  assert.equal((await explain(id)).termination.notice_at !== null, true)
  await server.advance(500)
  await server.settle()
  assert.equal((await instance(id)).state, 'terminated')
  assert.equal((await explain(id)).termination.reason, 'host_unfit')
})

test('a host with less memory after a reboot than it has promised gives notice to its machines', async () => {
  const { agent, launch, explain } = await makeFixture(2, 1)
  const { id } = await launch()
  const whole = hardwareThatFits(promised, 2)
  const response = await reported(agent, { ...whole, memory_bytes: 60 * gibibyte })
  assert.equal(response.fits, false)
  assert.match(response.problems[0], / memory: SKU asks for 64 GiB a slot, 128 GiB for 2 slots, host has 58 GiB for /)
  await heartbeat(agent)
  assert.deepEqual([(await hostOf(agent)).health, await supplyOf(agent)], ['faulted', 0])
  assert.equal((await explain(id)).termination.reason, 'host_unfit')
  assert.equal((await reported(agent, whole)).fits, true)
  assert.equal((await explain(id)).termination?.reason === 'host_unfit', false)
})

test('a host with its hardware again gets its nodes back, and the notice of its instances is withdrawn', async () => {
  const { agent, launch, explain, token } = await makeFixture(3, 1)
  const { id } = await launch()
  const whole = hardwareThatFits(promised, 3)
  await reported(agent, { ...whole, accelerators: [] })
  const { now } = await server.call('get_clock')
  await server.advance((await explain(id)).termination.deadline_at - now - 300)
  await server.settle()
  assert.deepEqual(await reported(agent, whole), { fits: true, problems: [] })
  await server.settle()
  assert.equal(await supplyOf(agent), 2)
  assert.equal((await hostOf(agent)).health, 'faulted')
  await heartbeat(agent)
  assert.deepEqual([(await hostOf(agent)).health, (await hostOf(agent)).health_message], ['healthy', null])
  const lines = await eventsOf(server, token, id)
  assert.deepEqual(lines.slice(-2), ['instance.termination_imminent system', 'instance.termination_withdrawn system'])
  assert.deepEqual(
    (await hostEvents(agent)).filter((action) => action !== 'host.facts_changed'),
    ['host.unfit', 'host.fit'],
  )
})

test('machines for which there still is hardware run on', async () => {
  const { agent, launch, explain } = await makeFixture(2, 2)
  const { id } = await launch()
  const one = hardwareThatFits(promised, 1)
  assert.equal(
    (await reported(agent, { ...hardwareThatFits(promised, 2), accelerators: one.accelerators })).fits,
    false,
  )
  await server.settle()
  assert.equal((await explain(id)).termination, null)
})

test('a drain and an uncordon of a host that lacks hardware leave its nodes away until it fits', async () => {
  const { agent } = await makeFixture(2, 1)
  const whole = hardwareThatFits(promised, 2)
  await reported(agent, { ...whole, accelerators: [] })
  const { now } = await server.call('get_clock')
  await server.call('drain_host', { params: { id: agent.host }, body: { deadline_at: now + 600, force: true } })
  assert.equal(await supplyOf(agent), 0)
  await server.call('uncordon_host', { params: { id: agent.host } })
  assert.equal(await supplyOf(agent), 0)
  await reported(agent, whole)
  assert.equal(await supplyOf(agent), 1)
})

test('a machine gets the size that its account was shown, which is never more than that of the SKU', async () => {
  const { sku, agent, launch, token, instance } = await makeFixture(2, 2)
  const { id: account } = await server.call('get_account', { token })
  for (const [body, field] of [
    [{ num_vcpus: 17 }, 'num_vcpus'],
    [{ memory_bytes: 65 * gibibyte }, 'memory_bytes'],
    [{ num_accelerators: 3 }, 'num_accelerators'],
    [{ accelerator: 'a100' }, 'accelerator'],
    [{ rdma_type: 'roce' }, 'rdma_type'],
  ] as const) {
    assert.deepEqual(refusalOf(await server.attempt('put_sku_override', { params: { account, sku }, body })), [
      422,
      'not_applicable',
      field,
    ])
  }
  // Keys of partitions are unique within a fabric, so an override must not name another one than the wire is of.
  for (const fabric of ['one', 'two']) await makeValue(server, 'infiniband_fabric', fabric)
  const wired = await makeSku(server, { rdma_type: 'infiniband', infiniband_fabric: 'one' })
  const other = await server.attempt('put_sku_override', {
    params: { account, sku: wired },
    body: { infiniband_fabric: 'two' },
  })
  assert.deepEqual(refusalOf(other), [422, 'not_applicable', 'infiniband_fabric'])
  const before = await launch()
  await server.call('put_sku_override', {
    params: { account, sku },
    body: { num_vcpus: 4, memory_bytes: 8 * gibibyte },
  })
  const after = await launch()
  const { instances } = await agent.call('get_desired_state')
  for (const { id } of [before, after]) {
    const { machine } = instances.find((one) => one.id === id)
    const size = { cpu_count: 4, memory_bytes: 8 * gibibyte, storage_bytes: null, accelerators: 2 }
    const shown = (await instance(id)).hardware.accelerators.map(({ pci }) => pci)
    assert.deepEqual(machine, { ...size, devices: shown })
  }
})
