import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { app } from '../../src/app.ts'
import { monotonicMilliseconds } from '../../src/core/base/clock.ts'
import { silentLog } from '../../src/core/base/log.ts'
import { type Session, statement } from '../../src/core/db/db.ts'
import { databaseFigures } from '../../src/core/work/database-figures.ts'
import { coreFigures, figuresStatement } from '../../src/core/work/figures.ts'
import type { Server } from '../../src/server.ts'
import { type ParsedFamily, parseExposition } from '../events/exposition.ts'
import { addHistory, analyze } from '../events/long-history.ts'
import { enrol } from '../support/agents.ts'
import { createTestDatabase } from '../support/database.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { makeSku } from '../support/fixtures/fleet.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { openTestServer, type TestServer } from '../support/server.ts'

const database = await createTestDatabase()
const proxy = await openFaultProxy(database.target)
let skipped = 0
/** Set while the clock of the server must stand still. */
let stoppedAt: number | undefined
const monotonic = () => (stoppedAt ?? monotonicMilliseconds()) + skipped
const server = await openTestServer({ target: proxy.target, monotonic, log: silentLog() })
const inside = server.inside as Server
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
const account = await server.account({ trust_level: 'partner' })
const capacity = await makeCapacity(server, account, { hosts: 2, slots: 4 })
const asOwner = (text: string) => inside.runtime.database.asOwner((db) => db.run(statement(null, text)))

/** The value of an expression in SQL. */
async function wholeNumberOf(expression: string, of = inside): Promise<number> {
  const [row] = await of.runtime.database.reader.rows(
    statement<{ value: number }>(null, `select floor(${expression})::bigint as value`),
  )
  return Number(row?.value)
}

async function scrape(of: TestServer = server): Promise<Map<string, ParsedFamily>> {
  // The figures about the database are read again after 15 seconds.
  skipped += 15_000
  const { status, text } = await of.attempt('get_metrics', { token: null })
  assert.equal(status, 200)
  return parseExposition(text)
}

type MetricsPage = Map<string, ParsedFamily>

