import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import type { CallBody } from '../support/calls.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { makeSpotMarket, runningMinute } from '../support/fixtures/spot.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { randomInTurn } from '../support/random-in-turn.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer, type TestAccount } from '../support/server.ts'

// Whether a fault hits depends on an integer below a hundred.
const server = await startTestServer({ random: randomInTurn(100) })

type ShownFault = { id: string; hits: number; active: boolean; [field: string]: unknown }

const setFault = (body: CallBody<'create_fault'>): Promise<ShownFault> => server.call('create_fault', { body })
const removeFault = (id: string) => server.call('delete_fault', { params: { id } })
const readFault = async (id: string): Promise<ShownFault | undefined> =>
  (await server.call('list_faults')).data.find((fault: ShownFault) => fault.id === id)
const listFirewalls = (account: TestAccount) => server.attempt('list_firewalls', { token: account.token })

async function countFirewalls(account: TestAccount): Promise<number> {
  return (await listFirewalls(account)).body.data.length
}

test('an error of each status hits its operation the requested number of times, and no other operation', async () => {
  const account = await server.account()
  for (const [status, type] of [
    [429, 'rate_limited'],
    [500, 'api_error'],
    [503, 'api_error'],
  ] as const) {
    const { id } = await setFault({ kind: 'http_error', status, operation: 'list_firewalls', times: 2 })
    assert.equal((await server.attempt('list_subnets', { token: account.token })).status, 200)
    for (const hits of [1, 2]) {
      const response = await listFirewalls(account)
      assert.deepEqual([response.status, response.body.error.type], [status, type])
      assert.equal(response.headers.get('retry-after'), status === 500 ? null : '1')
      const fault = await readFault(id)
      assert.deepEqual([fault?.hits, fault?.active], [hits, hits < 2])
    }
    assert.equal((await listFirewalls(account)).status, 200)
  }
})

test('create_fault returns the fault, which hits once by default; delete_fault ends it', async () => {
  const account = await server.account()
  const request = { kind: 'http_error', status: 503, operation: 'list_firewalls', probability_percent: 100 } as const
  const once = await setFault(request)
  const { id, created_at, ...shown } = once
  assert.match(id, /^flt_.{21}$/)
  assert.ok(Number.isInteger(created_at))
  assert.deepEqual(shown, { object: 'fault', ...request, times: 1, hits: 0, active: true })
  assert.equal((await listFirewalls(account)).status, 503)
  assert.equal((await listFirewalls(account)).status, 200)
  const lasting = await setFault({ ...request, times: 0, for_seconds: 3600 })
  for (let i = 0; i < 5; i++) assert.equal((await listFirewalls(account)).status, 503)
  assert.deepEqual([(await readFault(lasting.id))?.hits, (await readFault(lasting.id))?.for_seconds], [5, 3600])
  await removeFault(lasting.id)
  assert.equal((await listFirewalls(account)).status, 200)
  assert.equal(await readFault(lasting.id), undefined)
  assert.equal((await server.attempt('delete_fault', { params: { id: lasting.id } })).status, 404)
  assert.equal((await server.attempt('delete_fault', { params: { id: 'flt_absent' } })).status, 404)
})

test('a fault ends by the business clock', async () => {
  const account = await server.account()
  const { id } = await setFault({ kind: 'http_error', status: 500, times: 0, for_seconds: 600 })
  assert.equal((await listFirewalls(account)).status, 500)
  // The clock is running, so on a slow machine a time close to the end could be after it.
  await server.advance(500)
  assert.equal((await readFault(id))?.active, true)
  await server.advance(100)
  assert.equal((await readFault(id))?.active, false)
  // The process polls for ended faults once a second, but each hit is checked against the clock.
  assert.equal((await listFirewalls(account)).status, 200)
})

test('a fault hits with its probability_percent', async () => {
  const account = await server.account()
  const request = {
    kind: 'http_error',
    status: 500,
    operation: 'list_firewalls',
    times: 0,
    probability_percent: 30,
  } as const
  const { id } = await setFault(request)
  let hits = 0
  for (let i = 0; i < 100; i++) if ((await listFirewalls(account)).status === 500) hits++
  if (server.inside) assert.equal(hits, 30)
  // By chance, a correct fault is outside this range once in a million runs.
  else assert.ok(hits > 8 && hits < 55, `${hits} of 100`)
  assert.equal((await readFault(id))?.hits, hits)
  await removeFault(id)
})

