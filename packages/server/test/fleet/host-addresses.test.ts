import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isStartProblem } from '../../src/core/base/start-problem.ts'
import { readHostNetworks } from '../../src/fleet/hosts/host-addresses.service.ts'
import { readTunnelSettings } from '../../src/fleet/tunnels/tunnels.service.ts'
import { platformAccount } from '../support/access.ts'
import { facts, introduction, makeHostKey, type TestHostKey } from '../support/agents.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const networks = { hosts: '10.1.0.0/16, 192.0.2.0/24', publics: '198.51.100.0/24', are_shared: false }
const server = await startTestServer({ host_networks: networks })
const operator = await platformAccount(server)
const sku = await makeSku(server)
const { token: permit } = await server.call('create_host_enrolment', {
  token: operator.token,
  body: { sku, uses: 100 },
})

type ReportedAddresses = { host_address?: string; public_ipv4s?: string[]; network?: 'full' | 'ssh_only' }

function enrol(addresses: ReportedAddresses, key: TestHostKey = makeHostKey()) {
  const own = { ...facts, public_ipv4s: [], ...addresses }
  return server.attempt('enrol_host', { token: null, body: introduction(permit, key, { facts: own }) })
}

test('addresses that cannot be used or are not allowed are refused with their field, and use nothing', async () => {
  const count = async () =>
    (await server.call('list_hosts', { query: { limit: 200 }, token: operator.token })).data.length
  const before = await count()
  for (const [addresses, field] of [
    [{ host_address: 'garbage' }, 'facts.host_address'],
    [{ host_address: '127.0.0.1' }, 'facts.host_address'],
    [{ host_address: '10.2.0.1' }, 'facts.host_address'],
    [{ host_address: '10.2.0.1', network: 'ssh_only' }, 'facts.host_address'],
    [{ host_address: '10.1.0.1', public_ipv4s: ['198.51.100.1', '203.0.113.1'] }, 'facts.public_ipv4s.1'],
    [{ host_address: '10.1.0.1', public_ipv4s: ['198.51.100.1', '198.51.100.1'] }, 'facts.public_ipv4s.1'],
  ] as const) {
    const response = await enrol(addresses as ReportedAddresses)
    assert.deepEqual(refusalOf(response), [422, 'address_refused', field], JSON.stringify(addresses))
  }
  assert.equal(await count(), before)
})

test('no two hosts have one address, whether it is their own or one for machines', async () => {
  const first = makeHostKey()
  const addresses = { host_address: '10.1.1.1', public_ipv4s: ['198.51.100.11', '198.51.100.12'] }
  assert.equal((await enrol(addresses, first)).status, 201)
  assert.equal((await enrol(addresses, first)).status, 201, 'the same host may enrol again')
  const taken = (field: string) => [409, 'address_taken', field]
  assert.deepEqual(refusalOf(await enrol({ host_address: '10.1.1.1' })), taken('facts.host_address'))
  const other = { host_address: '10.1.1.2', public_ipv4s: ['198.51.100.13', '198.51.100.12'] }
  assert.deepEqual(refusalOf(await enrol(other)), taken('facts.public_ipv4s.1'))
  // A host without networks of its own forwards ports only.
  assert.equal((await enrol({ host_address: '10.1.1.1', network: 'ssh_only' })).status, 201)
  // Enrolling again replaces what was declared before.
  assert.equal((await enrol({ ...addresses, public_ipv4s: ['198.51.100.11'] }, first)).status, 201)
  assert.equal((await enrol(other)).status, 201)
  assert.deepEqual(refusalOf(await enrol(addresses, first)), taken('facts.public_ipv4s.1'))
  const concurrent = await Promise.all([1, 2, 3, 4].map(() => enrol({ host_address: '10.1.1.9' })))
  assert.deepEqual(concurrent.map(({ status }) => status).toSorted(), [201, 409, 409, 409])
})

test('a retired host releases its addresses', async () => {
  const addresses = { host_address: '10.1.2.1', public_ipv4s: ['198.51.100.21'] }
  const { body } = await enrol(addresses)
  const { token } = operator
  const { now } = await server.call('get_clock')
  await server.call('drain_host', { params: { id: body.host }, token, body: { deadline_at: now + 60 } })
  await server.advance(180)
  assert.equal((await enrol(addresses)).status, 409)
  await server.call('retire_host', { params: { id: body.host }, token })
  assert.equal((await enrol(addresses)).status, 201)
})

test('malformed networks stop the start and are named', () => {
  for (const [texts, name] of [
    [{ hosts: '10.0.0.1/8' }, 'BOURSE_HOST_NETWORKS'],
    [{ publics: '198.51.100.0/24,' }, 'BOURSE_PUBLIC_NETWORKS'],
  ] as const) {
    assert.throws(
      () => readHostNetworks(texts, 'production'),
      (error: Error) => isStartProblem(error, 'bad_configuration') && error.message.includes(name),
    )
  }
  assert.throws(
    () => readTunnelSettings({ tunnels: '10.0.0.1/8' }),
    (error: Error) => isStartProblem(error, 'bad_configuration') && error.message.includes('BOURSE_TUNNEL_NETWORK'),
  )
  assert.equal(readHostNetworks({}, 'production').are_shared, false)
  assert.equal(readHostNetworks({}, 'sandbox').are_shared, true)
})
