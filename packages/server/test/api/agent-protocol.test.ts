import assert from 'node:assert/strict'
import { test } from 'vitest'
import { platformAccount } from '../support/access.ts'
import {
  enrol,
  facts,
  factsThatFit,
  introduction,
  introductionAt,
  makeHostKey,
  signAgentToken,
  type TestAgent,
} from '../support/agents.ts'
import type { CallBody } from '../support/calls.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { eventsOf, makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

const server = await startTestServer()
const operator = await platformAccount(server)

type ProtocolFixture = { agent: TestAgent; account: TestAccount; sku: string; pool: string; image: string }

/** A real host of the platform with slots, and an account that owns all of them. */
async function makeFixture({
  slots = 2,
  properties = {},
  found = facts,
}: {
  slots?: number
  properties?: Record<string, unknown>
  found?: object
} = {}): Promise<ProtocolFixture> {
  const sku = await makeSku(server, properties)
  const agent = await enrol(server, (await permit({ sku, slots })).token, { facts: found })
  const account = await server.account()
  const { pool } = await server.call('get_host', { params: { id: agent.host } })
  const granted = await grantNodes(server, account, { sku, supply: pool.id, nodes: slots })
  await server.advance(60)
  return { agent, account, sku, pool: granted, image: (await makeImage(server, account)).id }
}

function permit(body: CallBody<'create_host_enrolment'>) {
  return server.call('create_host_enrolment', { token: operator.token, body })
}

/** An instance placed on the host, as the desired state of the host lists it. */
async function placed({ agent, account, pool, sku, image }: ProtocolFixture, more: object = {}) {
  const body = { pool, sku, image, ...more }
  const before = await agent.call('get_desired_state')
  const instance = await server.call('create_instance', { token: account.token, body })
  const { instances, generation } = await agent.call('get_desired_state', {
    query: { generation: before.generation, wait_seconds: 55 },
  })
  const wanted = instances.find(({ id }) => id === instance.id)
  assert.ok(wanted, 'the desired state does not list the instance')
  return { id: instance.id as string, wanted, generation: generation as number }
}

function report(agent: TestAgent, instances: object[], more: object = {}) {
  return agent.attempt('report_host', {
    body: { epoch: agent.epoch, generation: 1, health: 'healthy', instances, ...more },
  })
}

async function reported(agent: TestAgent, instances: object[], more: object = {}) {
  const response = await report(agent, instances, more)
  assert.equal(response.status, 200, response.text)
  return response.body
}

async function stateOf({ account }: ProtocolFixture, id: string): Promise<string> {
  return (await server.call('get_instance', { params: { id }, token: account.token })).state
}

test('enrol_host creates a host by a permit, and the slots of the host are supply', async () => {
  const sku = await makeSku(server)
  const { token } = await permit({ sku, slots: 4 })
  const agent = await enrol(server, token, { name: 'rack-one', facts: { ...facts, colour: 'from a newer agent' } })
  assert.equal(agent.epoch, 1)
  const host = await server.call('get_host', { params: { id: agent.host } })
  assert.deepEqual(
    [host.name, host.state, host.health, host.slots, host.agent_version, host.sku.id],
    ['rack-one', 'active', 'healthy', 4, '0.1.0', sku],
  )
  assert.deepEqual(host.facts, facts)
  const { allocation_schedule } = await server.call('get_pool', { params: { id: host.pool.id } })
  assert.equal(allocation_schedule.by_sku[sku]?.at(-1).node_count, 4)
})

test('report_host refuses an SSH endpoint that a client could take for an option or for several lines', async () => {
  const { agent } = await makeFixture()
  const ssh = { hostname: '192.0.2.7', port: 22, host_keys: [{ key_type: 'ssh-ed25519', key: 'AAAA' }] }
  const wrong = [
    ...['-oProxyCommand=x', 'a b', 'a\nb', '$(id)', 'x;y', 'a\u001b[2J', ''].map((hostname) => ({ ...ssh, hostname })),
    ...['a\nb', 'ssh rsa', '@cert-authority'].map((key_type) => ({ ...ssh, host_keys: [{ key_type, key: 'AAAA' }] })),
    ...['A A', 'A\n@cert-authority * x'].map((key) => ({ ...ssh, host_keys: [{ key_type: 'ssh-rsa', key }] })),
  ]
  for (const one of wrong) {
    const { status, body } = await report(agent, [{ id: 'inst_a', generation: 1, state: 'running', ssh: one }])
    assert.deepEqual([status, body.error.details[0].code], [400, 'invalid_format'], JSON.stringify(one))
  }
  await reported(agent, [{ id: 'inst_a', generation: 1, state: 'running', ssh }])
})

