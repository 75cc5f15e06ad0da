import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { findPosition, listSpentAfter } from '../../src/billing/budgets.store.ts'
import { checkedRowsMax } from '../../src/core/work/page.ts'
import type { Server } from '../../src/server.ts'
import type { CallQuery } from '../support/calls.ts'
import { createTestDatabase } from '../support/database.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { fillsOf, insert, listRows, ordersOf, rowsOf, testPage } from './many-rows.ts'
import { statementsOf, workOf } from './statement-work.ts'

const rowsCount = listRows(sized(100_000))
const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { database } = (server.inside as Server).runtime
const traders = tradersOn(server)
const [sku, other] = [await traders.sku(), await traders.sku()]
const trader = await traders.buyer()
const { token } = trader
const { now } = await server.call('get_clock')
const minute = Math.floor(now / 60)
const day = 86_400
const skuOf = `(array['${sku}', '${other}'])[1 + n % 2]`
const id = (kind: string, number = 'n') => `'${kind}_' || lpad((${number})::text, 21, '0')`
const owner = { account_id: `'${trader.id}'`, workspace_id: `'${trader.workspace_id}'` }
const hour = { start_minute: String(minute), end_minute: String(minute + 60) }
const cancelled = { state: "'cancelled'", cancelled_at: String(now), cancel_reason: "'user'" }
const few = 3

await insert(
  database,
  'alter table orders disable trigger all',
  'alter table fills disable trigger all',
  ordersOf(1, rowsCount, {
    id: id('ordr'),
    ...owner,
    ...hour,
    ...cancelled,
    pool_id: `'${trader.pool}'`,
    sku_id: skuOf,
    price_micros: '1000000',
    created_at: `${now} - n`,
  }),
  // The oldest ones.
  ordersOf(rowsCount + 1, rowsCount + few, {
    id: id('ordr'),
    ...owner,
    ...hour,
    side: "'sell'",
    pool_id: `'${trader.pool}'`,
    sku_id: skuOf,
    created_at: `${now} - n`,
  }),
  ordersOf(rowsCount + few + 1, 2 * rowsCount, {
    id: id('ordr'),
    ...owner,
    ...hour,
    ...cancelled,
    pool_id: `'${trader.pool}'`,
    sku_id: skuOf,
    managed_by: `'depl_' || lpad((n % 100)::text, 21, '0')`,
    created_at: `${now} + n`,
  }),
  // All of them in the last six days, all of one order.
  fillsOf(1, rowsCount, {
    id: id('fill'),
    sku_id: skuOf,
    ...hour,
    buy_order_id: id('ordr', '1'),
    sell_order_id: id('ordr', '2'),
    schedule: `'[${minute}, 1, ${minute + 60}, 0]'`,
    filled_at: `${now} - n * ${6 * day} / ${rowsCount}`,
  }),
  rowsOf(
    'ledger_transactions',
    {
      id: id('txn'),
      ...owner,
      type: "'buy_fill'",
      amount_micros: '-1',
      balance_after_micros: '1',
      created_at: `${now} - n`,
    },
    1,
    rowsCount,
  ),
  rowsOf(
    'holds',
    { id: id('hold'), order_id: id('ordr'), ...owner, amount_micros: '1', created_at: `${now} - n` },
    1,
    rowsCount,
  ),
  'vacuum analyze orders',
  'vacuum analyze fills',
  'vacuum analyze ledger_transactions',
  'vacuum analyze holds',
)

const budget = { period: 'total', amount_dollars: '1000' } as const
await server.call('create_budget', { token, body: budget })
await server.call('create_budget', { token, body: { ...budget, period: 'day' } })

test('a pool that traded in every minute of eight days is read with its steps from now on', async () => {
  const busy = await traders.buyer()
  const first = Math.floor(minute / 2) * 2 - 11_520
  const step = { pool_id: `'${busy.pool}'`, sku_id: `'${sku}'`, minute: 'n', delta: '1 - 2 * (n % 2)' }
  await insert(database, rowsOf('pool_allocation', step, first, first + 11_529))
  const sent = await statementsOf(database, () =>
    server.call('get_pool', { params: { id: busy.pool }, token: busy.token }),
  )
  const lists = sent.filter(({ statement: { name } }) => name?.includes('allocation'))
  assert.equal(lists.length, 1)
  for (const { statement: text, params } of lists) {
    assert.ok((await database.reader.rows(text, params)).length <= 12)
  }
})

