import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'vitest'
import { platformAccount } from '../support/access.ts'
import { enrol, facts, introduction, makeHostKey, type TestAgent } from '../support/agents.ts'
import { grantNodes } from '../support/fixtures/capacity.ts'
import { makeImage, makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const server = await startTestServer()
const careless = await startTestServer({ host_networks: { accepts_unencrypted: true, tunnels: '10.99.0.0/24' } })

function makeKey(): string {
  const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
  return Buffer.from(x as string, 'base64url').toString('base64')
}

let hosts = 0
const hostFacts = (more: object = {}) => {
  hosts += 1
  return { ...facts, host_address: `192.0.2.${hosts}`, public_ipv4s: [], encrypts_traffic: true, ...more }
}

async function permitOn(at: TestServer, sku: string, uses = 10): Promise<string> {
  const { token } = await platformAccount(at)
  return (await at.call('create_host_enrolment', { token, body: { sku, uses } })).token
}

type TunnelDeclaration = { public_key: string; next_public_key?: string | null; port?: number; epoch?: number }

function declare(agent: TestAgent, { public_key, next_public_key = null, port = 14_792, epoch }: TunnelDeclaration) {
  return agent.attempt('declare_tunnel', { body: { epoch: epoch ?? agent.epoch, public_key, next_public_key, port } })
}

async function declared(agent: TestAgent, given: TunnelDeclaration): Promise<string> {
  const response = await declare(agent, given)
  assert.equal(response.status, 200, response.text)
  return response.body.address
}

/** Hosts of one SKU with one slot each, and an account that owns the slots of some of them. */
async function makeHosts(at: TestServer, allFacts: readonly object[]) {
  const sku = await makeSku(at)
  const permit = await permitOn(at, sku)
  const agents: TestAgent[] = []
  for (const own of allFacts) agents.push(await enrol(at, permit, { facts: own }))
  const account = await at.account()
  const { pool: supply } = await at.call('get_host', { params: { id: (agents[0] as TestAgent).host } })
  const pool = await grantNodes(at, account, { sku, supply: supply.id, nodes: agents.length })
  await at.advance(60)
  const { token } = account
  const { id: image } = await makeImage(at, account)
  const { id: subnet } = await at.call('create_subnet', { token, body: { region: 'north', cidr: '10.9.0.0/24' } })
  const launch = async (more: object = { subnet }) =>
    (await at.call('create_instance', { token, body: { pool, sku, image, ...more } })).id as string
  return { agents, launch, token }
}

/** The desired state of a host once it fulfils a condition. Fails if the host is not told within the longest wait. */
async function desiredOnce(agent: TestAgent, isMeant: (state: any) => boolean): Promise<any> {
  let state = await agent.call('get_desired_state')
  while (!isMeant(state)) {
    const next = await agent.attempt('get_desired_state', { query: { generation: state.generation, wait_seconds: 20 } })
    assert.equal(next.status, 200, `the host was not told: ${JSON.stringify(state)}`)
    state = next.body
  }
  return state
}

/** The generation of a host once nothing more changes for it. */
async function quietGeneration(agent: TestAgent): Promise<number> {
  let { generation } = await agent.call('get_desired_state')
  for (;;) {
    const next = await agent.attempt('get_desired_state', { query: { generation, wait_seconds: 1 } })
    if (next.status === 204) return generation
    generation = next.body.generation
  }
}

const networkOf = (state: any) => state.instances[0]?.network

test('declare_tunnel tells key, port and address of a host to those that share a subnet with it only', async () => {
  const { agents, launch } = await makeHosts(server, [hostFacts(), hostFacts(), hostFacts()])
  const [x, y, z] = agents as [TestAgent, TestAgent, TestAgent]
  const keys = [makeKey(), makeKey(), makeKey()] as const
  const [atX, atY, atZ] = [
    await declared(x, { public_key: keys[0] }),
    await declared(y, { public_key: keys[1], port: 51_820 }),
    await declared(z, { public_key: keys[2] }),
  ]
  assert.equal(new Set([atX, atY, atZ]).size, 3)
  assert.match(atX, /^100\.1(1[2-9]|2[0-7])\.\d+\.\d+$/)
  assert.equal(await declared(x, { public_key: keys[0] }), atX)
  await launch()
  await launch()
  // The third host has a machine too, without the subnet.
  await launch({})
  const states = await Promise.all(agents.map((agent) => desiredOnce(agent, (state) => state.instances.length === 1)))
  const inSubnet = agents.filter((_, index) => networkOf(states[index]).subnet !== null)
  assert.equal(inSubnet.length, 2)
  const all = new Map(agents.map((agent, index) => [agent, { index, address: [atX, atY, atZ][index] }]))
  const [one, other] = inSubnet as [TestAgent, TestAgent]
  const { tunnel, instances } = await desiredOnce(one, (state) => networkOf(state).peers.length === 1)
  const there = all.get(other) as { index: number; address: string }
  const host = await server.call('get_host', { params: { id: other.host } })
  assert.deepEqual(tunnel.peers, [
    {
      address: there.address,
      host_address: host.facts.host_address,
      public_key: keys[there.index],
      next_public_key: null,
      port: there.index === 1 ? 51_820 : 14_792,
    },
  ])
  const [{ network }] = instances
  assert.equal(network.traffic, 'encrypted')
  assert.deepEqual(network.peers, [
    { private_ip: network.peers[0].private_ip, host_address: host.facts.host_address, tunnel_address: there.address },
  ])
  const [stranger] = agents.filter((agent) => !inSubnet.includes(agent)) as [TestAgent]
  assert.deepEqual((await stranger.call('get_desired_state')).tunnel.peers, [])
  assert.deepEqual(
    [host.traffic, host.tunnel.address, host.tunnel.port],
    ['encrypted', there.address, tunnel.peers[0].port],
  )
})

test('a host that changes its key is known by both, then by the next one, and keeps its address', async () => {
  const { agents, launch } = await makeHosts(server, [hostFacts(), hostFacts()])
  const [x, y] = agents as [TestAgent, TestAgent]
  const [first, second] = [makeKey(), makeKey()]
  const address = await declared(x, { public_key: first })
  await declared(y, { public_key: makeKey() })
  await launch()
  await launch()
  const isKnown = (public_key: string, next_public_key: string | null) => (state: any) =>
    state.tunnel?.peers[0]?.public_key === public_key && state.tunnel.peers[0].next_public_key === next_public_key
  await desiredOnce(y, isKnown(first, null))
  const generation = await quietGeneration(y)
  assert.equal(await declared(x, { public_key: first, next_public_key: second }), address)
  const told = await y.attempt('get_desired_state', { query: { generation, wait_seconds: 20 } })
  assert.ok(told.status === 200 && isKnown(first, second)(told.body), told.text)
  const own = await desiredOnce(x, ({ tunnel }) => tunnel.next_public_key === second)
  assert.deepEqual([own.tunnel.address, own.tunnel.public_key], [address, first])
  assert.equal((await server.call('get_host', { params: { id: x.host } })).tunnel.next_public_key, second)
  assert.equal(await declared(x, { public_key: second }), address)
  const { tunnel } = await desiredOnce(y, isKnown(second, null))
  assert.equal(tunnel.peers[0].address, address)
  // The former key is free again, but nobody else uses it by accident.
  assert.equal((await declare(y, { public_key: first })).status, 200)
})

test('a key that is malformed, weak or that of another host is refused, and the former one stays', async () => {
  const permit = await permitOn(server, await makeSku(server))
  const [x, y] = [
    await enrol(server, permit, { facts: hostFacts() }),
    await enrol(server, permit, { facts: hostFacts() }),
  ]
  const [own, next] = [makeKey(), makeKey()]
  await declared(x, { public_key: own, next_public_key: next })
  await declared(y, { public_key: makeKey() })
  const key = makeKey()
  const notCanonical = `${key.slice(0, 42)}${String.fromCharCode(key.charCodeAt(42) + 1)}=`
  const malformed = ['', 'short', key.slice(0, 43), `${key}=`, `${key}\n`, notCanonical, key.replace(/.$/, '-')]
  for (const public_key of malformed) assert.equal((await declare(y, { public_key })).status, 400, public_key)
  for (const port of [0, 65_536, 1.5]) assert.equal((await declare(y, { public_key: key, port })).status, 400)
  const weak = Buffer.alloc(32).toString('base64')
  const refused = (given: TunnelDeclaration) => declare(y, given).then(refusalOf)
  assert.deepEqual(await refused({ public_key: weak }), [422, 'tunnel_key_refused', 'public_key'])
  assert.deepEqual(await refused({ public_key: key, next_public_key: weak }), [
    422,
    'tunnel_key_refused',
    'next_public_key',
  ])
  assert.deepEqual(await refused({ public_key: own }), [409, 'tunnel_key_taken', 'public_key'])
  assert.deepEqual(await refused({ public_key: next }), [409, 'tunnel_key_taken', 'public_key'])
  assert.deepEqual(await refused({ public_key: key, next_public_key: own }), [
    409,
    'tunnel_key_taken',
    'next_public_key',
  ])
  // What was refused took nothing.
  assert.equal((await declare(x, { public_key: own, next_public_key: key })).status, 200)
  const again = await enrol(server, await permitOn(server, await makeSku(server), 1), {
    key: x.key,
    facts: hostFacts(),
  })
  assert.deepEqual(refusalOf(await declare(x, { public_key: own })), [409, 'stale_epoch', null])
  assert.equal((await declare(again, { public_key: own })).status, 200)
  const concurrent = await Promise.all(
    [again, y].map(async (agent) => (await declare(agent, { public_key: key })).status),
  )
  assert.deepEqual(concurrent.toSorted(), [200, 409])
})

test('a host without WireGuard has subnets only where the operator of the platform accepts it', async () => {
  const lacking = () => hostFacts({ encrypts_traffic: false })
  const permit = await permitOn(server, await makeSku(server))
  const body = introduction(permit, makeHostKey(), { facts: lacking() })
  const response = await server.attempt('enrol_host', { token: null, body })
  assert.deepEqual(refusalOf(response), [422, 'encryption_required', 'facts.encrypts_traffic'])
  const forwarder = await enrol(server, permit, { facts: { ...lacking(), network: 'ssh_only' } })
  assert.equal((await server.call('get_host', { params: { id: forwarder.host } })).traffic, 'none')

  const { agents, launch } = await makeHosts(careless, [hostFacts(), lacking()])
  const [has, lacks] = agents as [TestAgent, TestAgent]
  assert.equal(await declared(has, { public_key: makeKey() }), '10.99.0.1')
  await launch()
  await launch()
  const state = await desiredOnce(has, (one) => networkOf(one)?.peers.length === 1)
  assert.equal(networkOf(state).traffic, 'unencrypted')
  assert.deepEqual(state.tunnel.peers, [])
  assert.equal((await desiredOnce(lacks, (one) => networkOf(one)?.peers.length === 1)).tunnel, null)
  const traffics = agents.map(async ({ host }) => (await careless.call('get_host', { params: { id: host } })).traffic)
  assert.deepEqual(await Promise.all(traffics), ['encrypted', 'unencrypted'])
})

test('a host that has not declared a key gets no peers, and a peer without a tunnel has no address in it', async () => {
  const { agents, launch } = await makeHosts(server, [hostFacts(), hostFacts()])
  const [x, y] = agents as [TestAgent, TestAgent]
  await launch()
  await launch()
  await desiredOnce(y, (one) => one.instances.length === 1)
  await quietGeneration(x)
  const state = await desiredOnce(x, (one) => one.instances.length === 1)
  assert.deepEqual([state.tunnel, networkOf(state).peers, networkOf(state).traffic], [null, [], 'encrypted'])
  await declared(x, { public_key: makeKey() })
  const told = await desiredOnce(
    x,
    ({ tunnel, instances }) => tunnel !== null && instances[0].network.peers.length === 1,
  )
  assert.equal(networkOf(told).peers[0].tunnel_address, null)
  assert.deepEqual(told.tunnel.peers, [])
  await declared(y, { public_key: makeKey() })
  await desiredOnce(x, ({ tunnel }) => tunnel.peers.length === 1)
})

test('a host that is retired, or that enrols without WireGuard, has no tunnel any more', async () => {
  const { agents, launch } = await makeHosts(server, [hostFacts(), hostFacts()])
  const [x, y] = agents as [TestAgent, TestAgent]
  const key = makeKey()
  await declared(x, { public_key: makeKey() })
  await declared(y, { public_key: key })
  await launch()
  await launch()
  await desiredOnce(x, ({ tunnel }) => tunnel?.peers.length === 1)
  const permit = await permitOn(server, await makeSku(server), 1)
  await enrol(server, permit, { key: y.key, facts: hostFacts({ network: 'ssh_only' }) })
  await desiredOnce(x, ({ tunnel }) => tunnel.peers.length === 0)
  const shown = await server.call('get_host', { params: { id: y.host } })
  assert.deepEqual([shown.traffic, shown.tunnel], ['none', null])

  const { token } = await platformAccount(server)
  const leaver = await enrol(server, await permitOn(server, await makeSku(server)), { facts: hostFacts() })
  await declared(leaver, { public_key: key })
  const { now } = await server.call('get_clock')
  await server.call('drain_host', { params: { id: leaver.host }, token, body: { deadline_at: now + 60 } })
  await server.advance(180)
  const retired = await server.call('retire_host', { params: { id: leaver.host }, token })
  assert.deepEqual([retired.traffic, retired.tunnel], ['none', null])
  assert.equal((await declare(leaver, { public_key: key })).status, 401)
  await declared(x, { public_key: key })
})

test('a network of tunnels that is full refuses hosts, and gives them the addresses of retired ones', async () => {
  const small = await startTestServer({ host_networks: { tunnels: '10.98.0.0/30' } })
  const permit = await permitOn(small, await makeSku(small))
  const agents: TestAgent[] = []
  for (let count = 0; count < 4; count++) agents.push(await enrol(small, permit, { facts: hostFacts() }))
  const [first, second, ...others] = agents as [TestAgent, TestAgent, TestAgent, TestAgent]
  assert.equal(await declared(first, { public_key: makeKey() }), '10.98.0.1')
  assert.equal(await declared(second, { public_key: makeKey() }), '10.98.0.2')
  const key = makeKey()
  assert.deepEqual(refusalOf(await declare(others[0], { public_key: key })), [409, 'tunnel_network_full', null])
  const { token } = await platformAccount(small)
  const { now } = await small.call('get_clock')
  await small.call('drain_host', { params: { id: first.host }, token, body: { deadline_at: now + 60 } })
  await small.advance(180)
  await small.call('retire_host', { params: { id: first.host }, token })
  // Both want the one address that is free.
  const responses = await Promise.all(others.map((agent) => declare(agent, { public_key: makeKey() })))
  assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 409])
  assert.equal(responses.find(({ status }) => status === 200)?.body.address, '10.98.0.1')
})