test('enrol_host refuses addresses that no host can have', async () => {
  const { token } = await permit({ sku: await makeSku(server) })
  for (const host_address of ['garbage', '0.0.0.0', '224.0.0.1', '169.254.169.254']) {
    const body = introduction(token, makeHostKey(), { facts: { ...facts, host_address } })
    const response = await server.attempt('enrol_host', { token: null, body })
    assert.deepEqual(refusalOf(response), [422, 'address_refused', 'facts.host_address'])
  }
})

test('a repeated enrolment with the same key starts the next epoch of the host and uses no permit', async () => {
  const sku = await makeSku(server)
  const key = makeHostKey()
  const { token } = await permit({ sku })
  const first = await enrol(server, token, { key })
  const again = await enrol(server, token, { key, facts: { ...facts, hostname: 'renamed' } })
  assert.deepEqual([again.host, again.epoch], [first.host, 2])
  assert.equal((await server.call('get_host', { params: { id: first.host } })).facts.hostname, 'renamed')
  const other = introduction(token, makeHostKey())
  assert.equal((await server.attempt('enrol_host', { token: null, body: other })).status, 401)
  assert.deepEqual(refusalOf(await report(first, [])), [409, 'stale_epoch', null])
  assert.equal((await report(again, [])).status, 200)
})

test('a host enrols again only with a proof that the sender holds its key', async () => {
  const sku = await makeSku(server)
  const key = makeHostKey()
  const { token } = await permit({ sku, uses: 2 })
  const first = await enrol(server, token, { key })
  const thief = { ...makeHostKey(), public_key: key.public_key }
  const genuine = introduction(token, key) as { proof: { signed_at: number } }
  for (const body of [
    { ...genuine, proof: undefined },
    introduction(token, thief),
    { ...genuine, proof: { ...genuine.proof, signed_at: genuine.proof.signed_at - 1 } },
    { ...introduction((await permit({ sku })).token, key), proof: genuine.proof },
  ]) {
    const response = await server.attempt('enrol_host', { token: null, body })
    assert.deepEqual([response.status, response.body.error?.type], [401, 'authentication_error'])
  }
  assert.equal((await report(first, [])).status, 200)
  assert.equal((await enrol(server, token, { key })).epoch, 2)
})

function sendEnrolment(body: CallBody<'enrol_host'>) {
  return server.attempt('enrol_host', { token: null, body })
}

test('a replayed enrolment gives the answer of the first time, and the agent goes on in its epoch', async () => {
  const key = makeHostKey()
  const { token } = await permit({ sku: await makeSku(server) })
  const requests = [introduction(token, key), introduction(token, key, { facts: { ...facts, hostname: 'again' } })]
  for (const [index, request] of requests.entries()) {
    const { body: genuine } = await sendEnrolment(request)
    const { status, body } = await sendEnrolment(request)
    assert.deepEqual([status, { ...body, server_time: genuine.server_time }], [201, genuine])
    assert.equal(body.epoch, index + 1)
    const rest = { generation: 1, health: 'healthy' as const, instances: [] }
    const speaks = await signAgentToken(key, { sub: body.host, iss: body.host, aud: body.audience })
    await server.call('report_host', { token: speaks, body: { epoch: body.epoch, ...rest } })
  }
})

