import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openLog } from '../../src/core/base/log.ts'
import { type Db, statement } from '../../src/core/db/db.ts'
import { startWriteProbe } from '../../src/core/work/write-probe.ts'
import type { Server } from '../../src/server.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer, type TestResponse } from '../support/server.ts'

type CauseLine = { level: string; cause?: string; request_id?: string; request_ids?: string[]; operation?: string }
const lines: CauseLine[] = []
const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
/** Refusals count together by this clock, so that a slow machine does not take them apart. */
let now = 0
const server = await startTestServer({ log, probe_milliseconds: 200, monotonic: () => now })
const account = await server.account()
const { database } = (server.inside as Server).runtime
const run = (db: Db, text: string) => db.run(statement(null, text))

function write(): Promise<TestResponse> {
  return server.attempt('create_pool', { token: account.token, body: {} })
}

function readyIs(status: number, of = server): Promise<TestResponse> {
  return eventually(
    `/readyz answers ${status}`,
    async () => {
      const response = await of.attempt('get_readiness')
      assert.equal(response.status, status, response.text)
      return response
    },
    { every_milliseconds: 100 },
  )
}

async function metric(name: string, of = server): Promise<number> {
  const { text } = await of.attempt('get_metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}

function counted(cause: string): Promise<number> {
  return metric(`bourse_unavailable_total{cause="${cause}"}`)
}

/** The causes in the access log of an operation. */
function causesOf(operation: string): (string | undefined)[] {
  return lines.flatMap((line) => (line.operation === operation ? [line.cause] : []))
}

test('two writes that are refused for want of space make the server unready, though its probe succeeds', async () => {
  const raise = "begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end"
  await database.asOwner(async (db) => {
    await run(db, `create function full_disk() returns trigger language plpgsql as $$ ${raise} $$`)
    await run(db, 'create trigger full_disk before insert on pools execute function full_disk()')
  })
  const refused = await write()
  assert.equal(refused.status, 503)
  assert.match(refused.body.error.message, /no space left/)
  assert.equal((await server.attempt('list_skus', { token: account.token })).status, 200)
  await readyIs(200)
  now += 5_000
  await write()
  const unready = await readyIs(503)
  assert.match(unready.body.error.message, /database: writes are refused: disk_full/)
  assert.equal(await metric('bourse_durable_write_up'), 0)
  assert.equal(await counted('disk_full'), 2)
  assert.deepEqual(causesOf('create_pool'), ['disk_full', 'disk_full'])
  await database.asOwner((db) => run(db, 'drop trigger full_disk on pools'))
  now += 5_000
  await readyIs(200)
  assert.equal(await metric('bourse_durable_write_up'), 1)
  assert.equal((await write()).status, 201)
})

test('the server is ready as soon as the database writes again, not with the next regular write', async () => {
  const own = await startTestServer({ probe_milliseconds: 3_600_000 })
  const owned = (own.inside as Server).runtime.database
  const raise = "begin raise exception 'No space left on device' using errcode = '53100'; end"
  await owned.asOwner(async (db) => {
    await run(db, `create function full_disk() returns trigger language plpgsql as $$ ${raise} $$`)
    await run(db, 'create trigger full_disk before insert on write_probes execute function full_disk()')
  })
  assert.equal((await own.attempt('get_readiness')).status, 503, 'before the first write has succeeded')
  await owned.asOwner((db) => run(db, 'drop trigger full_disk on write_probes'))
  await readyIs(200, own)
})

test('each process says which schema its program has, for migrations', async () => {
  await readyIs(200)
  const { rows } = await database.asOwner(async (db) => {
    const versions = statement<{ own: number; known: number }>(
      null,
      `select p.schema_version as own, (select max(version) from schema_migrations) as known
       from write_probes p`,
    )
    return { rows: await db.rows(versions) }
  })
  assert.deepEqual(
    rows.map(({ own, known }) => own === known),
    [true],
  )
})

test('the pages of probes are removed before they take much space, and never while a backup reads them', async () => {
  const size = statement<{ bytes: number }>(null, "select pg_relation_size('write_probe_pages') as bytes")
  const bytes = async () => (await database.reader.row(size))?.bytes ?? 0
  const { runtime } = server.inside as Server
  const probe = startWriteProbe(runtime, { schema_version: 1, every_milliseconds: 200, pages_bytes_max: 4_000_000 })
  afterAll(probe.stop)
  await database.asOwner(async (db) => {
    await run(db, 'begin')
    await run(db, 'lock table write_probe_pages in access share mode')
    await run(db, "insert into write_probe_pages select repeat('-', 1900) from generate_series(1, 3000)")
    const before = await bytes()
    await eventually('the probes go on', async () => (await bytes()) > before + 100_000)
    await readyIs(200)
    await run(db, 'rollback')
  })
  await eventually('the pages are gone', async () => (await bytes()) < 1_000_000)
})

test('a lock that is not free in time is a cause of its own, and the server stays ready', async () => {
  const response = await database.asOwner(async (db) => {
    await run(db, 'begin')
    await run(db, 'lock table pools in exclusive mode')
    const blocked = await write()
    await run(db, 'rollback')
    return blocked
  })
  assert.equal(response.status, 503)
  assert.match(response.body.error.message, /hold a lock/)
  assert.ok((await counted('lock_timeout')) > 0)
  assert.equal((await server.attempt('get_readiness')).status, 200)
})

test('each order that a locked book refuses is counted, and its line of the log has the cause', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const before = await counted('lock_timeout')
  lines.length = 0
  const refused = await database.asOwner(async (db) => {
    await run(db, 'begin')
    await run(db, 'lock table books in exclusive mode')
    const body = market.body(buyer, {})
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => server.attempt('create_order', { token: buyer.token, body })),
    )
    await run(db, 'rollback')
    return responses
  })
  for (const { status, text } of refused) assert.equal(status, 503, text)
  assert.ok((await counted('lock_timeout')) >= before + refused.length)
  assert.deepEqual(causesOf('create_order'), Array(8).fill('lock_timeout'))
  const summed = await eventually('the sums name each request', async () => {
    const found = lines.flatMap(({ request_ids = [] }) => request_ids)
    assert.ok(found.length >= refused.length, `${found.length} requests`)
    return found
  })
  for (const { headers } of refused) assert.ok(summed.includes(headers.get('x-request-id') ?? ''))
})