test('latency hits a response and does not change it', async () => {
  const account = await server.account()
  const { id } = await setFault({ kind: 'http_latency', milliseconds: 300, operation: 'list_firewalls' })
  // That it delays it by this time is tested in ../quiet/delays.test.ts.
  for (let i = 0; i < 2; i++) assert.equal((await listFirewalls(account)).status, 200)
  assert.deepEqual([(await readFault(id))?.hits, (await readFault(id))?.active], [1, false])
})

test('a connection closed before the work leaves no effect; one closed after the work leaves its effect', async () => {
  const account = await server.account()
  const own = { token: account.token }
  const create = () => server.attempt('create_firewall', { ...own, body: {} })
  const cut = (moment: 'after' | 'before', operation: string) => setFault({ kind: 'connection_cut', moment, operation })
  await cut('before', 'create_firewall')
  await assert.rejects(create())
  assert.equal(await countFirewalls(account), 1)
  await cut('after', 'create_firewall')
  await assert.rejects(create())
  assert.equal(await countFirewalls(account), 2)
  const made = (await create()).body
  const remove = () => server.attempt('delete_firewall', { params: { id: made.id }, ...own })
  await cut('before', 'delete_firewall')
  await assert.rejects(remove())
  assert.equal(await countFirewalls(account), 3)
  await cut('after', 'delete_firewall')
  await assert.rejects(remove())
  assert.equal(await countFirewalls(account), 2)
  assert.equal((await remove()).status, 404)
})

test('a retry with the same key after a closed connection returns the one created resource', async () => {
  const account = await server.account()
  const create = () =>
    server.attempt('create_firewall', {
      token: account.token,
      body: { name: 'kept' },
      headers: { 'Idempotency-Key': 'cut-and-again' },
    })
  await setFault({ kind: 'connection_cut', moment: 'after', operation: 'create_firewall' })
  await assert.rejects(create())
  const again = await create()
  assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
  assert.equal(await countFirewalls(account), 2)
})

test('the deletion of deployments is never rate limited, even by a fault', async () => {
  const account = await server.account()
  const { id } = await setFault({ kind: 'http_error', status: 429, times: 0 })
  assert.equal(
    (await server.attempt('delete_deployment', { params: { id: 'depl_absent' }, token: account.token })).status,
    404,
  )
  assert.equal((await listFirewalls(account)).status, 429)
  await removeFault(id)
})

test('while the database is down requests are refused, reconcilers pause, and sandbox control works', async () => {
  const account = await server.account()
  const own = { token: account.token }
  const { pool, sku, template } = await makeCapacity(server, account)
  const body = { pool, sku, instance_template: template, target_instance_count: 3 }
  const { id } = await setFault({ kind: 'database_down', times: 0 })
  const refused = await server.attempt('create_deployment', { ...own, body })
  assert.deepEqual(
    [refused.status, refused.body.error.type, refused.headers.get('retry-after')],
    [503, 'api_error', '1'],
  )
  assert.equal((await listFirewalls(account)).status, 503)
  assert.equal((await server.attempt('get_health', { token: null })).status, 200)
  assert.equal((await server.attempt('get_clock')).status, 200)
  await removeFault(id)
  const { id: deployment } = await server.call('create_deployment', { ...own, body })
  await server.settle()
  const again = await setFault({ kind: 'database_down', for_seconds: 30 })
  assert.equal(again.times, 0)
  const { settled } = await server.call('settle', { body: { timeout_seconds: 1 } })
  assert.equal((await listFirewalls(account)).status, 503)
  await server.advance(31)
  const { data } = await server.call('list_instances', { query: { deployment }, ...own })
  assert.deepEqual([data.length, typeof settled], [3, 'boolean'])
})

