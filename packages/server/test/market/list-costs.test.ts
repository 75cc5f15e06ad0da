import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { statement } from '../../src/core/db/db.ts'
import type { Server } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestServer } from '../support/server.ts'
import { statementsOf, workOf } from '../support/statement-work.ts'
import { tradersOn } from '../support/traders.ts'

/** Rows of each table. Set BOURSE_LIST_ROWS for another number. */
const rowsCount = Number(process.env.BOURSE_LIST_ROWS ?? 100_000)
const page = 50

const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
after(() => testDatabase[Symbol.asyncDispose]())
const { database } = (server.inside as Server).runtime
const traders = tradersOn(server)
const [sku, other] = [await traders.sku(), await traders.sku()]
const trader = await traders.buyer()
const { token } = trader
const { now } = await server.ok('GET', '/sandbox/clock')
const minute = Math.floor(now / 60)
const day = 86_400
const skuOf = `(array['${sku}', '${other}'])[1 + n % 2]`
const series = `generate_series(1, ${rowsCount}) n`
const owner = `'${trader.id}', '${trader.workspace_id}'`

await database.asOwner(async (db) => {
  for (const text of [
    'alter table orders disable trigger all',
    'alter table fills disable trigger all',
    `insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
       start_minute, end_minute, node_count, price_micros, seq, remaining, filled, lapsed, filled_node_minutes,
       filled_value_micros, book_version, created_at, cancelled_at, cancel_reason)
     select 'ordr_' || lpad(n::text, 21, '0'), ${owner}, '${trader.pool}', ${skuOf}, 'buy', 'cancelled', true, true,
       ${minute}, ${minute + 60}, 1, 1000000, n, '[]', '[]', false, 60, 1000000, 1, ${now} - n, ${now}, 'user'
     from ${series}`,
    // All of them in the last six days, all of one order.
    `insert into fills (id, sku_id, buy_order_id, sell_order_id, price_micros, schedule, start_minute, end_minute,
       node_minutes, value_micros, fee_micros, filled_at)
     select 'fill_' || lpad(n::text, 21, '0'), ${skuOf}, 'ordr_000000000000000000001', 'ordr_000000000000000000002',
       1000000, '[${minute}, 1, ${minute + 60}, 0]', ${minute}, ${minute + 60}, 60, 1000000, 0,
       ${now} - n * ${6 * day}::bigint / ${rowsCount}
     from ${series}`,
    `insert into ledger_transactions (id, account_id, type, amount_micros, balance_after_micros, workspace_id,
       created_at)
     select 'txn_' || lpad(n::text, 21, '0'), '${trader.id}', 'buy_fill', -1, 1, '${trader.workspace_id}', ${now} - n
     from ${series}`,
    `insert into holds (id, order_id, account_id, workspace_id, amount_micros, created_at)
     select 'hold_' || lpad(n::text, 21, '0'), 'ordr_' || lpad(n::text, 21, '0'), ${owner}, 1, ${now} - n
     from ${series}`,
    'vacuum analyze orders',
    'vacuum analyze fills',
    'vacuum analyze ledger_transactions',
    'vacuum analyze holds',
  ]) {
    await db.run(statement(null, text))
  }
})

const window = `start_at=${minute * 60}&end_at=${(minute + 60) * 60}`

for (const path of [
  '/v2/orders',
  `/v2/orders?sku=${sku}&state=cancelled&side=buy`,
  '/v2/orders/ordr_000000000000000000001',
  '/v2/orders/ordr_000000000000000000001/fills',
  `/preview/v2/orderbook/fills?${window}`,
  `/preview/v2/orderbook/fills?${window}&requirements=id:${sku}`,
  '/preview/v2/orderbook/price_history?interval=hour',
  `/preview/v2/orderbook/depth?${window}`,
  `/preview/v2/orderbook/quote?${window}`,
  `/preview/v2/orderbook/windows?range_start_at=${minute * 60}&range_end_at=${(minute + 60) * 60}`,
  '/preview/v2/billing/transactions',
  '/preview/v2/billing/holds',
  '/preview/v2/billing/balance',
  '/v2/pools',
  '/preview/v2/limits',
]) {
  test(`GET ${path.replaceAll(/\d{9,}|sku_\w+/g, '…')} reads rows for its page, not for its table`, async () => {
    const first = await server.ok('GET', path, { token })
    const places = first.has_more ? ['', `${path.includes('?') ? '&' : '?'}starting_after=${first.cursor}`] : ['']
    for (const place of places) {
      const sent = await statementsOf(database, () => server.ok('GET', path + place, { token }))
      for (const { statement: text, rows_read, pages } of await workOf(target, sent)) {
        assert.ok(rows_read <= 10 * page, `${rows_read} rows: ${text}`)
        assert.ok(pages <= 40 * page, `${pages} pages: ${text}`)
      }
    }
  })
}