test('a new budget reads under the lock of money what came after it added up the ledger', async () => {
  const db = database.readerOf(trader.id)
  const scope = { account_id: trader.id, workspace_id: null, since: 0 }
  const position = await findPosition(db, trader.id)
  const sent = await statementsOf(database, async () => {
    assert.deepEqual(await listSpentAfter(database.readerOf(trader.id), scope, position - 1), [
      { hour: Math.floor((now - rowsCount) / 3600), spent_micros: 1n, counted_micros: 1n },
    ])
  })
  for (const { rows_read, pages, statement: text } of await workOf(target, sent)) {
    assert.ok(rows_read <= 1 && pages <= 8, `${rows_read} rows, ${pages} pages: ${text}`)
  }
})

const window = `start_at=${minute * 60}&end_at=${(minute + 60) * 60}`

for (const path of [
  '/v2/orders',
  '/v2/orders?state=filled',
  '/v2/orders?state=filled&state=standing&state=partially_filled',
  '/v2/orders?include_managed=true',
  '/v2/orders/ordr_000000000000000000001',
  '/v2/orders/ordr_000000000000000000001/fills',
  `/preview/v2/orderbook/fills?${window}`,
  `/preview/v2/orderbook/fills?${window}&requirements=id:${sku}`,
  '/preview/v2/orderbook/price_history?interval=hour',
  `/preview/v2/orderbook/depth?${window}`,
  `/preview/v2/orderbook/quote?${window}`,
  `/preview/v2/orderbook/windows?range_start_at=${minute * 60}&range_end_at=${(minute + 60) * 60}`,
  '/preview/v2/billing/transactions',
  '/preview/v2/billing/transactions?type=credit_grant',
  '/preview/v2/billing/transactions?type=buy_fill&type=sell_fill',
  '/preview/v2/billing/holds',
  '/preview/v2/billing/balance',
  '/preview/v2/billing/budgets',
  '/v2/pools',
  '/preview/v2/limits',
]) {
  testPage({ server, database, target }, path, token)
}
for (const path of [
  '/v2/orders?side=sell',
  `/v2/orders?sku=${sku}&state=cancelled&side=buy`,
  `/v2/orders?sku=${sku}&side=sell&include_managed=true`,
  `/v2/orders?pool=${trader.pool}&state=standing`,
  '/v2/orders?sort_by=start_at&state=filled',
  '/v2/orders?sort_by=-start_at',
  `/v2/orders?sort_by=start_at&include_managed=true&created_before=${now - rowsCount - 1}`,
  `/preview/v2/billing/transactions?workspace=${trader.workspace_id}`,
]) {
  testPage({ server, database, target }, path, token, checkedRowsMax + 1)
}

const { platform_token } = server
const operators = '/preview/v2/admin/orders?include_managed=true'
for (const path of [operators, `${operators}&created_before=${now - 5}`, `${operators}&account=${trader.id}`]) {
  testPage({ server, database, target }, path, platform_token)
}
for (const path of [`${operators}&side=sell`, `${operators}&state=filled`, '/preview/v2/admin/orders?limit=49']) {
  testPage({ server, database, target }, path, platform_token, checkedRowsMax + 1)
}

test('a list whose filter few rows match has pages without rows, and its cursors go on', async () => {
  const listed = async (query: CallQuery<'list_orders'>) => {
    const ids: string[] = []
    let pages = 0
    let starting_after: string | undefined
    for (;;) {
      const page = await server.call('list_orders', {
        query: { side: 'sell', limit: 2, ...query, starting_after },
        token,
      })
      ids.push(...page.data.map((order) => order.id))
      pages++
      if (!page.has_more) return { ids, pages, cursor: page.cursor as string | undefined, starting_after }
      starting_after = page.cursor
    }
  }
  const oldest = [1, 2, 3].map((number) => `ordr_${String(rowsCount + number).padStart(21, '0')}`)
  const falling = await listed({})
  assert.deepEqual(falling.ids, oldest)
  assert.ok(falling.pages > rowsCount / checkedRowsMax)
  const rising = await listed({ sort_by: 'created_at' })
  assert.deepEqual(rising.ids, oldest.toReversed())

  // Backward, from the last page: all of them but those behind the cursor, in list order.
  const before: string[] = []
  let cursor = falling.cursor as string
  for (;;) {
    const page = await server.call('list_orders', { query: { side: 'sell', limit: 2, ending_before: cursor }, token })
    before.unshift(...page.data.map((order) => order.id))
    if (!page.has_more) break
    cursor = page.cursor
  }
  assert.deepEqual(before, oldest.slice(0, 2))
})