test('while a fault halts the market, orders are refused and can be cancelled', async () => {
  const traders = tradersOn(server)
  const sku = await traders.sku()
  const [buyer, start_at] = [await traders.buyer(), await traders.nextHour()]
  const order = () => traders.order(buyer, sku, { side: 'buy', start_at, nodes: 1, allow_standing: true })
  const before = await order()
  assert.equal(before.status, 201)
  const { id, times } = await setFault({ kind: 'market_halt' })
  assert.equal(times, 0)
  const refused = await order()
  assert.deepEqual([refused.status, refused.body.error.type], [503, 'api_error'])
  assert.equal(
    (await server.attempt('cancel_order', { params: { id: before.body.id }, token: buyer.token })).status,
    204,
  )
  await removeFault(id)
  assert.equal((await order()).status, 201)
  await setFault({ kind: 'market_halt', for_seconds: 60 })
  assert.equal((await order()).status, 503)
  await server.advance(61)
  assert.equal((await order()).status, 201)
})

test('a database_down fault does not delay its own end', async () => {
  const account = await server.account()
  const own = { token: account.token }
  const { pool, sku, template } = await makeCapacity(server, account)
  const body = { pool, sku, instance_template: template, target_instance_count: 2 }
  const { id } = await server.call('create_deployment', { ...own, body })
  await server.settle()
  await server.call('freeze_clock')
  await setFault({ kind: 'database_down', for_seconds: 20 })
  // Boots become due during the fault and cannot run, so the clock waits before them.
  const { settled } = await server.call('advance_clock', { body: { seconds: 60 } })
  assert.equal(settled, true)
  const { data } = await server.call('list_instances', { query: { deployment: id }, ...own })
  assert.deepEqual(new Set(data.map(({ state }) => state)), new Set(['running']))
  await server.call('resume_clock')
})

test('invalid faults are refused with their field', async () => {
  const account = await server.account()
  const { sku, pool } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
  const ended = 'inst_absent'
  for (const [body, refusal] of [
    [{}, [400, 'required', 'kind']],
    [{ kind: 'market_crash' }, [400, 'invalid_value', 'kind']],
    [{ kind: 'http_error' }, [400, 'required', 'status']],
    [{ kind: 'http_error', status: 404 }, [400, 'invalid_value', 'status']],
    [{ kind: 'http_error', status: 500, milliseconds: 5 }, [422, 'not_applicable', 'milliseconds']],
    [{ kind: 'http_latency' }, [400, 'required', 'milliseconds']],
    [{ kind: 'http_latency', milliseconds: 60_001 }, [400, 'out_of_range', 'milliseconds']],
    [{ kind: 'connection_cut' }, [400, 'required', 'moment']],
    [{ kind: 'connection_cut', moment: 'during' }, [400, 'invalid_value', 'moment']],
    [{ kind: 'http_error', status: 500, operation: 'list_wishes' }, [400, 'invalid_value', 'operation']],
    [{ kind: 'http_error', status: 500, operation: 'get_clock' }, [422, 'not_applicable', 'operation']],
    [{ kind: 'http_error', status: 500, operation: 'get_health' }, [422, 'not_applicable', 'operation']],
    [{ kind: 'http_error', status: 500, probability_percent: 0 }, [400, 'out_of_range', 'probability_percent']],
    [{ kind: 'http_error', status: 500, times: -1 }, [400, 'out_of_range', 'times']],
    [{ kind: 'http_error', status: 500, for_seconds: 0 }, [400, 'out_of_range', 'for_seconds']],
    [{ kind: 'database_down', status: 500 }, [422, 'not_applicable', 'status']],
    [{ kind: 'host_crash' }, [400, 'required', 'host']],
    [{ kind: 'host_crash', host: 'host_absent' }, [422, 'reference_not_found', 'host']],
    [{ kind: 'host_crash', instance: ended }, [422, 'not_applicable', 'instance']],
    [{ kind: 'start_failure', host: 'host_a', instance: ended }, [422, 'mutually_exclusive', 'instance']],
    [{ kind: 'instance_unhealthy', instance: ended }, [422, 'reference_not_found', 'instance']],
    [{ kind: 'preempt' }, [400, 'required', 'instance']],
    [{ kind: 'preempt', pool, sku }, [400, 'required', 'node_count']],
    [{ kind: 'preempt', instance: ended, node_count: 1 }, [422, 'mutually_exclusive', 'pool']],
    [{ kind: 'preempt', pool: 'pool_absent', sku, node_count: 1 }, [422, 'reference_not_found', 'pool']],
    [{ kind: 'preempt', pool, sku: 'sku_absent', node_count: 1 }, [422, 'not_applicable', null]],
    [{ kind: 'preempt', pool, sku, node_count: 1, times: 2 }, [422, 'not_applicable', 'times']],
    [{ kind: 'database_down', why: 'because' }, [400, 'unknown_field', 'why']],
  ] as const) {
    assert.deepEqual(refusalOf(await server.attempt('create_fault', { body })), refusal, JSON.stringify(body))
  }
  assert.equal((await server.attempt('list_faults', { token: null })).status, 401)
})

