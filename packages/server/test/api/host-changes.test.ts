import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeAccountToken, platformAccount } from '../support/access.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { type Capacity, grantNodes, makeCapacity } from '../support/fixtures/capacity.ts'
import { eventsOf, makeSku } from '../support/fixtures/fleet.ts'
import { assertNameRule, assertRights, refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { raceUntilEach, stagger } from './races.ts'

const server = await startTestServer()
const account = await server.account()
const { token } = account
const path = '/preview/v2/hosts'
// These tests check seconds, so the real duration of a test must not count.
await server.call('freeze_clock')

type HostChangeAction = 'cordon' | 'uncordon' | 'drain' | 'retire'

/** Hosts of the account on their own SKU. */
async function makeHosts({ count = 1, slots = 4 } = {}) {
  const sku = await makeSku(server)
  const { data } = await server.call('create_simulated_hosts', { token, body: { sku, count, slots } })
  const [{ id, pool }] = data
  await server.advance(60)
  return {
    sku,
    id: id as string,
    ids: data.map((host) => host.id) as string[],
    pool: pool.id as string,
  }
}

function act(action: HostChangeAction, id: string, body?: object, by = token) {
  return server.request('POST', `${path}/${id}/${action}`, { token: by, ...(body ? { body } : {}) })
}

async function acted(action: HostChangeAction, id: string, body?: object) {
  const response = await act(action, id, body)
  assert.equal(response.status, 200, response.text)
  return response.body
}

/** Drains empty hosts and waits until they are drained. */
async function drained(...ids: string[]): Promise<void> {
  const deadline_at = (await now()) + 30
  for (const id of ids) await acted('drain', id, { deadline_at })
  await server.advance(30)
}

async function now(): Promise<number> {
  return (await server.call('get_clock', { token })).now
}

/** The allocation of a pool in a SKU from now on, as `[start, end, count]`. */
async function owned(pool: string, sku: string, by = token): Promise<unknown[]> {
  const { allocation_schedule } = await server.call('get_pool', { params: { id: pool }, token: by })
  const steps = allocation_schedule.by_sku[sku] ?? []
  return steps.map(({ start_at, end_at, node_count }) => [start_at, end_at, node_count])
}

/** A full minute in the future. */
async function minuteAhead(minutes: number): Promise<number> {
  const at = await now()
  return at - (at % 60) + minutes * 60
}

test('a host can be renamed in any state, and its name is validated', async () => {
  const { ids } = await makeHosts({ count: 2 })
  const [id, other] = ids as [string, string]
  const rename = (name: string) => server.attempt('update_host', { params: { id }, token, body: { name } })
  const renamed = await rename('rack-1')
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'rack-1'])
  assert.equal(renamed.body.resource_path, `svc:host:${account.id}:default:rack-1`)
  assert.equal(
    (await server.call('get_host', { params: { id: `svc:host:${account.id}:default:rack-1` }, token })).id,
    id,
  )
  const taken = await server.call('update_host', { params: { id: other }, token, body: { name: 'rack-2' } })
  assert.deepEqual(refusalOf(await rename(taken.name)), [409, 'name_taken', 'name'])
  assert.equal((await server.call('update_host', { params: { id }, token, body: {} })).name, 'rack-1')
  await assertNameRule({ server, token, path: `${path}/${id}` }, 'PATCH', {})
  await drained(id)
  await acted('retire', id)
  assert.equal((await rename('scrap')).body.name, 'scrap')
})

test('a cordoned host keeps its instances and accepts no new ones until it is uncordoned', async () => {
  const { sku, hosts, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 2 })
  const [host] = hosts as [string]
  const operator = await platformAccount(server)
  const launch = { pool, sku, image }
  const first = await server.call('create_instance', { token, body: launch })
  await server.settle()
  const cordoned = await act('cordon', host, undefined, operator.token)
  assert.deepEqual([cordoned.status, cordoned.body.state, cordoned.body.instances], [200, 'cordoned', [first.id]])
  const second = await server.call('create_instance', { token, body: launch })
  await server.settle()
  const stateOf = async (id: string) => (await server.call('get_instance', { params: { id }, token })).state
  assert.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['running', 'awaiting_allocation'])
  const open = await act('uncordon', host, undefined, operator.token)
  assert.deepEqual([open.status, open.body.state], [200, 'active'])
  await server.settle()
  assert.deepEqual([await stateOf(first.id), await stateOf(second.id)], ['running', 'running'])
})

