/** Reports of an account whose trades are folded more slowly than they happen. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import type { Server } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'
import { foldUsage } from './folds.ts'
import { fillsOf, insert, ordersOf, rowsOf } from './many-rows.ts'

const testDatabase = await createTestDatabase()
/** What happens before each command of the server. Nothing folds but the test. */
let beforeCommand = async () => {}
const server = await startTestServer({
  target: testDatabase.target,
  runs_reconcilers: false,
  failpoint: (name) => (name === 'before_claim' ? beforeCommand() : undefined),
})
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { runtime } = server.inside as Server
const traders = tradersOn(server)
const sku = await traders.sku()
const trader = await traders.buyer()
// At midnight it would be another day, and perhaps another month.
await server.call('freeze_clock')
const { now } = await server.call('get_clock')
const minute = Math.floor(now / 60)
const id = (kind: string, number = 'n') => `'${kind}_' || lpad((${number})::text, 21, '0')`
/** What a read folds at most. */
const trades = 20_000

const day = now - (now % 86_400)
const usage = `/preview/v2/billing/usage?from=${day}&to=${day + 86_400}`
const month = new Date(now * 1000).toISOString().slice(0, 7)
const statementPath = `/preview/v2/billing/statements/${month}`
const exportPath = `/preview/v2/billing/export?from=${day}&to=${day + 86_400}`
const read = (path: string) => server.request('GET', path, { token: trader.token })

async function assertUnavailable(path: string): Promise<void> {
  const { status, headers, body } = await read(path)
  assert.deepEqual([status, body.error?.type], [503, 'api_error'], path)
  assert.match(body.error.message, /brought up to date/)
  assert.ok(Number(headers.get('retry-after')) >= 1)
}

test('reports are refused while too many trades are not folded, and work afterwards', async () => {
  assert.equal((await read(usage)).status, 200)
  const owner = { account_id: `'${trader.id}'`, workspace_id: `'${trader.workspace_id}'` }
  await insert(
    runtime.database,
    'alter table orders disable trigger all',
    'alter table fills disable trigger all',
    'alter table ledger_transactions disable trigger all',
    ordersOf(1, 1, { id: id('ordr'), ...owner, pool_id: `'${trader.pool}'`, sku_id: `'${sku}'` }),
    fillsOf(1, trades, {
      id: id('fill'),
      sku_id: `'${sku}'`,
      buy_order_id: id('ordr', '1'),
      sell_order_id: id('ordr', '2'),
      schedule: `'[${minute}, 1, ${minute + 60}, 0]'`,
      start_minute: String(minute),
      end_minute: String(minute + 60),
      filled_at: String(now),
    }),
    rowsOf(
      'ledger_transactions',
      {
        id: id('txn'),
        ...owner,
        type: "'buy_fill'",
        amount_micros: '-1000000',
        balance_after_micros: '1',
        fee_micros: '0',
        order_id: id('ordr', '1'),
        fill_id: id('fill'),
        description: "''",
        created_at: String(now),
      },
      1,
      trades,
    ),
  )
  await assertUnavailable(usage)
  await assertUnavailable(statementPath)
  await foldUsage(runtime)
  const { status, body } = await read(usage)
  assert.deepEqual([status, body.data[0].bought_dollars], [200, `${trades}.000000`])
  assert.equal((await read(statementPath)).status, 200)
})

/** Folds the account in another transaction for as long as `work` runs. */
async function whileFolded<T>(work: (free: () => Promise<void>) => Promise<T>): Promise<T> {
  const session = await runtime.database.session()
  const free = async () => {
    await session.command('rollback')
  }
  try {
    await session.command('begin')
    const lock = 'select account_id from usage_folds where account_id = $1 for update'
    assert.equal((await session.rows(statement(null, lock), [trader.id])).length, 1)
    return await work(free)
  } finally {
    await free()
    session.release()
  }
}

test('an export waits for another server that folds the account, and is refused after a while', async () => {
  const waited = await whileFolded(async (free) => {
    let tries = 0
    beforeCommand = async () => {
      tries += 1
      // Of the first two, one may be the write of when a token was used, which happens once a second at most.
      if (tries === 3) await free()
    }
    const response = await read(exportPath)
    assert.ok(tries >= 3)
    return response
  })
  assert.equal(waited.status, 200)
  beforeCommand = async () => {}
  await whileFolded(() => assertUnavailable(exportPath))
})
