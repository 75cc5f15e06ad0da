/**
 * What a hidden resource costs: reading one of another account runs the same statements as reading one that does not
 * exist, by id and by path, so the time of a response does not tell them apart either. Work is counted, since times
 * vary more than what an attacker would measure over many requests.
 */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import type { Database, Db, Statement } from '../../src/core/db/db.ts'
import { startTestServer } from '../support/server.ts'
import type { CaseCall } from './case.ts'
import { cases } from './cases.ts'
import { type NamedEndpoint, operations, send } from './operations.ts'
import { makeWorld } from './world.ts'

const server = await startTestServer()
const world = await makeWorld(server)
const database = server.inside?.runtime.database as Database
const reader = server.inside?.runtime.database.reader as Db
const inside = leftOut(server.inside ? false : 'needs the inside of the server')

/** The number of the watched request. Code that runs for a request knows the number, also after each wait. */
const serving = new AsyncLocalStorage<number>()
let watchedRequest = 0
const enter = () => serving.enterWith(watchedRequest)
subscribe('http.server.request.start', enter)
afterAll(() => unsubscribe('http.server.request.start', enter))

/**
 * Every read begins with a snapshot, and shares it with reads of others that wait at the same moment. Whether a request
 * reads its token again depends on when that was done last.
 */
const sharedStatements = ['core.read_snapshot', 'iam.list_callers']

/** The names of the statements that a request runs on its own, in their order. */
async function statementsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
  const names: string[] = []
  const own = ++watchedRequest
  const { rows, row, run } = reader
  const { readerOf } = database
  const watch = ({ name, text }: Statement<unknown>) => {
    // What the server does for itself, or what an earlier request has set off, is not work for this request.
    if (serving.getStore() === own && !sharedStatements.includes(String(name))) names.push(name ?? text)
  }
  // The reads of accounts have connections of their own.
  Object.assign(database, { readerOf: (accountId: string) => watched(readerOf(accountId), watch) })
  Object.assign(reader, watched({ rows, row, run }, watch))
  try {
    assert.equal((await request()).status, 404)
  } finally {
    Object.assign(reader, { rows, row, run })
    Object.assign(database, { readerOf })
  }
  return names
}

function watched(db: Db, watch: (statement: Statement<unknown>) => void): Db {
  return {
    rows: (statement, params) => {
      watch(statement)
      return db.rows(statement, params)
    },
    row: (statement, params) => {
      watch(statement)
      return db.row(statement, params)
    },
    run: (statement, params) => {
      watch(statement)
      return db.run(statement, params)
    },
  }
}

/** The same reference with another last part, which nothing has. */
function absent(named: Readonly<Record<string, string>>): Record<string, string> {
  const gone = Object.entries(named).map(([name, ref]) => [
    name,
    ref.replace(/[^_:]+$/, (tail) => `x${'0'.repeat(tail.length - 1)}`),
  ])
  return Object.fromEntries(gone)
}

/** Reading a secret leaves a record, so it is a command, which runs on a connection of its own. */
function isReadOfOne({ name, method, path, access, no_store }: NamedEndpoint): boolean {
  const isOnReader = method === 'GET' && !no_store && !cases[name].names_month
  return isOnReader && path.includes(':') && access.includes(':') && !access.startsWith('platform:')
}

for (const operation of operations.filter(isReadOfOne)) {
  test(`${operation.name} does the same work for a foreign resource and for none`, inside, async () => {
    const call: CaseCall = (await cases[operation.name].call?.(world)) ?? {}
    const { token } = world.stranger
    await server.call('settle', { body: {} })
    const read = (params: Record<string, string>) =>
      statementsOf(() => send(server, operation, { ...call, params }, token))
    for (const named of [call.params, call.paths]) {
      if (!named) continue
      const foreign = await read(named)
      assert.deepEqual(await read(absent(named)), foreign, Object.values(named).join())
      assert.ok(foreign.length > 0)
    }
  })
}