test('a preemption removes allocation so that exactly the first victims end', async () => {
  const account = await server.account()
  const own = { token: account.token }
  const { sku, pool, supply, image } = await makeCapacity(server, account, { hosts: 2, slots: 2 })
  const make = async (priority_level: CallBody<'create_instance'>['priority_level']) =>
    (await server.call('create_instance', { ...own, body: { pool, sku, image, priority_level } })).id as string
  const kept = await make('critical')
  const wanted = await make('normal')
  const lower = await make('yield')
  const other = await make('preferred')
  await server.advance(30)
  const fault = await setFault({ kind: 'preempt', instance: wanted })
  assert.deepEqual([fault.instance, fault.hits, fault.active], [wanted, 1, false])
  const again = await setFault({ kind: 'preempt', pool, sku, node_count: 1 })
  assert.deepEqual([again.pool, again.sku, again.node_count], [pool, sku, 1])
  await server.advance(120)
  const { data } = await server.call('list_instances', own)
  const states = Object.fromEntries(data.map(({ id, state }) => [id, state]))
  assert.deepEqual(states, { [kept]: 'running', [other]: 'terminated', [lower]: 'terminated', [wanted]: 'terminated' })
  const owned = async (path: string, token: string) =>
    (await server.ok('GET', path, { token })).allocation_schedule.by_sku[sku].at(-1).node_count
  assert.equal(await owned(`/v2/pools/${pool}`, account.token), 1)
  assert.equal(await owned(`/v2/pools/${supply}`, server.platform_token), 3)
  assert.deepEqual(refusalOf(await server.attempt('create_fault', { body: { kind: 'preempt', instance: lower } })), [
    409,
    'instance_terminated',
    'instance',
  ])
  const { data: events } = await server.call('list_events', {
    query: { limit: 200, action: 'instance.termination_imminent' },
    ...own,
  })
  assert.equal(events.length, 3)
  await assertAuditsPass(server)
})

test('a preemption of a market pool is a sale, to a resting buy or else to a trader', async () => {
  await using spot = await makeSpotMarket(server, { nodes: 8 })
  const { market, seller, buyer, image } = spot
  const own = { token: buyer.token }
  const minute = await runningMinute(server)
  const bought = { start_at: minute + 60, minutes: 300, nodes: 3 }
  await market.order(seller, { ...bought, side: 'sell', nodes: 8, allow_standing: true, allow_partial: true })
  assert.equal((await market.order(buyer, bought)).state, 'filled')
  const instances: string[] = []
  for (const priority_level of ['critical', 'normal', 'yield'] as const) {
    const body = { pool: buyer.pool, sku: market.sku, image, priority_level } as const
    instances.push((await server.call('create_instance', { ...own, body })).id)
  }
  await server.advance(90)
  const waiting = await market.buyer()
  const bid = { start_at: minute + 6000, minutes: 30, nodes: 1, price: '1.140000', allow_standing: true }
  const wanted = await market.order(waiting, { ...bid, allow_partial: true })
  const before = Number((await market.balance(buyer)).total)
  const fault = await setFault({ kind: 'preempt', instance: instances[1] })
  assert.deepEqual([fault.instance, fault.hits, fault.active], [instances[1], 1, false])
  const { data: orders } = await server.call('list_orders', { query: { side: 'sell' }, ...own })
  assert.deepEqual(
    orders.map(({ state, created_by }) => [state, created_by]),
    [['filled', { type: 'system' }]],
  )
  const [window] = orders[0].allocation_schedule_delta
  assert.deepEqual([window.end_at, window.node_count], [minute + 60 + 300 * 60, 2])
  assert.deepEqual([...new Set((await market.owned(buyer)).map(({ node_count }) => node_count))], [1])
  assert.ok(Number((await market.balance(buyer)).total) > before)
  assert.equal((await market.read(waiting, wanted)).state, 'filled')
  const { termination } = await server.call('explain_instance', { params: { id: instances[1] as string }, ...own })
  assert.equal(termination.reason, 'sold')
  await server.advance(120)
  const states = await Promise.all(
    instances.map(async (id) => (await server.call('get_instance', { params: { id }, ...own })).state),
  )
  assert.deepEqual(states, ['running', 'terminated', 'terminated'])
  await assertAuditsPass(server)
})

