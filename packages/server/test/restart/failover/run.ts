/**
 * One failover: three servers on a primary and a standby, traffic, lost commits, a promotion, more traffic. Afterwards
 * everything that the servers remember must agree with the database.
 */
import assert from 'node:assert/strict'
import { eventually } from '../../../../../test/eventually.ts'
import { app } from '../../../src/app.ts'
import type { ServerOptions } from '../../../src/assembly/server-options.ts'
import { openLog } from '../../../src/core/base/log.ts'
import { createSeededRandom, pick, type Random } from '../../../src/core/base/random.ts'
import { statement } from '../../../src/core/db/db.ts'
import type { Keys } from '../../../src/core/keys/keys.ts'
import { runAudit } from '../../../src/core/work/auditor.ts'
import { type Server, startServer } from '../../../src/server.ts'
import { assertCachesEqual } from '../../market/trading.ts'
import { type ClusterTemplate, type DatabasePair, startPair } from './database-pair.ts'
import { type Follower, followAccount } from './follower.ts'
import { type FollowingAgent, startAgent } from './following-agent.ts'
import { type FailoverWorld, type Send, writeOnce } from './world.ts'

/** What happened in a run. */
export type FailoverTally = {
  /** Events that were committed at the old primary only. */
  lost: number
  gone: number
  forgotten: number
  resumed: number
  refused: number
}

/** The parts that all runs share. */
export type Setting = {
  readonly template: ClusterTemplate
  readonly world: FailoverWorld
  readonly keys: Keys
  readonly schema_version: number
}

type FailoverRun = {
  readonly setting: Setting
  readonly random: Random
  readonly pair: DatabasePair
  readonly servers: readonly Server[]
  readonly followers: readonly Follower[]
  readonly agents: readonly FollowingAgent[]
  readonly send: Send
  readonly tally: FailoverTally
}

const replicas = 3
const patience = { usual_seconds: 3, every_milliseconds: 50 }
const raiseKeysVersion = "update versions set value = value + 1 where name = 'cursor_keys'"
const countEvents = statement<{ events: number }>(null, 'select sum(position)::bigint as events from event_counters')
const countLiving = statement<{ id: string }>(
  null,
  `select m.instance_id as id
   from machines m
   join hosts h on h.id = m.host_id
   where not h.is_simulated and m.action = 'run'`,
)

/** Restores an older copy under running servers: neither cluster nor timeline changes, only the log is shorter. */
export async function restoreOlder(setting: Setting, seed: number): Promise<FailoverTally> {
  await using stack = new AsyncDisposableStack()
  const run = await begin(setting, { seed, synchronous: false }, stack)
  const { pair, tally, servers } = run
  const before = await eventsAt(servers[0] as Server)
  await traffic(run, 20)
  await readToTheEnd(run)
  tally.lost = (await eventsAt(servers[0] as Server)) - before
  pair.killPrimary()
  await pair.restore()
  await untilBack(run)
  await traffic(run, 20)
  return await finish(run)
}

/** Runs one seed. Synchronous replication loses nothing; asynchronous replication loses what follows the cut. */
export async function failOver(setting: Setting, { seed, synchronous }: FailoverOptions): Promise<FailoverTally> {
  await using stack = new AsyncDisposableStack()
  const run = await begin(setting, { seed, synchronous }, stack)
  const { random, pair, servers, tally } = run
  await traffic(run, 4 + random.integer(4))
  await pair.catchUp()
  const common = await eventsAt(servers[0] as Server)
  if (!synchronous) await pair.cut()
  // A server with a new root key would do this. Afterwards equal versions need not mean equal keys.
  await (servers[0] as Server).runtime.database.reader.run(statement(null, raiseKeysVersion))
  await traffic(run, 5 + random.integer(5))
  if (seed % 4 === 0) await readToTheEnd(run)
  const last = await eventsAt(servers[0] as Server)
  tally.lost = synchronous ? 0 : last - common
  pair.killPrimary()
  await pair.promote()
  await untilBack(run)
  const first = await eventsAt(servers[0] as Server)
  assert.ok(first >= (synchronous ? last : common), 'events were lost that the standby had')
  await traffic(run, 8 + random.integer(6))
  await finish(run)
  if (synchronous) assert.equal(tally.gone, 0, 'a cursor ended although nothing was lost')
  return tally
}

type FailoverOptions = { readonly seed: number; readonly synchronous: boolean }

async function begin(
  setting: Setting,
  { seed, synchronous }: FailoverOptions,
  stack: AsyncDisposableStack,
): Promise<FailoverRun> {
  const random = createSeededRandom(seed)
  const pair = stack.use(await startPair(setting.template, { synchronous }))
  const servers: Server[] = []
  for (let n = 0; n < replicas; n++) servers.push(stack.use(await openServer(setting, pair)))
  const urls = servers.map(({ url }) => url)
  const accounts = [...setting.world.traders, setting.world.customer]
  const followers = accounts.map((account) => followAccount(account, () => pick(random, urls)))
  const agents = setting.world.hosts.map((host) => stack.use(startAgent(host, urls)))
  const tally = { lost: 0, gone: 0, forgotten: 0, resumed: 0, refused: 0 }
  return { setting, random, pair, servers, followers, agents, send: sendTo(urls, random), tally }
}