const sampleOf = (page: MetricsPage, series: string) => page.get(series.replace(/\{.*/, ''))?.samples.get(series)
const labelsOf = (page: MetricsPage, name: string) =>
  Object.fromEntries(
    [...(page.get(name)?.samples ?? [])].map(([series, value]) => [/"(.*)"/.exec(series)?.[1] ?? '', value]),
  )

test('hosts are counted by state and health, and the oldest heartbeat has its age', async () => {
  const before = await scrape()
  assert.deepEqual(labelsOf(before, 'bourse_hosts'), { active: 2, cordoned: 0, draining: 0, drained: 0 })
  assert.equal(sampleOf(before, 'bourse_host_oldest_heartbeat_age_seconds'), 0)
  const { token } = await server.call('create_host_enrolment', { body: { sku: await makeSku(server) } })
  const agent = await enrol(server, token)
  await agent.call('report_host', { body: { epoch: agent.epoch, generation: 0, health: 'faulted', instances: [] } })
  await server.call('cordon_host', { params: { id: capacity.hosts[1] } })
  await asOwner(`update hosts set last_seen_at = last_seen_at - 1000 where id = '${agent.host}'`)
  const page = await scrape()
  assert.deepEqual(labelsOf(page, 'bourse_hosts'), { active: 2, cordoned: 1, draining: 0, drained: 0 })
  assert.deepEqual(labelsOf(page, 'bourse_host_health'), { healthy: 2, unreachable: 0, faulted: 1 })
  const age = sampleOf(page, 'bourse_host_oldest_heartbeat_age_seconds') ?? 0
  const later = await wholeNumberOf(`(select bourse_real_now() - last_seen_at from hosts where id = '${agent.host}')`)
  assert.ok(age >= 1000 && age <= later, `${age} s, and later ${later} s`)
  await server.call('uncordon_host', { params: { id: capacity.hosts[1] } })
})

test('capacity is counted by SKU, twenty of them by name, and waiting instances are counted', async () => {
  const own = { token: account.token }
  const body = { pool: capacity.pool, sku: capacity.sku, image: capacity.image }
  for (const _ of Array(3)) await server.call('create_instance', { ...own, body })
  const none = await makeSku(server)
  for (const _ of Array(2)) await server.call('create_instance', { ...own, body: { ...body, sku: none } })
  await server.settle()
  const { alias } = await server.call('get_sku', { params: { id: capacity.sku }, ...own })
  const few = await scrape()
  assert.equal(labelsOf(few, 'bourse_capacity_owned_nodes')[alias], 8)
  assert.equal(labelsOf(few, 'bourse_capacity_used_nodes')[alias], 3)
  assert.equal(labelsOf(few, 'bourse_capacity_idle_nodes')[alias], 5)
  assert.equal(sampleOf(few, 'bourse_instances_waiting'), 2)
  for (const _ of Array(25)) {
    await server.call('create_simulated_hosts', { body: { sku: await makeSku(server), count: 1, slots: 2 } })
  }
  const many = await scrape()
  for (const state of ['owned', 'used', 'idle']) {
    const labels = labelsOf(many, `bourse_capacity_${state}_nodes`)
    assert.equal(Object.keys(labels).length, 21, state)
    assert.ok(alias in labels && 'other' in labels)
  }
  const owned = Object.values(labelsOf(many, 'bourse_capacity_owned_nodes')) as number[]
  assert.equal(
    owned.reduce((sum, nodes) => sum + nodes),
    8 + 1 + 25 * 2,
  )
})

test('books show their resting orders by side, whatever happened to them', async () => {
  const traders = tradersOn(server)
  const sku = await traders.sku()
  const seller = await traders.seller(sku, 10)
  const buyer = await traders.buyer()
  const start_at = await traders.nextHour()
  const order = async (trader: typeof buyer, fields: object) =>
    (await traders.order(trader, sku, { start_at, allow_standing: true, allow_partial: true, ...fields })).body
  const resting = async () => {
    const [row] = await inside.runtime.database.reader.rows(
      statement<{ buy: number; sell: number }>(
        null,
        `select count(*) filter (where side = 'buy') as buy, count(*) filter (where side = 'sell') as sell
         from orders where state in ('standing', 'partially_filled')`,
      ),
    )
    assert.deepEqual(labelsOf(await scrape(), 'bourse_resting_orders'), { ...row })
    return row
  }
  const bids = [await order(buyer, { side: 'buy', price: '1.000000' })]
  const spread = async () => {
    const page = await scrape()
    const { alias } = await server.call('get_sku', { params: { id: sku } })
    return ['bid', 'ask'].map((side) => labelsOf(page, `bourse_best_${side}_dollars`)[alias])
  }
  assert.equal((await spread())[1], undefined)
  bids.push(await order(buyer, { side: 'buy', price: '0.900000', allow_partial: false }))
  await order(seller, { side: 'sell', price: '2.000000' })
  assert.deepEqual({ ...(await resting()) }, { buy: 2, sell: 1 })
  await server.advance(start_at - 60 - (await server.call('get_clock')).now)
  // A partial fill, and a cancellation.
  await order(seller, { side: 'sell', price: '1.000000', nodes: 1 })
  await server.call('cancel_order', { params: { id: (bids[1] as (typeof bids)[0]).id }, token: buyer.token })
  assert.deepEqual({ ...(await resting()) }, { buy: 1, sell: 1 })
  assert.deepEqual(await spread(), [1, 2])
  const reads = labelsOf(await scrape(), 'bourse_book_reads_total')
  assert.ok((reads.loaded ?? 0) >= 1 && (reads.current ?? 0) >= 3, JSON.stringify(reads))
  await server.advance(start_at + 3600 - (await server.call('get_clock')).now)
  assert.deepEqual({ ...(await resting()) }, { buy: 0, sell: 0 })
  await server.call('halt_market', { body: { sku } })
  assert.equal(labelsOf(await scrape(), 'bourse_books').halted, 1)
  await server.call('resume_market', { body: { sku } })
})

test('steps that fail are counted by kind, and kinds that this program does not have are not tried', async () => {
  const before = await scrape()
  await asOwner(`create function broken() returns trigger language plpgsql as
    $$ begin raise exception 'broken by a test'; end $$`)
  await asOwner('create trigger broken before insert or update on machines execute function broken()')
  await asOwner("insert into due (kind, key, due_at) values ('later.kind', 'a', bourse_now())")
  const body = { pool: capacity.pool, sku: capacity.sku, image: capacity.image }
  await server.call('create_instance', { token: account.token, body })
  const failing = () => scrape().then((page) => labelsOf(page, 'bourse_due_failing_rows'))
  await eventually('a step fails', async () => {
    const { 'fleet.placement': placement, other = 0 } = await failing()
    assert.deepEqual([placement, other], [1, 0])
    return true
  })
  const page = await scrape()
  const series = '{kind="fleet.placement"}'
  assert.ok((sampleOf(page, `bourse_reconciler_failed_steps_total${series}`) ?? 0) >= 1)
  assert.ok((sampleOf(page, `bourse_reconciler_steps_total${series}`) ?? 0) >= 1)
  assert.ok((sampleOf(page, `bourse_reconciler_step_seconds_total${series}`) ?? 0) > 0)
  assert.ok((labelsOf(page, 'bourse_due_rows').other ?? 0) >= 1, 'newer programs have work to do')
  assert.equal(sampleOf(before, 'bourse_reconciler_failed_steps_total{kind="fleet.placement"}'), 0)
  await asOwner('drop trigger broken on machines')
  await asOwner("delete from due where kind = 'later.kind'")
})

test('waits for locks, connections, round trips and streams are counted', async () => {
  const before = await scrape()
  const holder = await inside.runtime.database.session()
  await holder.command('begin')
  await holder.run(statement(null, `select from accounts where id = '${account.id}' for update`))
  const waiting = asOwner(`update accounts set name = name where id = '${account.id}'`)
  await eventually('a transaction waits for the lock', async () => {
    const page = await scrape()
    assert.equal(sampleOf(page, 'bourse_database_lock_waits'), 1)
    assert.ok((sampleOf(page, 'bourse_database_lock_oldest_wait_seconds') ?? 0) > 0)
    return true
  })
  await holder.command('rollback')
  holder.release()
  await waiting
  const reading = new AbortController()
  const stream = await fetch(`${inside.url}/preview/v2/events/stream`, {
    headers: { authorization: `Bearer ${account.token}` },
    signal: reading.signal,
  })
  assert.equal(stream.status, 200)
  const page = await scrape()
  assert.equal(sampleOf(page, 'bourse_database_lock_waits'), 0)
  assert.equal(sampleOf(page, 'bourse_streams'), (sampleOf(before, 'bourse_streams') ?? 0) + 1)
  reading.abort()
  for (const name of ['transactions', 'connection_wait_seconds', 'round_trips']) {
    const [earlier = 0, later = 0] = [before, page].map((of) => sampleOf(of, `bourse_database_${name}_total`))
    assert.ok(later > earlier, `${name}: ${earlier}, then ${later}`)
  }
  const [used = 0, most = 0] = ['', '_max'].map((ending) => sampleOf(page, `bourse_database_sessions${ending}`))
  assert.ok(used > 0 && used < most, `${used} of ${most} sessions`)
})

test('without the database the page has what the process knows, and says that the database is away', async () => {
  await proxy.turn('refused')
  const away = await scrape()
  assert.equal(sampleOf(away, 'bourse_database_up'), 0)
  // Readiness is read again after a second.
  await eventually('the page says that the server is not ready', async () => {
    assert.equal(sampleOf(await scrape(), 'bourse_ready'), 0)
    return true
  })
  assert.ok(!away.has('bourse_hosts') && !away.has('bourse_due_rows'))
  for (const name of ['bourse_reconciler_steps_total', 'bourse_http_request_seconds', 'nodejs_eventloop_lag_seconds'])
    assert.ok((away.get(name)?.samples.size ?? 0) > 0, name)
  assert.ok((sampleOf(away, 'bourse_unavailable_total{cause="unreachable"}') ?? 0) >= 1)
  await proxy.turn('fair')
  const back = await eventually('the page says that the database is back', async () => {
    const page = await scrape()
    assert.deepEqual([sampleOf(page, 'bourse_database_up'), sampleOf(page, 'bourse_ready')], [1, 1])
    return page
  })
  assert.ok((sampleOf(back, 'bourse_hosts{state="active"}') ?? 0) > 0)
})

test('a new history of the database is counted, with its time', async () => {
  const before = await scrape()
  assert.equal(sampleOf(before, 'bourse_history_last_loss_timestamp_seconds'), 0)
  const earlier = await wholeNumberOf('bourse_real_now()')
  await inside.runtime.database.recordLoss('A test lost commits.')
  const page = await scrape()
  const grown = (name: string) => (sampleOf(page, name) ?? 0) - (sampleOf(before, name) ?? 0)
  assert.equal(grown('bourse_histories'), 1)
  assert.ok(grown('bourse_history_replacements_total') >= 1)
  const later = await wholeNumberOf('bourse_real_now()')
  for (const name of ['bourse_history_last_timestamp_seconds', 'bourse_history_last_loss_timestamp_seconds']) {
    const at = sampleOf(page, name) ?? 0
    assert.ok(at >= earlier && at <= later, `${name}: ${at} is not between ${earlier} and ${later}`)
  }
})

test('scrapes of fifteen seconds share one statement', async () => {
  const { database: used } = inside.runtime
  const { session } = used
  let readings = 0
  Object.assign(used, {
    session: async (options: object) => {
      const opened = await session(options)
      const rows: Session['rows'] = (statement, params) => {
        if (statement.text.includes('bourse_due_rows')) readings += 1
        return opened.rows(statement, params)
      }
      return { ...opened, rows }
    },
  })
  skipped += 15_000
  stoppedAt = monotonicMilliseconds()
  await Promise.all(Array.from({ length: 5 }, () => server.attempt('get_metrics', { token: null })))
  await server.attempt('get_metrics', { token: null })
  stoppedAt = undefined
  Object.assign(used, { session })
  assert.equal(readings, 1)
})

test('what is due is counted with the age of the oldest, of 10,000 rows at most', async () => {
  await using idle = await openTestServer({ runs_reconcilers: false, monotonic })
  const { database: of } = (idle.inside as Server).runtime
  await of.asOwner(async (db) => {
    // By the real clock: that of a sandbox waits for what is due.
    await db.run(statement(null, 'delete from sandbox_clock'))
    await db.run(
      statement(
        null,
        `insert into due (kind, key, due_at)
         select 'fleet.placement', n::text, bourse_now() - 100 - n % 50 from generate_series(1, 12000) n
         union all
         select 'market.lapse', 'a', bourse_now() - 500
         union all
         select 'market.lapse', 'b', bourse_now() + 500`,
      ),
    )
  })
  const page = await scrape(idle)
  const rows = labelsOf(page, 'bourse_due_rows')
  assert.deepEqual([rows['market.lapse'], rows['fleet.placement']], [1, 9_999])
  const age = sampleOf(page, 'bourse_due_oldest_age_seconds{kind="market.lapse"}') ?? 0
  const oldest = "(select bourse_now() - min(due_at) from due where kind = 'market.lapse')"
  const later = await wholeNumberOf(oldest, idle.inside as Server)
  assert.ok(age >= 500 && age <= later, `${age} s, and later ${later} s`)
})

type MetricsPlan = {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly MetricsPlan[]
}

function rowsRead(plan: MetricsPlan): number {
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
  if (plan['Relation Name'] === undefined) return below
  return below + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
}

test('a scrape reads no more rows when accounts, trades, events and retired hosts are many', async () => {
  await using long = await openTestServer({ runs_reconcilers: false })
  const { runtime } = long.inside as Server
  const groups = [...coreFigures(app.reconcilers.map(({ kind }) => kind)), ...databaseFigures, ...app.figures]
  const measure = async () => {
    const session = await runtime.database.session()
    const text = `explain (analyze, format json) ${figuresStatement(groups).text}`
    const [row] = await session.rows(statement<{ 'QUERY PLAN': [{ Plan: MetricsPlan }] }>(null, text))
    session.release()
    return rowsRead((row as { 'QUERY PLAN': [{ Plan: MetricsPlan }] })['QUERY PLAN'][0].Plan)
  }
  await addHistory(runtime, 'short', { filled: 400, resting: 40, instances: 240 })
  await analyze(runtime)
  const few = await measure()
  await addHistory(runtime, 'long', { filled: 8_000, resting: 800, instances: 240 })
  await runtime.database.asOwner(async (db) => {
    for (const text of [
      `insert into hosts (id, account_id, workspace_id, sku_id, pool_id, state, health, slots, created_at, retired_at)
       select 'host_retired_' || n, account_id, workspace_id, sku_id, pool_id, 'retired', 'healthy', 1, 0, 0
       from hosts, generate_series(1, 1000) n`,
      `insert into accounts (id, name, trust_level, created_at)
       select 'many-' || n, 'many', 'basic', 0 from generate_series(1, 5000) n`,
      `insert into money_accounts (account_id, updated_at) select id, 0 from accounts on conflict do nothing`,
      // A loss, and then a failover without one.
      `insert into histories (number, system_identifier, timeline, reason, recorded_at)
       select n, system_identifier, timeline, 'promotion', 0
       from histories, generate_series(100, 101) n where number = 1`,
      `insert into history_positions (account_id, history, position, seen_position)
       select id, number, 1, case when number = 100 and id = 'many-1' then 2 end
       from accounts, generate_series(100, 101) number`,
    ])
      await db.run(statement(null, text.replace("'host_retired_' || n", "'host_retired_' || n || id")))
  })
  const many = await measure()
  // The second history has hosts of its own.
  assert.ok(many <= 2 * few + 20, `${few} rows, then ${many}`)
})

test('docs/metrics.md lists every family of the page with its type, and no other', async () => {
  const page = await scrape()
  const text = await readFile(join(import.meta.dirname, '../../../../docs/metrics.md'), 'utf8')
  const listed = [...text.matchAll(/^\| `([a-z0-9_]+)` \| (counter|gauge|histogram) \|/gm)]
  assert.deepEqual(
    listed.map(([, name, type]) => `${name} ${type}`).sort(),
    [...page].map(([name, { type }]) => `${name} ${type}`).sort(),
  )
})