test('a drain ends the supply of a host at the minute of its deadline, when the host becomes drained', async () => {
  const { sku, id, pool } = await makeHosts({ slots: 4 })
  const end = await minuteAhead(30)
  const draining = await acted('drain', id, { deadline_at: end + 20 })
  assert.deepEqual([draining.state, draining.drain_deadline_at, draining.supply_ends_at], ['draining', end + 20, end])
  const [[, end_at, count]] = (await owned(pool, sku)) as [[number, number, number]]
  assert.deepEqual([end_at, count], [end, 4])
  await server.advance(end + 19 - (await now()))
  assert.equal((await server.call('get_host', { params: { id }, token })).state, 'draining')
  await server.advance(1)
  const after = await server.call('get_host', { params: { id }, token })
  assert.deepEqual([after.state, after.used_slots], ['drained', 0])
  assert.deepEqual(await owned(pool, sku), [])
  const retired = await acted('retire', id)
  assert.deepEqual([retired.state, retired.retired_at >= end], ['retired', true])
  assert.equal((await server.call('get_host', { params: { id }, token })).state, 'retired')
})

test('uncordon withdraws a drain: the supply returns from the next minute on, even after it has ended', async () => {
  const { sku, ids, pool } = await makeHosts({ count: 2, slots: 3 })
  const [early, late] = ids as [string, string]
  const whole = await owned(pool, sku)
  const end = await minuteAhead(20)
  await acted('drain', early, { deadline_at: end })
  const open = await acted('uncordon', early)
  assert.deepEqual([open.state, open.drain_deadline_at, open.supply_ends_at], ['active', null, null])
  assert.deepEqual(await owned(pool, sku), whole)
  await acted('drain', late, { deadline_at: end })
  await server.advance(end + 90 - (await now()))
  assert.equal((await server.call('get_host', { params: { id: late }, token })).state, 'drained')
  await acted('uncordon', late)
  const next = await minuteAhead(1)
  const steps = (await owned(pool, sku)) as [number, number | null, number][]
  assert.deepEqual(
    steps.map(([, end_at, count]) => [end_at, count]),
    [
      [next, 3],
      [null, 6],
    ],
  )
})