test('an enrolment that was signed before the last accepted one is refused, and changes nothing', async () => {
  const key = makeHostKey()
  const { token } = await permit({ sku: await makeSku(server) })
  const now = Math.floor(Date.now() / 1000)
  const first = introductionAt(now, token, key)
  await server.call('enrol_host', { token: null, body: first })
  const second = introductionAt(now + 1, token, key)
  const { host } = await server.call('enrol_host', { token: null, body: second })
  const moved = { facts: { ...facts, host_address: '192.0.2.8' } }
  for (const [what, body] of Object.entries({
    'the first request': first,
    'one that no server has seen': introductionAt(now - 1, token, key),
    'the second with other facts': { ...second, ...moved },
    'the second with another permit': introductionAt(
      now + 1,
      (await permit({ sku: await makeSku(server) })).token,
      key,
    ),
  })) {
    assert.deepEqual(refusalOf(await sendEnrolment(body)), [409, 'stale_enrolment', null], what)
  }
  assert.equal((await server.call('get_host', { params: { id: host } })).facts.host_address, facts.host_address)
  const next = await server.call('enrol_host', { token: null, body: introductionAt(now + 2, token, key, moved) })
  assert.deepEqual([next.host, next.epoch], [host, 3])
})

test('a first enrolment that is signed for later is refused, so that nobody can send it again then', async () => {
  const key = makeHostKey()
  const { token } = await permit({ sku: await makeSku(server) })
  const now = Math.floor(Date.now() / 1000)
  const response = await sendEnrolment(introductionAt(now + 3600, token, key))
  assert.deepEqual([response.status, response.body.error.type], [401, 'authentication_error'])
  assert.match(response.body.error.message, /clock/)
  // A request of the past cannot be used again, and a host without a clock may have nothing better.
  const { host } = await server.call('enrol_host', { token: null, body: introductionAt(now - 86_400, token, key) })
  const again = await server.call('enrol_host', { token: null, body: introductionAt(now, token, key) })
  assert.deepEqual([again.host, again.epoch], [host, 2])
})

test('a host that enrolled without a proof enrols again with one', async () => {
  const key = makeHostKey()
  const { token } = await permit({ sku: await makeSku(server) })
  const { proof, ...without } = introduction(token, key)
  await server.call('enrol_host', { token: null, body: without })
  assert.equal((await server.call('enrol_host', { token: null, body: { ...without, proof } })).epoch, 2)
})

