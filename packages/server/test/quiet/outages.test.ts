import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pause } from '@bourse/text/time/pause.ts'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { silentLog } from '../../src/core/base/log.ts'
import { openDatabase, statement } from '../../src/core/db/db.ts'
import { startDurableCluster } from '../support/cluster.ts'
import { asAdministrator, createTestDatabase } from '../support/database.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

const outageMilliseconds = 3_000
/**
 * A 503 comes within three seconds. The rest is a margin for a busy machine, to which each test adds the longest time
 * for which this process stood still: server and callers are in it.
 */
const responseMillisecondsMax = 4_000
const returnMillisecondsMax = 5_000
const connectionsMax = 60

const cluster = await startDurableCluster({ max_connections: String(connectionsMax) })
const database = await createTestDatabase({ cluster: cluster.target })
const proxy = await openFaultProxy(database.target)
const direct = openDatabase(database.target)
const server = await startTestServer({
  target: proxy.target,
  rate_multiplier: 1_000_000,
  log: silentLog(),
  requires_safe_database: true,
})
afterAll(async () => {
  await direct[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})
const account = await server.account({ trust_level: 'partner' })
const { sku, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 1 })
const openedAt: number = (await server.call('get_clock')).now
const purse = (await server.call('create_pool', { token: account.token, body: {} })).id

type OutageCallKind = 'read' | 'list' | 'write' | 'order'
type OutageCall = {
  readonly name: string | undefined
  readonly asked_at: number
  readonly took: number
  readonly response: TestResponse
}

/** Makes the database unavailable. Returns the function that restores it. */
type StartOutage = () => Promise<() => Promise<void>>

const outages: Readonly<Record<string, StartOutage>> = {
  refused: () => weather('refused'),
  reset: () => weather('reset'),
  'a black hole': () => weather('black hole'),
  'out of connections': takeAllConnections,
  'read only': async () => {
    await setReadOnly('on')
    // New connections check the settings before their first use.
    await asAdministrator(cluster.target, (client) => client.query(endConnections))
    return () => setReadOnly('off')
  },
  'restarted again and again': async () => repeat(1_000, restart),
}

async function weather(which: 'refused' | 'reset' | 'black hole'): Promise<() => Promise<void>> {
  await proxy.turn(which)
  return () => proxy.turn('fair')
}

/** Shuts PostgreSQL down in fast mode. While it is starting again, there may be no process. */
async function restart(): Promise<void> {
  try {
    process.kill(cluster.pid(), 'SIGINT')
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
  }
}

const endConnections = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bourse'"

function setReadOnly(value: 'on' | 'off'): Promise<void> {
  return asAdministrator(cluster.target, async (client) => {
    await client.query(`alter system set default_transaction_read_only = ${value}`)
    await client.query('select pg_reload_conf()')
  })
}

/** Other programs take every connection. Those of the server are terminated. */
async function takeAllConnections(): Promise<() => Promise<void>> {
  const held: pg.Client[] = []
  const hold = async () => {
    const client = new pg.Client({ ...cluster.target, database: 'postgres', application_name: 'hog' })
    client.on('error', () => {})
    await client.connect()
    held.push(client)
    return client
  }
  const first = await hold()
  const stop = repeat(5, async () => {
    await Promise.allSettled(Array.from({ length: connectionsMax / 3 }, hold))
    await first.query(endConnections)
  })
  return async () => {
    await stop()
    await Promise.all(held.map((client) => client.end()))
  }
}

/** Repeats work until it is stopped. */
function repeat(pauseMilliseconds: number, work: () => Promise<void>): () => Promise<void> {
  let isOver = false
  const worker = async () => {
    while (!isOver) {
      await work()
      await pause(pauseMilliseconds)
    }
  }
  const ended = worker()
  return () => {
    isOver = true
    return ended
  }
}

let names = 0
const paths = { read: '/v2/skus', list: '/v2/instances?limit=5' }

