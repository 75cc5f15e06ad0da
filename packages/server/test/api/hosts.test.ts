import assert from 'node:assert/strict'
import type { ScheduleEntry } from '@bourse/api/kit/schedule.ts'
import { test } from 'vitest'
import { makeToken, platformAccount } from '../support/access.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { assertPages, assertRights, idsOf, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/hosts'
const place = { server, token, path }
const sku = await makeSku(server, { num_vcpus: 48, memory_bytes: 1024, num_accelerators: 2 })
const other = await makeSku(server)

function add(body: object, by = token) {
  return server.attempt('create_simulated_hosts', { token: by, body: { sku, count: 1, ...body } })
}

async function added(body: object = {}, by = token): Promise<any[]> {
  const response = await add(body, by)
  assert.equal(response.status, 201, response.text)
  return response.body.data
}

function newestFirst(hosts: readonly { id: string; created_at: number }[]): string[] {
  return hosts.toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
}

test('simulated hosts are ready at once, and are read by id and by path', async () => {
  const [host] = await added({ slots: 3 })
  const me = await server.call('get_account', { token })
  const { facts, last_seen_at, pool, ...shown } = host
  assert.deepEqual(shown, {
    object: 'host',
    id: host.id,
    resource_path: `svc:host:${account.id}:default:${host.name}`,
    account: account.id,
    workspace: me.workspace,
    sku: { object: 'sku', id: sku, alias: host.sku.alias },
    name: host.name,
    state: 'active',
    health: 'healthy',
    health_message: null,
    slots: 3,
    used_slots: 0,
    instances: [],
    agent_version: null,
    agent_commit: null,
    agent_managed_by: 'none',
    agent_pinned: false,
    traffic: 'none',
    benchmark: null,
    tunnel: null,
    drain_deadline_at: null,
    supply_ends_at: null,
    created_at: host.created_at,
    retired_at: null,
  })
  assert.match(host.id, /^host_[0-9a-zA-Z_-]{21}$/)
  assert.ok(last_seen_at >= host.created_at)
  assert.equal(pool.name, 'supply')
  assert.deepEqual([facts.cpu_count, facts.memory_bytes, facts.network], [144, 3072 + 2 ** 31, 'full'])
  assert.equal(new Set(facts.public_ipv4s).size, 3)
  for (const ref of [host.id, host.resource_path]) {
    const { last_seen_at: seenAt, ...read } = await server.call('get_host', { params: { id: ref }, token })
    assert.deepEqual(read, { ...shown, facts, pool })
    assert.ok(seenAt >= last_seen_at)
  }
})

test('the slots of all hosts of a workspace are supply without end from the next minute on', async () => {
  const owner = await server.account()
  const hosts = await added({ count: 5, slots: 4 }, owner.token)
  await added({ sku: other, slots: 2 }, owner.token)
  assert.equal(new Set(hosts.map(({ id }) => id)).size, 5)
  assert.equal(new Set(hosts.map(({ facts }) => facts.host_address)).size, 5)
  assert.equal(new Set(hosts.flatMap(({ facts }) => facts.public_ipv4s)).size, 20)
  const { data } = await server.call('list_pools', { query: { kind: 'originating' }, token: owner.token })
  assert.deepEqual(
    data.map(({ name }) => name),
    ['supply'],
  )
  const { by_sku } = data[0].allocation_schedule
  const [step, stepOfOther] = [by_sku[sku]?.at(0) as ScheduleEntry, by_sku[other]?.at(0) as ScheduleEntry]
  assert.deepEqual([step.node_count, step.end_at, stepOfOther.node_count], [20, null, 2])
  assert.equal(step.start_at % 60, 0)
  assert.ok(step.start_at > hosts[0].created_at && step.start_at <= hosts[0].created_at + 60)
})

test('simulated hosts can be added to another account, in its oldest workspace by default', async () => {
  const owner = await server.account()
  const [host] = await added({ account: owner.id })
  assert.deepEqual([host.account, host.workspace.id], [owner.id, owner.workspace_id])
  assert.deepEqual(await idsOf({ ...place, token: owner.token }), [host.id])
  assert.equal((await server.attempt('get_host', { params: { id: host.id }, token })).status, 404)
})

