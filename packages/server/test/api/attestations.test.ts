import assert from 'node:assert/strict'
import { type KeyObject, sign } from 'node:crypto'
import { machineKeyType, machineStatementType } from '@bourse/api/fleet/attestation.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { machineKey, stateMachine } from '../../../agent/src/statements.ts'
import { verifyAttestation } from '../../../sdk/src/verify-attestation.ts'
import { platformAccount, whenRefused } from '../support/access.ts'
import { enrol, factsThatFit, hardwareThatFits, introduction, makeHostKey, type TestAgent } from '../support/agents.ts'
import type { CallBody } from '../support/calls.ts'
import { grantNodes, makeCapacity } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku, makeValue } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

type MachineStatement = CallBody<'report_machine_statements'>['statements'][number]

const server = await startTestServer()
const platform = await platformAccount(server)
await makeValue(server, 'accelerator', 'h100')
const promised = { accelerator: 'h100', num_accelerators: 2, num_vcpus: 16, memory_bytes: 2 ** 36 } as const
const hardware = hardwareThatFits(promised, 2)
const account = await server.account()
const { token } = account
const keys = await server.call('get_signing_keys', { token: null })
const host = await makeHost()
const [machine, sibling] = [await launch(host), await launch(host)]

/** A host of a SKU of its own with two slots, and a pool of the account that owns both. */
async function makeHost() {
  const sku = await makeSku(server, promised)
  const permit = await server.call('create_host_enrolment', { body: { sku, slots: 2 } })
  const agent = await enrol(server, permit.token, { facts: factsThatFit(promised, 2) })
  const supply = (await server.call('get_host', { params: { id: agent.host } })).pool.id
  const pool = await grantNodes(server, account, { sku, supply, nodes: 2 })
  const { id: image } = await makeImage(server, account)
  await server.advance(60)
  return { agent, sku, pool, image }
}

type AttestedMachine = { id: string; slot: number; generation: number; machine: object }

async function launch({ agent, ...place }: Awaited<ReturnType<typeof makeHost>>): Promise<AttestedMachine> {
  const { id } = await server.call('create_instance', { token, body: place })
  let state = await agent.call('get_desired_state')
  for (;;) {
    const wanted = state.instances.find((one: AttestedMachine) => one.id === id)
    if (wanted) return wanted
    state = await agent.call('get_desired_state', { query: { generation: state.generation, wait_seconds: 20 } })
  }
}

const devicesOf = ({ slot }: AttestedMachine) => [0, 1].map((index) => `0000:0${2 * slot + index}:00.0`)
const attestationOf = (id: string, more: object = { token }) =>
  server.attempt('get_instance_attestation', { params: { id }, ...more })
const report = (agent: TestAgent, { id, generation }: AttestedMachine) =>
  agent.call('report_host', {
    body: {
      epoch: agent.epoch,
      generation: 0,
      health: 'healthy',
      instances: [{ id, generation, state: 'running' }],
    },
  })
const state = (agent: TestAgent, wanted: AttestedMachine) =>
  stateMachine({ key: agent.key.private_key, host: agent.host }, { id: wanted.id, wanted } as never, {
    hardware,
    devices: devicesOf(wanted),
  })
const send = async (agent: TestAgent, statements: MachineStatement[]) =>
  (await agent.call('report_machine_statements', { body: { epoch: agent.epoch, statements } })).refused

