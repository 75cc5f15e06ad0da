import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { moneyAudits } from '../../src/billing/money.audit.ts'
import { type Database, openDatabase, statement } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/migrations/migrate.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { priceBucketAudits } from '../../src/market/orders/price-buckets.audit.ts'
import { orderAudits } from '../../src/market/trading/orders.audit.ts'
import { createEmptyDatabase } from '../support/database.ts'
import { migrationFiles } from '../support/migration-files.ts'

const migrationsDirectory = join(import.meta.dirname, '../../../../migrations')
const audited = [
  'money.zero-sum',
  'money.fold',
  'money.running',
  'money.held-exact',
  'money.release-exact',
  'money.fill-priced',
  'money.once',
  'money.export',
  'money.integer',
  'market.price',
  'market.vector',
  'market.price-buckets',
]

/**
 * Rows of the schema before: prices are micro-dollars per node-minute. A buy of two nodes for an hour at 33,333 got one
 * node at 30,000 from an older sell, and rests with the other. One transaction each for the admission and the fill.
 */
const olderRows = [
  ...['skus', 'books', 'orders', 'fills', 'procurements', 'deployments', 'sandbox_makers'].map(
    (table) => `alter table ${table} disable trigger user, disable trigger all`,
  ),
  // The trigger that keeps the buckets belongs to the schema.
  'alter table fills enable trigger add_to_price_buckets',
  `insert into skus (id, alias, properties, listed, flat_fee_micros, fee_bps, created_at, updated_at)
   values ('sku_a', 'a', '{}', true, 167, 0, 0, 0)`,
  `insert into books (sku_id, born, version, last_seq) values ('sku_a', 1, 5, 2)`,
  ...[
    `('ordr_s', 'seller', 'pool_s', 'sell', 'filled', 1, 30000, 1, '[]', '[600, 1, 660, 0]', 1800000)`,
    `('ordr_b', 'buyer', 'pool_b', 'buy', 'partially_filled', 2, 33333, 2, '[600, 1, 660, 0]', '[600, 1, 660, 0]',
      1800000)`,
  ].map(
    (row) => `
     insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
       start_minute, end_minute, node_count, price_micros, seq, remaining, filled, filled_node_minutes,
       filled_value_micros, book_version, created_at)
     select id, account_id, 'wksp', pool_id, 'sku_a', side, state, true, true, 600, 660, node_count, price, seq,
       remaining::jsonb, filled::jsonb, 60, value, 5, 0
     from (values ${row}) as o(id, account_id, pool_id, side, state, node_count, price, seq, remaining, filled, value)`,
  ),
  `insert into fills (id, sku_id, buy_order_id, sell_order_id, price_micros, schedule, start_minute, end_minute,
     node_minutes, value_micros, fee_micros, filled_at)
   values ('fill_1', 'sku_a', 'ordr_b', 'ordr_s', 30000, '[600, 1, 660, 0]', 600, 660, 60, 1800000, 10020, 100)`,
  `insert into money_accounts (account_id, credit_micros, held_micros, updated_at)
   values ('buyer', 6200020, 1999980, 0), ('seller', 1789980, 0, 0)`,
  `insert into holds (id, order_id, account_id, workspace_id, amount_micros, created_at)
   values ('hold_1', 'ordr_b', 'buyer', 'wksp', 1999980, 0)`,
  `insert into ledger (cause_kind, cause_id, part, leg, account_id, book, amount_micros, balance_after_micros,
     created_at)
   values ('posting', 'txn_1', 0, 0, null, 'funding', -10000000, null, 0),
     ('posting', 'txn_1', 0, 1, 'buyer', 'credit', 10000000, 10000000, 0),
     ('admission', 'ordr_b', 0, 0, 'buyer', 'credit', -3999960, 6000040, 0),
     ('admission', 'ordr_b', 0, 1, 'buyer', 'held', 3999960, 3999960, 0),
     ('fill', 'fill_1', 0, 0, 'buyer', 'held', -1999980, 1999980, 0),
     ('fill', 'fill_1', 0, 1, 'buyer', 'credit', 199980, 6200020, 0),
     ('fill', 'fill_1', 0, 2, 'seller', 'credit', 1800000, 1800000, 0),
     ('fill', 'fill_1', 0, 3, 'seller', 'credit', -10020, 1789980, 0),
     ('fill', 'fill_1', 0, 4, null, 'fees', 10020, null, 0)`,
  `insert into ledger_transactions (id, account_id, type, amount_micros, balance_after_micros, fee_micros, order_id,
     fill_id, created_at)
   values ('txn_1', 'buyer', 'credit_grant', 10000000, 10000000, 0, null, null, 0),
     ('txn_2', 'buyer', 'buy_fill', -1800000, 8200000, 0, 'ordr_b', 'fill_1', 0),
     ('txn_3', 'seller', 'sell_fill', 1789980, 1789980, 10020, 'ordr_s', 'fill_1', 0)`,
  `insert into sandbox_makers (sku_id, seed, base_price_micros, began_minute, nodes, enabled, desk_pool_id,
     trader_pool_id, created_at)
   values ('sku_a', 1, 300000, 0, 4, true, 'pool_1', 'pool_2', 0)`,
  `insert into procurements
   select (jsonb_populate_record(null::procurements, jsonb_build_object('id', 'proc_1', 'account_id', 'buyer',
     'workspace_id', 'wksp', 'pool_id', 'pool_b', 'sku_id', 'sku_a', 'target', 2, 'min_sell_price_micros', 0,
     'max_buy_price_micros', 16667, 'managed_window_minutes', 60, 'enabled', true, 'status_state', 'info',
     'status_code', 'ok', 'status_message', '', 'failures', 0, 'created_at', 0, 'updated_at', 0))).*`,
  `insert into deployments
   select (jsonb_populate_record(null::deployments, jsonb_build_object('id', 'depl_1', 'account_id', 'buyer',
     'workspace_id', 'wksp', 'kind', 'spot', 'pool_id', 'pool_b', 'sku_id', 'sku_a', 'instance_template_id', 'itmpl_1',
     'enabled', true, 'target_instance_count', 1, 'instance_name_template', 'x', 'max_buy_price_micros', 16667,
     'status_state', 'info', 'status_code', 'ok', 'status_message', '', 'failures', 0, 'created_at', 0,
     'updated_at', 0))).*`,
]