test('an invalid request is refused and adds no hosts', async () => {
  const before = await idsOf(place)
  const retired = await makeSku(server)
  await server.call('retire_sku', { params: { id: retired } })
  for (const [body, refusal] of [
    [{ sku: retired }, [422, 'sku_not_available', 'sku']],
    [{ sku: 'sku_absent' }, [422, 'sku_not_available', 'sku']],
    [{ account: 'nobody-here' }, [422, 'reference_not_found', 'account']],
    [{ count: 0 }, [400, 'out_of_range', 'count']],
    [{ count: 1001 }, [400, 'out_of_range', 'count']],
    [{ slots: 65 }, [400, 'out_of_range', 'slots']],
    [{ sku: undefined }, [400, 'required', 'sku']],
    [{ name: 'x' }, [400, 'unknown_field', 'name']],
  ] as const) {
    assert.deepEqual(refusalOf(await add(body)), refusal, JSON.stringify(body))
  }
  assert.deepEqual(await idsOf(place), before)
})

test('hosts are listed in pages, newest first, with every filter', async () => {
  const owner = await server.account()
  const own = { ...place, token: owner.token }
  const workspace = (await server.call('create_workspace', { token: owner.token, body: {} })).id
  const there = await makeToken(server, owner, { '*': ['*'] }, workspace)
  const [first] = await added({}, owner.token)
  const [second] = await added({ sku: other }, owner.token)
  const [third] = await added({}, there.token)
  const all = newestFirst([first, second, third])
  // Simulated hosts report at any time, so two reads of one host can show different times.
  await server.call('freeze_clock')
  assert.equal(third.workspace.id, workspace)
  await assertPages(own, all, 'state=active')
  for (const [filter, expected] of [
    ['', all],
    [`workspace=${workspace}`, [third.id]],
    [`workspace=${first.workspace.id}`, newestFirst([first, second])],
    ['workspace=wksp_absent', []],
    [`id=${first.id}&id=${third.resource_path}`, newestFirst([first, third])],
    ['id=host_absent', []],
    [`sku=${other}`, [second.id]],
    [`sku=${other}&sku=${sku}`, all],
    ['state=active&state=cordoned', all],
    ['state=draining', []],
    ['health=healthy', all],
    ['health=faulted', []],
    [`account=${owner.id}`, all],
    [`account=${account.id}`, []],
  ] as const) {
    assert.deepEqual(await idsOf(own, filter), expected, filter)
  }
  await server.call('resume_clock')
  for (const [query, code, field] of [
    ['state=gone', 'invalid_value', 'state.0'],
    ['health=ill', 'invalid_value', 'health.0'],
    ['id=inst_a', 'invalid_format', 'id.0'],
    ['colour=red', 'unknown_field', 'colour'],
  ]) {
    const response = await server.attempt('list_hosts', { query, token: owner.token })
    assert.deepEqual(refusalOf(response), [400, code, field], query)
  }
})

test('the platform lists the hosts of every account, by account and by workspace', async () => {
  const owner = await server.account()
  const [host] = await added({}, owner.token)
  const operator = { ...place, token: (await platformAccount(server)).token }
  assert.deepEqual(await idsOf(operator, `account=${owner.id}`), [host.id])
  assert.deepEqual(await idsOf(operator, `workspace=${owner.workspace_id}`), [host.id])
  assert.deepEqual(await idsOf(operator, 'workspace=wksp_absent'), [])
  assert.ok((await idsOf(operator)).length > 1)
  assert.equal(
    (await server.call('get_host', { params: { id: host.resource_path }, token: operator.token })).id,
    host.id,
  )
})

test('each operation needs its verb, except adding simulated hosts', async () => {
  const [host] = await added()
  await assertRights(server, account, 'host', {
    get_host: { method: 'GET', path: `${path}/${host.id}`, verb: 'read' },
    list_hosts: { method: 'GET', path, verb: 'list' },
  })
  const blind = await makeToken(server, account, { secret: ['read'] })
  const createSimulatedHosts = (by: string | null) =>
    server.attempt('create_simulated_hosts', { token: by, body: { sku, count: 1 } })
  assert.equal((await createSimulatedHosts(blind.token)).status, 201)
  assert.equal((await createSimulatedHosts(null)).status, 401)
  assert.equal((await server.attempt('get_host', { params: { id: 'host_absent' }, token })).status, 404)
  assert.equal((await server.attempt('list_hosts', { token: null })).status, 401)
})