/** Signs claims as an agent does, or as one that lies. */
function signed(key: KeyObject, typ: string, claims: object): string {
  const parts = [{ alg: 'EdDSA', typ }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${parts.join('.')}.${sign(null, Buffer.from(parts.join('.')), key).toString('base64url')}`
}

const claimsIn = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[1] as string, 'base64url').toString())

test('get_instance_attestation has what its host and the server signed, and neither names the host', async () => {
  const { agent, sku } = host
  await report(agent, machine)
  assert.deepEqual(await send(agent, [await state(agent, machine)]), [])
  const { status, body } = await attestationOf(machine.id)
  assert.equal(status, 200)
  const verified = await verifyAttestation(body, { keys, instance: machine.id })
  assert.deepEqual(
    [verified.instance, verified.sku, verified.simulated, verified.signed_by_host],
    [machine.id, sku, false, true],
  )
  const shown = await server.call('get_instance', { params: { id: machine.id }, token })
  assert.equal(verified.host, shown.hardware.host)
  assert.deepEqual(verified.hardware, body.hardware)
  assert.deepEqual(
    verified.hardware.accelerators.map(({ pci }) => pci),
    devicesOf(machine),
  )
  assert.deepEqual([verified.hardware.num_vcpus, verified.hardware.memory_bytes], [16, 2 ** 36])
  const [outer, inner] = [claimsIn(body.jws), claimsIn(claimsIn(body.jws).statement)]
  for (const secret of [agent.host, agent.key.public_key]) {
    assert.ok(!JSON.stringify([outer, inner]).includes(secret))
  }
})

test('get_signing_keys has the key of the server first, in the form of RFC 7517', () => {
  assert.deepEqual(Object.keys(keys.keys[0]), ['kty', 'crv', 'x', 'kid', 'use', 'alg'])
  assert.equal(Buffer.from(keys.keys[0].x, 'base64url').length, 32)
  assert.ok(keys.keys.every((key: object) => !('d' in key)))
})

test('an instance without a machine, or without a statement that is good, is not attested', async () => {
  const { agent, sku, pool, image } = host
  const waiting = await server.call('create_instance', { token, body: { sku, pool, image } })
  assert.deepEqual(refusalOf(await attestationOf(waiting.id)), [409, 'not_attested', null])
  await report(agent, sibling)
  const missing = await attestationOf(sibling.id)
  assert.deepEqual(refusalOf(missing), [409, 'not_attested', null])
  assert.match(missing.body.error.message, /has stated nothing about it yet/)
  const key = machineKey(agent.key.private_key, sibling.id)
  // Statements expire in real time: on a slow machine one that is good for two seconds may come too late.
  await eventually('a brief statement is taken', async () => {
    const sent = await state(agent, sibling)
    const claims = claimsIn(sent.statement)
    const brief = { ...sent, statement: signed(key, machineStatementType, { ...claims, exp: claims.iat + 2 }) }
    assert.deepEqual(await send(agent, [brief]), [])
    return true
  })
  const response = await whenRefused(() => attestationOf(sibling.id))
  assert.match(response.body.error.message, /expired at \d+\. The host may be silent/)
  await server.call('terminate_instance', { params: { id: waiting.id }, token })
})

test('report_machine_statements takes nothing in the name of another host, machine, slot or time', async () => {
  const { agent } = host
  const good = await state(agent, machine)
  const claims = claimsIn(good.statement)
  const proof = claimsIn(good.key_proof)
  const key = machineKey(agent.key.private_key, machine.id)
  const stated = (more: object) => ({ ...good, statement: signed(key, machineStatementType, { ...claims, ...more }) })
  const other = makeHostKey().private_key
  const ofSibling = await state(agent, sibling)
  const lies: readonly (readonly [MachineStatement, string])[] = [
    [{ ...good, key_proof: signed(other, machineKeyType, proof) }, 'bad_key'],
    [{ ...good, key_proof: ofSibling.key_proof }, 'bad_key'],
    [{ ...good, key_proof: signed(agent.key.private_key, machineKeyType, { ...proof, iss: 'host_x' }) }, 'bad_key'],
    [{ ...good, key_proof: signed(agent.key.private_key, machineStatementType, proof) }, 'bad_key'],
    [{ ...good, statement: ofSibling.statement }, 'bad_signature'],
    [{ ...good, statement: signed(other, machineStatementType, claims) }, 'bad_signature'],
    [{ ...good, statement: signed(key, machineKeyType, claims) }, 'bad_signature'],
    [stated({ sub: sibling.id }), 'bad_claims'],
    [stated({ slot: 1 - machine.slot }), 'bad_claims'],
    [stated({ hardware: { ...claims.hardware, accelerators: 'eight' } }), 'bad_claims'],
    [stated({ iat: claims.iat - 7300, exp: claims.iat - 100 }), 'not_timely'],
    [stated({ iat: claims.iat + 600, exp: claims.iat + 700 }), 'not_timely'],
    [stated({ exp: claims.iat + 7201 }), 'not_timely'],
    [{ ...good, instance: 'inst_nowhere' }, 'unknown_machine'],
  ]
  for (const [lie, reason] of lies) {
    const { instance } = lie
    assert.deepEqual(await send(agent, [lie]), [{ instance, reason }], JSON.stringify(lie))
  }
  const stranger = await makeHost()
  const instance = machine.id
  assert.deepEqual(await send(stranger.agent, [good]), [{ instance, reason: 'unknown_machine' }])
  const mixed = await send(agent, [lies[0]?.[0] as MachineStatement, await state(agent, sibling)])
  assert.deepEqual(mixed, [{ instance, reason: 'bad_key' }])
  assert.equal((await attestationOf(sibling.id)).status, 200)
  const malformed = { epoch: agent.epoch, statements: [{ ...good, statement: 'x' }] }
  const refused = await agent.attempt('report_machine_statements', { body: malformed })
  assert.deepEqual(refusalOf(refused), [400, 'invalid_format', 'statements.0.statement'])
})

test('what a newer agent adds is signed, and left out of what is shown', async () => {
  const { agent } = host
  const sent = await state(agent, machine)
  const claims = claimsIn(sent.statement)
  const key = machineKey(agent.key.private_key, machine.id)
  const more = { ...claims, hardware: { ...claims.hardware, bios: '1.2' } }
  assert.deepEqual(await send(agent, [{ ...sent, statement: signed(key, machineStatementType, more) }]), [])
  const { body } = await attestationOf(machine.id)
  assert.equal('bios' in body.hardware, false)
  assert.equal(((await verifyAttestation(body, { keys })).hardware as Record<string, unknown>).bios, '1.2')
})

test('a simulated host is signed for by the server alone, and said to be simulated', async () => {
  const infiniband = { ...promised, rdma_type: 'infiniband' }
  const { sku, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 1, sku: infiniband })
  const { id } = await server.call('create_instance', { token, body: { sku, pool, image } })
  await server.settle()
  const { body } = await attestationOf(id)
  const { simulated, signed_by_host, hardware: has } = await verifyAttestation(body, { keys, instance: id })
  assert.deepEqual([simulated, signed_by_host, has.accelerators.length], [true, false, 2])
  const { hardware } = await server.call('get_instance', { params: { id }, token })
  assert.equal(hardware.rdma.length, 1)
  assert.deepEqual(
    has.rdma?.map(({ pci }) => pci),
    hardware.rdma,
  )
})

test('an attestation is for those who may read the instance', async () => {
  const other = await server.account()
  const path = `/v2/instances/${machine.id}`
  for (const suffix of ['', '/attestation']) {
    assert.equal((await server.request('GET', path + suffix, { token: other.token })).status, 404)
  }
  assert.equal((await attestationOf(machine.id, { token: null })).status, 401)
})

test('only the operator supplies hosts of a SKU that says so, and every buyer sees it', async () => {
  const sku = await makeSku(server, { operator_hosts_only: true })
  assert.equal((await server.call('get_sku', { params: { id: sku }, token })).operator_hosts_only, true)
  const partner = await server.account()
  const permit = (own: { token: string }) =>
    server.attempt('create_host_enrolment', { token: own.token, body: { sku, uses: 2 } })
  assert.deepEqual(refusalOf(await permit(partner)), [422, 'operator_hosts_only', 'sku'])
  const simulated = { sku, account: partner.id, count: 1 }
  const refused = await server.attempt('create_simulated_hosts', { body: simulated })
  assert.deepEqual(refusalOf(refused), [422, 'operator_hosts_only', 'sku'])
  await enrol(server, (await permit(platform)).body.token)
  await server.call('create_simulated_hosts', { body: { ...simulated, account: platform.id } })
})

test('a SKU that partners supply cannot be kept to the operator, and their older permits end there', async () => {
  const sku = await makeSku(server)
  const partner = await server.account()
  const own = { token: partner.token }
  await server.call('put_account_limit', { params: { account: partner.id, name: 'hosts' }, body: { value: 2 } })
  const { token: secret } = await server.call('create_host_enrolment', { ...own, body: { sku, uses: 2 } })
  const { host: id } = await enrol(server, secret, {
    facts: { ...factsThatFit({}), host_address: '192.0.2.70', public_ipv4s: [] },
  })
  const change = () => server.attempt('update_sku', { params: { id: sku }, body: { operator_hosts_only: true } })
  const refused = await change()
  assert.deepEqual(refusalOf(refused), [409, 'in_use', 'operator_hosts_only'])
  assert.equal(refused.body.error.details[0].message, `A partner owns the host ${id}.`)
  const { now } = await server.call('get_clock')
  await server.call('drain_host', { params: { id }, ...own, body: { deadline_at: now + 60, force: true } })
  await server.advance(120)
  await server.settle()
  await server.call('retire_host', { params: { id }, ...own })
  assert.equal((await change()).status, 200)
  const late = await server.attempt('enrol_host', {
    token: null,
    body: introduction(secret, makeHostKey(), { facts: { ...factsThatFit({}), public_ipv4s: [] } }),
  })
  assert.deepEqual(refusalOf(late), [422, 'operator_hosts_only', 'enrol_token'])
})

test('report_benchmark: the host shows the figures, and its SKU those that the operator named', async () => {
  const { sku, agent } = await makeHost()
  const { token: secret } = await server.call('create_host_enrolment', { body: { sku, slots: 2 } })
  const other = await enrol(server, secret, {
    facts: { ...factsThatFit(promised, 2), host_address: '192.0.2.88', public_ipv4s: [] },
  })
  const figure = (value: string) => ({ name: 'memory_bandwidth', value, unit: 'GB/s' })
  const put = (by: TestAgent, measured_at: number, ...figures: object[]) =>
    by.attempt('report_benchmark', { body: { epoch: by.epoch, measured_at, figures } })
  const shown = async () => {
    await server.settle()
    const own = (await server.call('get_sku', { params: { id: sku }, token })).benchmarks
    const { data } = await server.call('list_skus', { query: { limit: 200 }, token })
    assert.deepEqual(data.find(({ id }) => id === sku).benchmarks, own)
    return own
  }
  assert.equal(await shown(), undefined)
  assert.equal((await server.call('get_host', { params: { id: agent.host } })).benchmark, null)
  const now = Math.floor(Date.now() / 1000)
  assert.equal((await put(agent, now - 500, figure('312.5'))).status, 200)
  const { measured_at } = (await put(other, now + 9000, figure('98.25'))).body
  assert.ok(measured_at < now + 9000, 'a time ahead of the server is that of the server')
  const { benchmark } = await server.call('get_host', { params: { id: agent.host } })
  assert.deepEqual(benchmark, { measured_at: now - 500, figures: [figure('312.5')] })
  assert.equal(await shown(), undefined)
  const name = (...benchmark_figures: string[]) =>
    server.attempt('update_sku', { params: { id: sku }, body: { benchmark_figures } })
  assert.deepEqual(refusalOf(await name('memory_bandwidth')), [400, 'invalid_format', 'benchmark_figures.0'])
  const named = await name('fp16 TFLOP/s', 'memory_bandwidth GB/s', 'fp16 TFLOP/s')
  assert.deepEqual(named.body.benchmark_figures, ['fp16 TFLOP/s', 'memory_bandwidth GB/s'])
  const both = { name: 'memory_bandwidth', unit: 'GB/s', lowest: '98.25', median: '98.25', host_count: 2 }
  assert.deepEqual(await shown(), [{ ...both, measured_at: now - 500 }])
  await put(other, now - 91 * 86_400, figure('98.25'))
  const alone = { ...both, lowest: '312.5', median: '312.5', host_count: 1, measured_at: now - 500 }
  assert.deepEqual(await shown(), [alone])
  await name()
  assert.equal(await shown(), undefined)
  await name('memory_bandwidth GB/s')
  assert.deepEqual(await shown(), [alone])
  assert.deepEqual(refusalOf(await put(agent, now, figure('1'), figure('2'))), [
    400,
    'duplicate_entry',
    'figures.1.name',
  ])
  assert.deepEqual(refusalOf(await put(agent, now, figure('-1'))), [400, 'invalid_format', 'figures.0.value'])
  const { now: at } = await server.call('get_clock')
  await server.call('drain_host', { params: { id: agent.host }, body: { deadline_at: at + 60, force: true } })
  await server.advance(120)
  await server.settle()
  await server.call('retire_host', { params: { id: agent.host } })
  assert.equal(await shown(), undefined)
})