async function call(kind: OutageCallKind): Promise<OutageCall> {
  const asked_at = performance.now()
  const name = kind === 'write' ? `name-${++names}` : undefined
  const response = await (name
    ? write(name)
    : kind === 'order'
      ? order()
      : server.request('GET', paths[kind as 'read' | 'list'], { token: account.token }))
  return { name, asked_at, response, took: performance.now() - asked_at }
}

function write(name: string): Promise<TestResponse> {
  const headers = { 'Idempotency-Key': `key-${name}` }
  return server.attempt('create_instance', { token: account.token, headers, body: { sku, pool, image, name } })
}

/** Writes with retries, because the last of several restarts may follow the first successful request. */
function writePatiently(name: string): Promise<TestResponse> {
  return eventually(`a write of ${name} is answered without 503`, async () => {
    const response = await write(name)
    assert.notEqual(response.status, 503, response.text)
    return response
  })
}

/** Places an order. The account has no money, so a decision is always a refusal. */
async function order(): Promise<TestResponse> {
  const start_at = openedAt - (openedAt % 3600) + 7200
  const window = { start_at, end_at: start_at + 3600, node_count: 1 }
  const price = { limit_price_dollars_per_node_hour: '1.200000' }
  const body = { pool: purse, sku, side: 'buy', allocation_schedule_delta: [window], ...price }
  return server.attempt('create_order', { token: account.token, body })
}

const isThere = statement<{ count: number }>('outages.is_there', 'select count(*) as count from names where name = $1')

for (const [name, begin] of Object.entries(outages)) {
  test(`while a database is ${name}, requests get 503 and no false result`, async ({ annotate }) => {
    const calls: OutageCall[] = []
    const stalls = monitorEventLoopDelay({ resolution: 10 })
    stalls.enable()
    const kinds: readonly OutageCallKind[] = ['read', 'list', 'order', 'write', 'write', 'write']
    const stops = kinds.map((kind) => repeat(120, async () => void calls.push(await call(kind))))
    await pause(200)
    const goneAt = performance.now()
    const end = await begin()
    await pause(outageMilliseconds)
    const ready = await server.attempt('get_readiness', { token: null })
    await end()
    const backAt = performance.now()
    const isBack = () => calls.some((one) => one.name && one.asked_at > backAt && one.response.status < 300)
    await eventually('a write succeeds after the return of the database', isBack)
    const returnMs = performance.now() - backAt
    await Promise.all(stops.map((stop) => stop()))
    const slowest = Math.max(...calls.map(({ took }) => took))
    const during = calls.filter(({ asked_at }) => asked_at > goneAt && asked_at < backAt)
    const stall = stalls.max / 1e6
    const took = `slowest ${slowest | 0} ms, longest stall ${stall | 0} ms`
    await annotate(`${during.length} calls, ${took}; first write ${returnMs | 0} ms after its return`)
    assertHonest(during)
    if (name !== 'restarted again and again') assert.equal(ready.status, 503)
    assert.ok(slowest <= responseMillisecondsMax + stall, took)
    assert.ok(returnMs < returnMillisecondsMax + stall, `the first write succeeded after ${returnMs} ms`)
    await assertEffects(calls)
  })
}

function assertHonest(calls: readonly OutageCall[]): void {
  assert.ok(calls.length >= 8)
  for (const { response } of calls) {
    assert.ok(response.status < 300 || [402, 503].includes(response.status), response.text)
    if (response.status === 503) assert.ok(Number(response.headers.get('retry-after')) >= 1)
  }
  assert.ok(calls.some(({ response }) => response.status === 503))
}

/** Asserts that every acknowledged effect exists, and that a retry of each other call takes effect once. */
async function assertEffects(calls: readonly OutageCall[]): Promise<void> {
  const look = async ({ name, response }: OutageCall) => {
    if (name === undefined) return
    if (response.status >= 300) assert.equal((await writePatiently(name)).status, 201)
    const row = await direct.reader.row(isThere, [name])
    assert.equal(row?.count, 1, `${name}, answered ${response.status}`)
  }
  const left = [...calls]
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) await look(next)
  }
  await Promise.all(Array.from({ length: 6 }, worker))
}