test('an invalid enrolment is refused and creates no host', async () => {
  const sku = await makeSku(server)
  const { token } = await permit({ sku, uses: 3 })
  const name = (await enrol(server, token, { name: `taken-${process.pid}` })) && `taken-${process.pid}`
  const stranger = await server.account({ trust_level: 'partner' })
  const foreign = await server.call('create_host_enrolment', { token: stranger.token, body: { sku } })
  const taken = makeHostKey()
  await enrol(server, foreign.token, { key: taken })
  const key = makeHostKey()
  const good = introduction(token, key)
  for (const [body, status, code] of [
    [{ ...good, enrol_token: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}` }, 401, 'authentication_error'],
    [{ ...good, enrol_token: 'bhe_absent' }, 401, 'authentication_error'],
    [{ ...good, enrol_token: operator.token.slice(0, 255) }, 401, 'authentication_error'],
    [introduction(token, taken), 401, 'authentication_error'],
    [{ ...good, name }, 409, 'conflict'],
    [{ ...good, public_key: 'short' }, 400, 'invalid_request_error'],
    [{ ...good, public_key: `${key.public_key.slice(0, 42)}_` }, 400, 'invalid_request_error'],
    [{ ...good, facts: { ...facts, network: 'wide' } }, 400, 'invalid_request_error'],
    [{ ...good, facts: undefined }, 400, 'invalid_request_error'],
  ] as const) {
    const response = await server.attempt('enrol_host', { token: null, body })
    assert.equal(response.status, status, response.text)
    if (status !== 409) assert.equal(response.body.error.type, code, response.text)
  }
  await server.call('retire_sku', { params: { id: sku } })
  const late = await server.attempt('enrol_host', { token: null, body: good })
  assert.deepEqual(refusalOf(late), [422, 'sku_not_available', 'enrol_token'])
  const { data } = await server.call('list_hosts', { query: { sku: [sku] } })
  assert.equal(data.length, 2)
})

test('a SKU with InfiniBand accepts only hosts that can set partitions', async () => {
  const infiniband = { rdma_type: 'infiniband', infiniband_fabric: 'fabric-x' } as const
  const fitting = factsThatFit(infiniband)
  const { token } = await permit({ sku: await makeSku(server, infiniband), uses: 2 })
  const without = { facts: { ...fitting, sets_partitions: false } }
  const key = makeHostKey()
  const response = await server.attempt('enrol_host', { token: null, body: introduction(token, key, without) })
  assert.deepEqual(refusalOf(response), [422, 'sku_not_available', 'facts.sets_partitions'])
  const { host } = await enrol(server, token, { key, facts: { ...fitting, sets_partitions: true } })
  assert.equal((await server.call('get_host', { params: { id: host } })).facts.sets_partitions, true)
  const again = await server.attempt('enrol_host', { token: null, body: introduction(token, key, without) })
  assert.deepEqual(refusalOf(again), [422, 'sku_not_available', 'facts.sets_partitions'])
  const { token: plain } = await permit({ sku: await makeSku(server) })
  await enrol(server, plain, without)
})

test('a host of a simulated SKU needs no partition command, and its machines are in no partition', async () => {
  const infiniband = { rdma_type: 'infiniband', infiniband_fabric: 'fabric-y' } as const
  const networkOn = async (properties: object, found: object) => {
    const fixture = await makeFixture({ slots: 1, properties: { ...infiniband, ...properties }, found })
    const { id: partition } = await server.call('create_infiniband_partition', {
      token: fixture.account.token,
      body: { infiniband_fabric: infiniband.infiniband_fabric },
    })
    const { wanted } = await placed(fixture, { _preview_infiniband_partition: partition })
    assert.equal(wanted.network.infiniband_partition, partition)
    return wanted.network
  }
  const real = await networkOn({}, { ...factsThatFit(infiniband), sets_partitions: true })
  assert.ok(real.partition_key !== null && real.partition_key >= 1)
  const simulated = await networkOn({ simulated: true }, { ...facts, sets_partitions: false })
  assert.equal(simulated.partition_key, null)
})

test('of many concurrent enrolments, exactly as many succeed as the permit allows', async () => {
  const { token } = await permit({ sku: await makeSku(server), uses: 5 })
  const responses = await Promise.all(
    Array.from({ length: 24 }, () => {
      const body = introduction(token, makeHostKey())
      return server.attempt('enrol_host', { token: null, body })
    }),
  )
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(19).fill(401)])
})

test('only tokens signed by the key of a host are accepted, and only by the agent protocol', async () => {
  const { agent, account } = await makeFixture()
  const other = await enrol(server, (await permit({ sku: await makeSku(server) })).token)
  const ask = async (claims: object) =>
    agent.attempt('get_desired_state', { token: await agent.token(claims as never) })
  assert.equal((await ask({})).status, 200)
  for (const [what, claims] of Object.entries({
    'the key of another host': { key: other.key.private_key },
    'another host as subject': { sub: other.host },
    'another issuer': { iss: other.host },
    'no host': { sub: 'nobody', iss: 'nobody' },
    'a host that is not there': { sub: 'host_absent', iss: 'host_absent' },
    'another audience': { aud: 'https://elsewhere.example' },
    'a list of audiences': { aud: ['https://elsewhere.example'] },
    'another type': { typ: 'bourse-api+jwt' },
    'too long a life': { life_seconds: 361 },
    'its time over': { age_seconds: 600 },
    'no id': { jti: undefined },
  })) {
    const response = await ask(claims)
    assert.deepEqual([response.status, response.body?.error?.type], [401, 'authentication_error'], what)
  }
  assert.equal((await server.attempt('get_desired_state', { token: account.token })).status, 401)
  assert.equal((await server.attempt('get_desired_state', { token: null })).status, 401)
  const listed = await server.request('GET', '/agent/v1/../../preview/v2/hosts', { token: await agent.token() })
  assert.equal(listed.status, 401)
})

test('get_desired_state returns a newer state at once, waits for the next one, and is 204 after the wait', async () => {
  const fixture = await makeFixture()
  const { agent, account } = fixture
  const whole = await agent.call('get_desired_state')
  assert.deepEqual([whole.object, whole.epoch, whole.cordoned, whole.instances], ['desired_state', 1, false, []])
  const nothing = await agent.attempt('get_desired_state', { query: { generation: whole.generation, wait_seconds: 0 } })
  assert.deepEqual([nothing.status, nothing.text], [204, ''])
  const waiting = agent.attempt('get_desired_state', { query: { generation: whole.generation, wait_seconds: 55 } })
  const { pool, sku, image } = fixture
  const made = await server.call('create_instance', { token: account.token, body: { pool, sku, image } })
  const changed = await waiting
  assert.equal(changed.status, 200)
  assert.ok(changed.body.generation > whole.generation)
  const [wanted] = changed.body.instances
  const { network, image: from, ...rest } = wanted
  assert.deepEqual(rest, {
    id: made.id,
    generation: changed.body.generation,
    action: 'run',
    slot: 0,
    hostname: made.name,
    machine: { cpu_count: null, memory_bytes: null, storage_bytes: null },
    user_data_ticket: null,
    terminate_at: null,
    terminate_reason: null,
  })
  assert.equal(from.id, image)
  assert.match(network.mac, /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/)
  for (const query of [{ wait_seconds: 56 }, { wait_seconds: -1 }, { generation: 'x' }, { colour: 'red' }]) {
    assert.equal((await agent.attempt('get_desired_state', { query })).status, 400, JSON.stringify(query))
  }
})

test('report_host sets an instance running once, shows its SSH access, and frees its slot at the end', async () => {
  const fixture = await makeFixture()
  const { agent, account } = fixture
  const { token } = account
  const { id, wanted } = await placed(fixture)
  const { generation } = wanted
  assert.equal(await stateOf(fixture, id), 'awaiting_allocation')
  await reported(agent, [{ id, generation, state: 'fetching' }])
  assert.equal(await stateOf(fixture, id), 'running')
  assert.equal((await server.attempt('get_instance_ssh', { params: { id }, token })).status, 404)
  const ssh = { hostname: '192.0.2.7', port: 20_022, host_keys: [{ key_type: 'ssh-ed25519', key: 'AAAA' }] }
  for (const state of ['starting', 'running']) await reported(agent, [{ id, generation, state }])
  // The agent reads the SSH keys of a machine only after the machine runs.
  await reported(agent, [{ id, generation, state: 'running', ssh }])
  const { keys_read_at, ...way } = await server.call('get_instance_ssh', { params: { id }, token })
  assert.deepEqual(way, { object: 'instance_ssh', ...ssh })
  assert.ok(keys_read_at > 0)
  assert.deepEqual(await eventsOf(server, token, id), ['instance.created token', 'instance.running system'])
  await server.call('terminate_instance', { params: { id }, token })
  const ended = await server.attempt('get_instance_ssh', { params: { id }, token })
  assert.deepEqual([ended.status, ended.body.error.type], [404, 'not_found'])
  assert.match(ended.body.error.message, new RegExp(`^${id} was terminated at 20\\d\\d-.*Z, so it has no shell`))
  // Who may not see the instance learns nothing of it.
  const { token: stranger } = await server.account()
  const foreign = await server.attempt('get_instance_ssh', { params: { id }, token: stranger })
  assert.equal(foreign.body.error.message, 'No resource has this id or path.')
  const [stop] = (await agent.call('get_desired_state')).instances
  assert.deepEqual([stop.id, stop.action], [id, 'stop'])
  await reported(agent, [{ id, generation: stop.generation, state: 'stopped' }])
  assert.deepEqual((await agent.call('get_desired_state')).instances, [])
  assert.equal((await server.call('get_host', { params: { id: agent.host } })).used_slots, 0)
})

test('three failed starts, each with a new generation on the same slot, fail an instance', async () => {
  const fixture = await makeFixture()
  const { agent } = fixture
  const { id, wanted } = await placed(fixture)
  let { generation } = wanted
  for (const _ of [1, 2, 3]) {
    await reported(agent, [{ id, generation, state: 'starting' }])
    await reported(agent, [{ id, generation, state: 'start_failed', reason: 'checksum_mismatch' }])
    const [again] = (await agent.call('get_desired_state')).instances
    assert.deepEqual([again.id, again.slot], [id, wanted.slot])
    generation = again.generation
  }
  assert.equal(await stateOf(fixture, id), 'failed')
})

test('reports of older generations of a machine, and of machines of other hosts, change nothing', async () => {
  const fixture = await makeFixture()
  const other = await makeFixture()
  const { id, wanted } = await placed(fixture)
  const { generation } = wanted
  await reported(other.agent, [{ id, generation, state: 'unhealthy' }])
  await reported(fixture.agent, [{ id, generation: generation - 1, state: 'unhealthy' }])
  assert.equal(await stateOf(fixture, id), 'awaiting_allocation')
  for (const [more, field] of [
    [{ epoch: 0 }, 'epoch'],
    [{ health: 'fine' }, 'health'],
    [{ generation: 'x' }, 'generation'],
    [{ instances: [{ id, generation, state: 'asleep' }] }, 'instances.0.state'],
  ] as const) {
    const response = await report(fixture.agent, [], more)
    assert.deepEqual([response.status, response.body.error.details[0].field], [400, field])
  }
})

test('an agent that knows more than the database gets newer generations of its host and of its machines', async () => {
  const fixture = await makeFixture()
  const { agent } = fixture
  const { id, generation } = await placed(fixture)
  const asked = await agent.call('get_desired_state', { query: { generation: generation + 5, wait_seconds: 20 } })
  assert.ok(asked.generation > generation + 5, 'the generation asked for is not exceeded')
  const [machine] = asked.instances
  assert.equal(machine.id, id)
  assert.ok(machine.generation > generation + 5, 'the machine keeps a generation that the agent would ignore')
  // The report of a generation that the database has lost changes no instance.
  const ahead = asked.generation + 7
  const entry = { id, generation: ahead, state: 'stopped', reason: 'guest_shutdown' }
  const { desired_generation } = await reported(agent, [entry], { generation: ahead })
  assert.ok(desired_generation > ahead)
  assert.equal(await stateOf(fixture, id), 'awaiting_allocation')
  const again = await agent.call('get_desired_state')
  await reported(agent, [{ id, generation: again.instances[0].generation, state: 'running' }])
  assert.equal(await stateOf(fixture, id), 'running')
  await reported(agent, [], { epoch: agent.epoch + 3 })
  assert.equal((await agent.call('get_desired_state')).epoch, agent.epoch + 3)
  assert.equal((await report(agent, [])).body.error.type, 'conflict')
})

test('texts of agents have one line and nothing invisible', async () => {
  const { agent, sku } = await makeFixture()
  const { token } = await server.call('create_host_enrolment', { body: { sku } })
  const hostile = 'disk\u001b[2J\r\n\u202egone\u0085\u200b!'
  await reported(agent, [], { health: 'faulted', message: hostile })
  const { health_message } = await server.call('get_host', { params: { id: agent.host } })
  assert.equal(health_message, 'disk [2J gone !')
  for (const [changes, field] of [
    [{ agent_version: '1\u001b[2J' }, 'agent_version'],
    [{ facts: { ...facts, hostname: 'rack\n1' } }, 'facts.hostname'],
    [{ facts: { ...facts, hostname: 'rack\u202e1' } }, 'facts.hostname'],
    [{ facts: { ...facts, accelerators: ['h100\u0007'] } }, 'facts.accelerators.0'],
  ] as const) {
    const { status, body } = await server.attempt('enrol_host', {
      token: null,
      body: introduction(token, makeHostKey(), changes),
    })
    assert.equal(status, 400, field)
    assert.deepEqual([body.error.details[0].field, body.error.details[0].code], [field, 'invalid_format'])
  }
})

test('a faulted host shows its reason and accepts no instances until it is healthy again', async () => {
  const fixture = await makeFixture()
  const { agent, account, pool, sku, image } = fixture
  await reported(agent, [], { health: 'faulted', message: 'the disk is full' })
  const host = await server.call('get_host', { params: { id: agent.host } })
  assert.deepEqual([host.health, host.health_message], ['faulted', 'the disk is full'])
  const { id } = await server.call('create_instance', { token: account.token, body: { pool, sku, image } })
  await server.advance(1)
  const { instances, generation } = await agent.call('get_desired_state')
  assert.deepEqual(instances, [])
  await reported(agent, [])
  assert.equal((await agent.call('get_desired_state', { query: { generation, wait_seconds: 55 } })).instances[0].id, id)
  assert.equal((await server.call('get_host', { params: { id: agent.host } })).health_message, null)
})

test('redeem_user_data_ticket returns user data to the host that starts the machine, until it runs', async () => {
  const fixture = await makeFixture()
  const other = await makeFixture()
  const { agent, account } = fixture
  const cloud_init_user_data = Buffer.from('#!/bin/sh\necho secret\n').toString('base64')
  const { id, wanted } = await placed(fixture, { cloud_init_user_data })
  const { generation, user_data_ticket: ticket } = wanted
  const redeem = (by: TestAgent, sent: unknown, at = id) =>
    by.attempt('redeem_user_data_ticket', { params: { id: at }, body: { ticket: sent } as object })
  for (let n = 0; n < 2; n++) {
    const response = await redeem(agent, ticket)
    assert.deepEqual([response.status, response.body], [200, { cloud_init_user_data }])
    assert.equal(response.headers.get('cache-control'), 'no-store')
  }
  const second = await placed(fixture, { cloud_init_user_data })
  for (const [what, response] of Object.entries({
    'another host': await redeem(other.agent, ticket),
    'another ticket': await redeem(agent, second.wanted.user_data_ticket),
    'no ticket': await redeem(agent, 'x'),
    'another instance': await redeem(agent, ticket, 'inst_absent'),
  })) {
    assert.equal(response.status, 404, what)
  }
  await reported(agent, [{ id, generation, state: 'starting' }])
  assert.equal((await redeem(agent, ticket)).status, 200)
  await reported(agent, [{ id, generation, state: 'running' }])
  assert.equal((await redeem(agent, ticket)).status, 404)
  const bare = await server.call('get_instance_cloud_init', { params: { id }, token: account.token })
  assert.equal(bare.cloud_init_user_data, cloud_init_user_data)
})

test('the tokens of a retired host are refused, and the host no longer counts against the limit', async () => {
  const owner = await server.account({ trust_level: 'partner' })
  const by = { token: owner.token }
  const body = { sku: await makeSku(server) }
  const { token } = await server.call('create_host_enrolment', { ...by, body })
  const agent = await enrol(server, token)
  const used = async () => (await server.call('get_limit', { params: { name: 'hosts' }, ...by })).used
  assert.equal(await used(), 1)
  const { now } = await server.call('get_clock')
  const deadline = { deadline_at: now + 30 }
  await server.call('drain_host', { params: { id: agent.host }, ...by, body: deadline })
  const known = await agent.token()
  assert.equal((await server.call('get_desired_state', { token: known })).cordoned, true)
  await server.advance(30)
  await server.call('retire_host', { params: { id: agent.host }, ...by })
  assert.equal(await used(), 0)
  // An accepted token may be cached for two seconds. A new one is not cached.
  const report = { epoch: agent.epoch, generation: 1, health: 'healthy', instances: [] }
  for (const token of [known, await agent.token()]) {
    const desired = await server.attempt('get_desired_state', { token })
    const reported = await server.attempt('report_host', { token, body: report })
    for (const response of [desired, reported]) {
      assert.deepEqual([response.status, response.headers.get('x-error-code')], [401, 'host_retired'])
    }
  }
  // Only its agent learns that it is retired, and only by the right time.
  const stranger = await makeHostKey()
  for (const claims of [{ age_seconds: 600 }, { key: stranger.private_key }]) {
    const response = await agent.attempt('get_desired_state', { token: await agent.token(claims) })
    assert.deepEqual([response.status, response.body?.error?.type], [401, 'authentication_error'])
    assert.equal(response.headers.get('x-error-code'), null)
  }
})