async function finish(run: FailoverRun): Promise<FailoverTally> {
  const { followers, tally } = run
  await assertAgreement(run)
  for (const { tally: own } of followers) {
    tally.gone += own.gone
    tally.forgotten += own.forgotten
    tally.resumed += own.gone === 0 ? 1 : 0
  }
  return tally
}

/** Starts a server on a pair. */
export function openServer(
  { keys, schema_version }: Setting,
  { target }: DatabasePair,
  options: Pick<ServerOptions, 'seen'> = {},
): Promise<Server> {
  return startServer({
    ...options,
    mode: 'sandbox',
    target,
    keys,
    log: openLog('fatal' as 'error'),
    host: '127.0.0.1',
    port: 0,
    schema_version,
    requires_safe_database: false,
    // The template has the partitions of today.
    keeps_partitions: false,
    rate_multiplier: 1_000_000,
    connections_max: 8,
  })
}

function sendTo(urls: readonly string[], random: Random): Send {
  return async (method, path, { token, body }) => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body) headers['content-type'] = 'application/json'
    const sent = body ? { body: JSON.stringify(body) } : {}
    const response = await fetch(`${pick(random, urls)}${path}`, { method, headers, ...sent })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

function windowOf({ start_at }: FailoverWorld): string {
  return `start_at=${start_at}&end_at=${start_at + 3600}`
}

/** Writes, reads of books and reads of events, one after the other. */
async function traffic({ setting, random, followers, send, tally }: FailoverRun, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const { status } = await writeOnce(setting.world, random, send)
    if (status >= 400) tally.refused += 1
    assert.ok(status < 500, `a write returned ${status}`)
    if (random.integer(2) === 0) await pick(random, followers).read(3)
    if (random.integer(3) === 0) {
      const { token } = setting.world.customer
      const depth = await send('GET', `/preview/v2/orderbook/depth?${windowOf(setting.world)}`, { token })
      assert.equal(depth.status, 200, JSON.stringify(depth.body))
    }
  }
}

/** Writes an event of the last trader, and lets its follower read it: where it is lost, a cursor ends. */
async function readToTheEnd({ setting, followers, send }: FailoverRun): Promise<void> {
  const { traders, skus, start_at } = setting.world
  const last = traders.length - 1
  const { token, pool } = traders[last] as (typeof traders)[number]
  // So cheap that nobody sells.
  const price = { limit_price_dollars_per_node_hour: '0.100000', allow_standing: true }
  const window = { start_at, end_at: start_at + 3600, node_count: 1 }
  const order = { pool, sku: skus[0], side: 'buy', allocation_schedule_delta: [window], ...price }
  const { status, body } = await send('POST', '/v2/orders', { token, body: order })
  assert.equal(status, 201, JSON.stringify(body))
  await followers[last]?.drain()
}

async function eventsAt({ runtime }: Server): Promise<number> {
  return (await runtime.database.reader.row(countEvents))?.events ?? 0
}

/** Waits until each server accepts a write again. */
async function untilBack({ setting, servers }: FailoverRun): Promise<void> {
  for (const { url } of servers) {
    const isBack = async () => {
      const headers = { authorization: `Bearer ${setting.world.customer.token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: `back-${Math.random().toString(36).slice(2)}` })
      const response = await fetch(`${url}/v2/pools`, { method: 'POST', headers, body })
      await response.text()
      return response.status < 500
    }
    await eventually(`the server at ${url} accepts writes again`, isBack, patience)
  }
}

/** Checks books, events, invariants and hosts against the database. */
async function assertAgreement(run: FailoverRun): Promise<void> {
  const { setting, servers, followers, agents } = run
  const { runtime } = servers[0] as Server
  for (const sku of setting.world.skus) await assertCachesEqual(servers, sku)
  await assertHostsAct(agents, runtime)
  for (const [index, follower] of followers.entries()) {
    await follower.drain()
    const { token } = [...setting.world.traders, setting.world.customer][index] as { token: string }
    const { url } = servers[index % servers.length] as Server
    const whole = followAccount({ id: '', token }, () => url)
    await whole.drain()
    const known = follower.received.slice(0, whole.received.length)
    assert.deepEqual(known, whole.received.slice(0, follower.received.length), 'a follower missed or repeated events')
  }
  const findings = await runAudit(runtime.database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )
}

/** Waits until every host runs exactly what the database wants. */
async function assertHostsAct(agents: readonly FollowingAgent[], { database }: Server['runtime']): Promise<void> {
  const act = async () => {
    const wanted = (await database.reader.rows(countLiving)).map(({ id }) => id)
    assert.deepEqual(agents.flatMap((agent) => agent.running()).toSorted(), wanted.toSorted())
    return true
  }
  await eventually('every host runs exactly what the database wants', act, patience)
}
