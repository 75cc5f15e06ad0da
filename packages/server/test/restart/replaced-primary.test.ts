import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { openDatabase, statement } from '../../src/core/db/db.ts'
import { openSeenServers } from '../../src/core/db/seen-server.ts'
import type { Server } from '../../src/server.ts'
import { type DatabasePair, startPair } from './failover/database-pair.ts'
import { openServer } from './failover/run.ts'
import { makeSetting } from './failover/setting.ts'

const setting = await makeSetting()
const directory = await mkdtemp(join(tmpdir(), 'bourse-seen-'))
afterAll(async () => {
  await setting.template[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})
const { token } = setting.world.customer

/** A pair whose primary was killed and whose standby was promoted; the killed primary accepts writes again. */
async function splitPair(stack: AsyncDisposableStack): Promise<DatabasePair> {
  const pair = stack.use(await startPair(setting.template, { synchronous: false }))
  await pair.catchUp()
  pair.killPrimary()
  await pair.promote()
  await pair.startReplaced()
  return pair
}

function call({ url }: Server, method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
}

async function readiness(server: Server): Promise<string> {
  const response = await call(server, 'GET', '/readyz')
  return `${response.status} ${await response.text()}`
}

function becomes(server: Server, expected: RegExp): Promise<string> {
  return eventually(`/readyz answers ${expected}`, async () => {
    const found = await readiness(server)
    assert.match(found, expected)
    return found
  })
}

test('a program that starts takes the promoted server, though the replaced one is named first', async () => {
  await using stack = new AsyncDisposableStack()
  const pair = stack.use(await startPair(setting.template, { synchronous: false }))
  await pair.catchUp()
  pair.killPrimary()
  await pair.promote()
  const other = stack.use(await openServer(setting, pair))
  await pair.startReplaced()
  const fresh = stack.use(await openServer(setting, pair))
  await becomes(fresh, /^200/)
  const made = await call(fresh, 'POST', '/v2/pools', { name: 'after-the-failover' })
  assert.equal(made.status, 201)
  const { id } = (await made.json()) as { id: string }
  assert.equal((await call(other, 'GET', `/v2/pools/${id}`)).status, 200)
})

test('a replaced server is not used while its successor is down, not even by a new program', async () => {
  await using stack = new AsyncDisposableStack()
  const pair = await splitPair(stack)
  const running = stack.use(await openServer(setting, pair))
  await becomes(running, /^200/)
  await pair.stopSuccessor()
  await becomes(running, /^503.*socket \S+ was replaced: it is on timeline 1, and .*timeline 2/)
  assert.equal((await call(running, 'POST', '/v2/pools', { name: 'lost' })).status, 503)
  // It has seen nothing. The record that the running program left in the replaced server is what stops it.
  await assert.rejects(openServer(setting, pair), /was replaced: .* a record in it names timeline 2/)
  await pair.startSuccessor()
  await becomes(running, /^200/)
  await becomes(stack.use(await openServer(setting, pair)), /^200/)
})

test('a record that the replaced server did not take is written as soon as it takes it', async () => {
  await using stack = new AsyncDisposableStack()
  const pair = await splitPair(stack)
  const client = new pg.Client({ ...pair.target })
  await client.connect()
  stack.defer(() => client.end())
  await client.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on fences execute function refuse()`)
  await becomes(stack.use(await openServer(setting, pair)), /^200/)
  await client.query('drop trigger refuse on fences')
  await eventually('the replaced server has the record', async () => {
    const { rows } = await client.query('select timeline::integer from fences')
    assert.deepEqual(rows, [{ timeline: 2 }])
    return rows
  })
})

test('a program that is started again remembers a successor that no longer responds', async () => {
  await using stack = new AsyncDisposableStack()
  const pair = stack.use(await startPair(setting.template, { synchronous: false }))
  const path = join(directory, 'database.json')
  await pair.catchUp()
  pair.killPrimary()
  await pair.promote()
  await (await openServer(setting, pair, { seen: openSeenServers(path) }))[Symbol.asyncDispose]()
  await pair.stopSuccessor()
  await pair.startReplaced()
  await assert.rejects(openServer(setting, pair, { seen: openSeenServers(path) }), /this program has used timeline 2/)
})

test('a checkout that times out because all connections are in use closes none of them', async () => {
  await using stack = new AsyncDisposableStack()
  const pair = stack.use(await startPair(setting.template, { synchronous: false }))
  const database = stack.use(openDatabase(pair.target, { connections_max: 2 }))
  const sleep = async (seconds: number) => {
    const session = await database.session({ allows_long_statements: true })
    await session.run(statement(null, 'set statement_timeout = 0'))
    await session.run(statement(null, `select pg_sleep(${seconds})`))
    session.release()
  }
  // One becomes free after the checkout has timed out, the other one after the next look for a newer server.
  const sleeping = Promise.all([sleep(3), sleep(8)])
  const waiting = database.session().then((session) => session.release())
  const [slept, waited] = await Promise.allSettled([sleeping, waiting])
  assert.equal(slept.status, 'fulfilled')
  assert.match(waited.status === 'rejected' ? waited.reason.message : waited.status, /timeout exceeded/)
})