async function migrateBefore(target: Parameters<typeof migrate>[0], version: string): Promise<void> {
  const files = (await readdir(migrationsDirectory)).filter((file) => /^\d{4}_/.test(file) && file < version)
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(migrationsDirectory, file), 'utf8')] as const),
  )
  await migrate(target, { directory: migrationFiles(Object.fromEntries(texts)), log: () => {} })
}

async function versionOf(name: string): Promise<string> {
  const file = (await readdir(migrationsDirectory)).find((found) => found.endsWith(`_${name}.sql`))
  assert.ok(file, `there is no migration ${name}`)
  return file
}

async function violations(database: Database): Promise<readonly string[]> {
  const audits = [...moneyAudits, ...orderAudits, ...priceBucketAudits].filter(({ name }) => audited.includes(name))
  return (await runAudit(database, audits)).filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

function ask(database: Database, text: string): Promise<object[]> {
  return database.asOwner((db) => db.rows(statement<object>(null, text)))
}

test('prices of an older schema become exact prices per node-hour, and values and holds stay as they are', async () => {
  await using older = await createEmptyDatabase()
  await migrateBefore(older.target, await versionOf('hourly_prices'))
  await using database = openDatabase(older.target)
  for (const text of olderRows) await database.asOwner((db) => db.run(statement(null, text)))
  await migrate(older.target, { directory: migrationsDirectory, log: () => {} })
  const prices = await ask(
    database,
    `select o.id, o.price_micros::text as price from orders o
     union all select f.id, f.price_micros::text from fills f
     union all select p.id, p.max_buy_hourly_micros::text from procurements p
     union all select d.id, d.max_buy_hourly_micros::text from deployments d
     union all select s.id, s.hourly_fee_micros || ' in steps of ' || s.price_step_micros from skus s
     union all select m.sku_id, m.base_price_micros::text from sandbox_makers m
     union all select b.seconds::text, concat_ws(' ', first_micros, last_micros, low_micros, high_micros)
     from price_buckets b where b.seconds = 60
     order by id, price`,
  )
  assert.deepEqual(prices, [
    { id: '60', price: '1800000 1800000 1800000 1800000' },
    { id: 'depl_1', price: '1000020' },
    { id: 'fill_1', price: '1800000' },
    { id: 'ordr_b', price: '1999980' },
    { id: 'ordr_s', price: '1800000' },
    { id: 'proc_1', price: '1000020' },
    { id: 'sku_a', price: '10020 in steps of 1' },
    { id: 'sku_a', price: '18000000' },
  ])
  assert.deepEqual(await violations(database), [])
})

test('the program before cannot trade on the schema', async () => {
  await using database = await createEmptyDatabase()
  await migrate(database.target, { directory: migrationsDirectory, log: () => {} })
  await using migrated = openDatabase(database.target)
  // What it reads of a book in every decision, and of its automations.
  for (const column of ['flat_fee_micros from skus', 'max_buy_price_micros from procurements, deployments']) {
    await assert.rejects(ask(migrated, `select ${column}`), { code: '42703' })
  }
})