test('if nothing can be sold, a preemption removes the allocation without a sale', async () => {
  await using spot = await makeSpotMarket(server, { nodes: 4 })
  const { market, seller, buyer } = spot
  const bought = { start_at: (await runningMinute(server)) + 60, nodes: 2 }
  await market.order(seller, { ...bought, side: 'sell', allow_standing: true, allow_partial: true })
  await market.order(buyer, bought)
  const balance = await market.balance(buyer)
  const request = { kind: 'preempt', pool: buyer.pool, sku: market.sku, node_count: 1 } as const
  await server.call('halt_market', { body: { sku: market.sku, message: 'A pause.' } })
  await setFault(request)
  await server.call('resume_market', { body: { sku: market.sku } })
  assert.deepEqual(await market.balance(buyer), balance)
  assert.deepEqual(
    (await market.owned(buyer)).map(({ node_count }) => node_count),
    [1],
  )
  assert.deepEqual((await server.call('list_orders', { query: { side: 'sell' }, token: buyer.token })).data, [])
  await setFault(request)
  assert.deepEqual(await market.owned(buyer), [])
  assert.ok(Number((await market.balance(buyer)).total) > Number(balance.total))
  assert.deepEqual(refusalOf(await server.attempt('create_fault', { body: request })), [422, 'not_applicable', null])
  await assertAuditsPass(server)
})

test('list_faults also shows faults of hosts and machines', async () => {
  const account = await server.account()
  const own = { token: account.token }
  const { sku, pool, image, hosts } = await makeCapacity(server, account, { hosts: 1, slots: 2 })
  const { id } = await server.call('create_instance', { ...own, body: { pool, sku, image } })
  await server.advance(30)
  const sick = await setFault({ kind: 'instance_unhealthy', instance: id })
  await server.advance(5)
  const silent = await setFault({ kind: 'host_silent', host: hosts[0], for_seconds: 300 })
  await server.settle()
  assert.equal((await server.call('get_instance', { params: { id }, ...own })).state, 'failed')
  const { data } = await server.call('list_faults')
  assert.deepEqual(
    data.slice(0, 2).map((fault: ShownFault) => [fault.id, fault.kind, fault.instance, fault.host, fault.hits]),
    [
      [silent.id, 'host_silent', undefined, hosts[0], 1],
      [sick.id, 'instance_unhealthy', id, undefined, 1],
    ],
  )
  await removeFault(silent.id)
  assert.equal(await readFault(silent.id), undefined)
})

test('concurrent preemptions wait only for each other', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => server.account()))
  const [first] = accounts as [TestAccount]
  const { sku } = await makeCapacity(server, first)
  const { id: pool } = await server.call('create_pool', { token: first.token, body: {} })
  const body = { kind: 'preempt', pool, sku, node_count: 1 }
  const responses = await Promise.all(
    Array.from({ length: 48 }, (_, n) => {
      return server.attempt('create_fault', { token: accounts[n % 8]?.token as string, body })
    }),
  )
  assert.deepEqual([...new Set(responses.map((response) => refusalOf(response).join(' ')))], ['422 not_applicable '])
})
