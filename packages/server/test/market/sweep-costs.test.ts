/** What the sweep of folds reads where there are many accounts and lots, and nearly nothing to do. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { sweepAccounts } from '../../src/accounting/usage/usage-fold.service.ts'
import { listAccountsPending } from '../../src/accounting/usage/usage-fold.store.ts'
import { systemOrigin } from '../../src/core/work/command.ts'
import { query } from '../../src/core/work/query.ts'
import type { Server } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'
import { foldUsage } from './folds.ts'
import { insert, listRows, rowsOf } from './many-rows.ts'
import { statementsOf, workOf } from './statement-work.ts'

const rowsCount = listRows(20_000)
const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target, runs_reconcilers: false })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { runtime } = server.inside as Server
const { database } = runtime
const { now } = await server.call('get_clock')
const minute = Math.floor(now / 60)
const id = (kind: string) => `'${kind}_' || lpad(n::text, 21, '0')`
const sweep = () => query(runtime, systemOrigin, sweepAccounts)

await insert(
  database,
  rowsOf('money_accounts', { account_id: id('acct'), updated_at: String(now) }, 1, rowsCount),
  rowsOf('usage_folds', { account_id: id('acct'), position: '1000000' }, 1, rowsCount),
  // Lots without an end soon, counted for the days to come.
  rowsOf(
    'cost_lots',
    {
      account_id: id('acct'),
      pool_id: id('pool'),
      sku_id: "'sku_x'",
      purchase: 'n',
      fill_id: id('fill'),
      value_micros: '1',
      node_minutes: '1',
      shape: "'[]'",
      start_minute: String(minute),
      end_minute: String(minute + 500_000),
      left_minutes: '1',
      cost_micros: '1',
      sold_micros: '0',
      ...{ counted_minute: String(minute + 3 * 1440) },
    },
    1,
    rowsCount,
  ),
  'vacuum analyze money_accounts',
  'vacuum analyze usage_folds',
  'vacuum analyze cost_lots',
)

test('a sweep reads what has changed, however many accounts and lots there are', async () => {
  const read = () => listAccountsPending(database.readerOf('anyone'), minute, 500)
  const sent = await statementsOf(database, async () => assert.deepEqual(await read(), []))
  for (const { rows_read, pages, statement: text } of await workOf(target, sent)) {
    assert.ok(rows_read === 0 && pages <= 8, `${rows_read} rows, ${pages} pages: ${text}`)
  }
  await insert(database, `update cost_lots set counted_minute = ${minute - 1} where purchase = 7`)
  assert.deepEqual(await read(), ['acct_000000000000000000007'])
})

test('after the first sweep, which looks at all accounts, one finds the accounts that traded here', async () => {
  await foldUsage(runtime)
  await sweep()
  assert.deepEqual(await sweep(), [])
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(2), await market.buyer()]
  await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
  await foldUsage(runtime)
  assert.equal((await market.order(buyer, {})).state, 'filled')
  assert.deepEqual((await sweep()).toSorted(), [buyer.id, seller.id].toSorted())
})

test('the first sweep of a server finds what traded on one that was killed', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(2), await market.buyer()]
  await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
  await foldUsage(runtime)
  assert.equal((await market.order(buyer, {})).state, 'filled')
  const forgotten = { ...runtime, services: { ...runtime.services, traded_accounts: { current: new Set<string>() } } }
  const fresh = { ...forgotten, services: { ...forgotten.services, fold_sweeps: { current: { until_full: 0 } } } }
  assert.deepEqual((await query(fresh, systemOrigin, sweepAccounts)).toSorted(), [buyer.id, seller.id].toSorted())
})