test('instances on a draining host end at its deadline, with notice, and then it is drained', async () => {
  const { sku, hosts, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const [host] = hosts as [string]
  const operator = (await platformAccount(server)).token
  const { id } = await server.call('create_instance', { token, body: { pool, sku, image } })
  await server.settle()
  const deadline_at = await minuteAhead(30)
  const refused = await act('drain', host, { deadline_at }, operator)
  assert.deepEqual(refusalOf(refused), [409, 'supply_sold', 'deadline_at'])
  const forced = await act('drain', host, { deadline_at, force: true }, operator)
  assert.deepEqual([forced.status, forced.body.state], [200, 'draining'], forced.text)
  await server.advance(deadline_at - 601 - (await now()))
  assert.deepEqual(await eventsOf(server, token, id), ['instance.created token', 'instance.running system'])
  await server.advance(1)
  const noticed = await server.call('get_instance', { params: { id }, token })
  assert.equal(noticed.state, 'running')
  await server.advance(600)
  assert.equal((await server.call('get_host', { params: { id: host }, token: operator })).state, 'draining')
  await server.advance(60)
  const ended = await server.call('get_instance', { params: { id }, token })
  assert.equal(ended.state, 'terminated')
  assert.deepEqual(await eventsOf(server, token, id), [
    'instance.created token',
    'instance.running system',
    'instance.termination_imminent system',
    'instance.terminated system',
  ])
  assert.equal((await server.call('get_host', { params: { id: host }, token: operator })).state, 'drained')
})

test('a forced drain removes only free capacity, and its withdrawal restores only that', async () => {
  const { sku, id, pool } = await makeHosts({ slots: 4 })
  const buyer = await server.account()
  const operator = await platformAccount(server)
  const body = { account: buyer.id, workspace: buyer.workspace_id, from_pool: pool, sku }
  const start_at = await minuteAhead(5)
  const allocation_schedule = [{ start_at, end_at: start_at + 3600, node_count: 3 }]
  const sold = await server.call('create_read_only_pool', {
    token: operator.token,
    body: { ...body, allocation_schedule },
  })
  const deadline_at = await minuteAhead(30)
  assert.deepEqual(refusalOf(await act('drain', id, { deadline_at })), [409, 'supply_sold', 'deadline_at'])
  const before = await owned(pool, sku)
  await acted('drain', id, { deadline_at, force: true })
  assert.deepEqual(await owned(sold.id, sku, buyer.token), [[start_at, start_at + 3600, 3]])
  const left = (await owned(pool, sku)) as [number, number | null, number][]
  assert.deepEqual(
    left.map(([, end_at, count]) => [end_at, count]),
    [
      [start_at, 4],
      [deadline_at, 1],
    ],
  )
  await acted('uncordon', id)
  assert.deepEqual(await owned(pool, sku), before)
})

test('each action is refused in the states that do not allow it, and changes nothing', async () => {
  const { ids } = await makeHosts({ count: 5 })
  const [active, cordoned, draining, empty, retired] = ids as [string, string, string, string, string]
  const later = { deadline_at: await minuteAhead(600) }
  await acted('cordon', cordoned)
  await acted('drain', draining, later)
  await drained(empty, retired)
  await acted('retire', retired)
  for (const [action, refusing] of [
    ['cordon', [cordoned, draining, empty, retired]],
    ['uncordon', [active, retired]],
    ['drain', [draining, empty, retired]],
    ['retire', [active, cordoned, draining, retired]],
  ] as const) {
    for (const id of refusing) {
      const before = await server.call('get_host', { params: { id }, token })
      const response = await act(action, id, action === 'drain' ? later : undefined)
      assert.deepEqual(refusalOf(response), [409, 'invalid_state', null], `${action} ${before.state}`)
      const { last_seen_at: _, ...after } = await server.call('get_host', { params: { id }, token })
      assert.deepEqual({ ...after, last_seen_at: before.last_seen_at }, before)
    }
  }
  for (const id of [active, cordoned, draining, retired]) {
    const { state } = await server.call('get_host', { params: { id }, token })
    const response = await act('retire', id, { force: true })
    assert.deepEqual(refusalOf(response), [409, 'invalid_state', null], `forced, ${state}`)
    assert.match(response.body.error.message, state === 'retired' ? /retired/ : /still reports.*Drain it/)
    assert.equal((await server.call('get_host', { params: { id }, token })).state, state)
  }
  assert.equal((await acted('retire', empty, { force: true })).state, 'retired')
})

/** A host that instances run on, and its silence from now on. */
async function loseHost({ hosts }: Capacity, instance: `inst_${string}`, by: string): Promise<string> {
  const { data } = await server.call('list_hosts', { query: { id: hosts, limit: 10 }, token: by })
  const { id } = data.find(({ instances }) => instances.includes(instance)) ?? assert.fail('no host has the instance')
  await server.call('create_fault', { token: by, body: { kind: 'host_silent', host: id } })
  return id
}

async function stateOf(id: string): Promise<string> {
  return (await server.call('get_instance', { params: { id }, token })).state
}

test('a lost host retires by force: its instances end, its free nodes leave, and sold nodes stay', async () => {
  const capacity = await makeCapacity(server, account, {
    hosts: 2,
    slots: 4,
    nodes: 6,
    sku: { supports_public_ipv4: true },
  })
  const { sku, pool, supply, image } = capacity
  const operator = (await platformAccount(server)).token
  const body = { pool, sku, image, _preview_enable_public_ipv4: true }
  const launch = async () => (await server.call('create_instance', { token, body })).id
  const addressOf = async (id: string) =>
    (await server.call('get_instance', { params: { id }, token }))._preview_public_ip
  const used = async () => (await server.call('get_limit', { params: { name: 'instances' }, token })).used
  const before = await used()
  const [running, ending] = [await launch(), await launch()]
  await server.settle()
  const id = await loseHost(capacity, running, operator)
  const starting = await launch()
  await server.settle()
  await server.advance(89)
  assert.deepEqual(refusalOf(await act('retire', id, { force: true }, operator)), [409, 'invalid_state', null])
  await server.advance(1)
  await server.call('terminate_instance', { params: { id: ending }, token })
  const lost = await server.call('get_host', { params: { id }, token: operator })
  assert.deepEqual([lost.state, lost.health, lost.used_slots], ['active', 'unreachable', 3])
  assert.equal(await stateOf(starting), 'awaiting_allocation')
  const plain = await act('retire', id, undefined, operator)
  assert.deepEqual(refusalOf(plain), [409, 'invalid_state', null])
  assert.match(plain.body.error.message, /is unreachable: .*`force`/)
  const sold = await owned(pool, sku)
  const address = await addressOf(starting)
  assert.notEqual(address, undefined)

  const retired = await act('retire', id, { force: true }, operator)
  assert.equal(retired.status, 200, retired.text)
  const at = await now()
  const { state, instances, used_slots, retired_at, drain_deadline_at, supply_ends_at } = retired.body
  assert.deepEqual([state, instances, used_slots], ['retired', [], 0])
  assert.deepEqual([retired_at, drain_deadline_at, supply_ends_at], [at, at, at - (at % 60)])
  // Of the four nodes of the host two were free, and two are sold and stay with the pool.
  assert.deepEqual([await owned(supply, sku, operator), await owned(pool, sku)], [[], sold])
  assert.deepEqual(refusalOf(await act('retire', id, { force: true }, operator)), [409, 'invalid_state', null])

  await server.settle()
  const states = await Promise.all([running, ending, starting].map(stateOf))
  assert.deepEqual(states, ['terminated', 'terminated', 'running'])
  assert.deepEqual([await addressOf(running), await addressOf(ending)], [undefined, undefined])
  assert.notEqual(await addressOf(starting), address)
  const ran = ['instance.created token', 'instance.running system', 'instance.connection_lost system']
  assert.deepEqual(await eventsOf(server, token, running), [
    ...ran,
    'instance.failed system',
    'instance.terminated system',
  ])
  assert.deepEqual(await eventsOf(server, token, ending), [...ran, 'instance.terminated token'])
  assert.deepEqual(await eventsOf(server, token, starting), ['instance.created token', 'instance.running system'])
  const explained = await server.call('explain_instance', { params: { id: running }, token })
  assert.deepEqual([explained.termination?.reason, explained.termination?.notice_at], ['host_lost', null])
  assert.match(explained.summary, /^Its host was lost; it ended at /)
  assert.equal(await used(), before + 1)
  await assertAuditsPass(server)
})

test('a host that dies while it drains stays draining until it is retired by force', async () => {
  const capacity = await makeCapacity(server, account, { hosts: 1, slots: 2, nodes: 1 })
  const { sku, pool, supply, image } = capacity
  const operator = (await platformAccount(server)).token
  const { id: instance } = await server.call('create_instance', { token, body: { pool, sku, image } })
  await server.settle()
  const id = await loseHost(capacity, instance, operator)
  await server.advance(90)
  const deadline_at = await minuteAhead(2)
  assert.equal((await act('drain', id, { deadline_at, force: true }, operator)).status, 200)
  await server.advance(3_600)
  const stuck = await server.call('get_host', { params: { id }, token: operator })
  assert.deepEqual([stuck.state, stuck.used_slots, await stateOf(instance)], ['draining', 1, 'terminated'])
  const plain = await act('retire', id, undefined, operator)
  assert.deepEqual(refusalOf(plain), [409, 'invalid_state', null])
  assert.match(plain.body.error.message, /draining\. It is unreachable: .*`force`/)
  const events = await eventsOf(server, token, instance)

  const { body } = await act('retire', id, { force: true }, operator)
  assert.deepEqual(
    [body.state, body.used_slots, body.drain_deadline_at, body.supply_ends_at],
    ['retired', 0, deadline_at, deadline_at],
  )
  assert.deepEqual(await owned(supply, sku, operator), [])
  assert.deepEqual(await eventsOf(server, token, instance), events)
  await assertAuditsPass(server)
})

test('a drain needs a deadline that is not in the past, and wrong fields are refused', async () => {
  const { id } = await makeHosts()
  const past = (await now()) - 3600
  for (const [body, refusal] of [
    [{ deadline_at: past }, [422, 'in_the_past', 'deadline_at']],
    [{}, [400, 'required', 'deadline_at']],
    [{ deadline_at: 'soon' }, [400, 'invalid_type', 'deadline_at']],
    [{ deadline_at: past + 7200, force: 'yes' }, [400, 'invalid_type', 'force']],
    [{ deadline_at: past + 7200, colour: 'red' }, [400, 'unknown_field', 'colour']],
  ] as const) {
    assert.deepEqual(refusalOf(await act('drain', id, body)), refusal, JSON.stringify(body))
  }
  assert.deepEqual(refusalOf(await act('retire', id, { force: 'yes' })), [400, 'invalid_type', 'force'])
  assert.equal((await server.call('get_host', { params: { id }, token })).state, 'active')
})

test('of a drain and a concurrent sale of the same nodes one succeeds, and no node is counted twice', async () => {
  const buyer = await server.account()
  const won = { drained: 0, sold: 0 }
  await raceUntilEach(won, { rounds: sized(32) }, async (_, lead) => {
    const { sku, id, pool } = await makeHosts({ slots: 2 })
    const deadline_at = await minuteAhead(10)
    const [drain, sale] = await Promise.allSettled([
      stagger(server, lead, 'first').then(() => act('drain', id, { deadline_at })),
      stagger(server, lead, 'second').then(() => grantNodes(server, buyer, { sku, supply: pool, nodes: 2 })),
    ])
    const isDrained = drain.status === 'fulfilled' && drain.value.status === 200
    assert.notEqual(isDrained, sale.status === 'fulfilled', 'both or neither')
    won[isDrained ? 'drained' : 'sold']++
  })
})

test('each operation needs its verb, and the platform manages the hosts of every account', async () => {
  const { ids } = await makeHosts({ count: 3 })
  const [first, second, third] = ids as [string, string, string]
  await drained(third)
  await acted('cordon', second)
  const verb = 'write'
  await assertRights(server, account, 'host', {
    update_host: { method: 'PATCH', path: `${path}/${first}`, body: {}, verb },
    cordon_host: { method: 'POST', path: `${path}/${first}/cordon`, verb },
  })
  await assertRights(server, account, 'host', {
    uncordon_host: { method: 'POST', path: `${path}/${second}/uncordon`, verb },
    drain_host: { method: 'POST', path: `${path}/${second}/drain`, body: { deadline_at: await minuteAhead(99) }, verb },
    retire_host: { method: 'POST', path: `${path}/${third}/retire`, verb },
  })
  const operator = await platformAccount(server)
  const reader = await makeAccountToken(server, operator, { platform: ['read'] })
  assert.equal((await act('uncordon', first, undefined, operator.token)).status, 200)
  assert.equal((await act('cordon', first, undefined, reader.token)).status, 403)
  const stranger = await server.account()
  assert.equal((await act('cordon', first, undefined, stranger.token)).status, 404)
})
