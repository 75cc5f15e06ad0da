import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { type Database, openDatabase, statement } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/migrations/migrate.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { priceBucketAudits } from '../../src/market/orders/price-buckets.audit.ts'
import type { Server } from '../../src/server.ts'
import type { CallQuery } from '../support/calls.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { migrationFiles } from '../support/migration-files.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { fillsOf, insert, ordersOf } from './many-rows.ts'
import { statementsOf, workOf } from './statement-work.ts'

const migrationsDirectory = join(import.meta.dirname, '../../../../migrations')
const fillsCount = sized(30_000, 6_000)
const day = 86_400

const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { database } = (server.inside as Server).runtime
const traders = tradersOn(server)
const [sku, other] = [await traders.sku(), await traders.sku()]
// At midnight it would be another day.
await server.call('freeze_clock')
const { now } = await server.call('get_clock')
const today = Math.floor(now / day) * day
const since = today - 1_999 * day
const account = await server.account()

type FillOptions = { count: number; skus: readonly string[]; id?: string; price?: string; at?: string }

/** A statement that inserts fills. By default they lie in the last 1,999 days, and their ids are in another order. */
function fills({ count, skus, ...rest }: FillOptions): string {
  const {
    id = `'fill_' || lpad(((n * 7919) % ${count})::text, 12, '0')`,
    price = '1000000 + (n * 104729) % 900000',
    at = `${since} + (n * ${1_999 * day}) / ${count} / 20 * 20`,
  } = rest
  return fillsOf(0, count - 1, {
    id,
    sku_id: `(array['${skus.join("','")}'])[1 + n % ${skus.length}]`,
    buy_order_id: "'ordr_buy'",
    sell_order_id: "'ordr_sell'",
    price_micros: price,
    node_minutes: '60 + n % 7',
    value_micros: '(4611686018427387904 / (1 + n % 3))::bigint',
    filled_at: at,
  })
}

const orders = [
  'alter table orders disable trigger all',
  ordersOf(1, 1, { id: "'ordr_buy'" }),
  ordersOf(2, 2, { id: "'ordr_sell'" }),
]

async function violations(of: Database): Promise<readonly object[]> {
  return (await runAudit(of, priceBucketAudits)).flatMap(({ rows }) => rows)
}

/** A database with 500 fills and without a server. */
async function openSmall(): Promise<AsyncDisposable & { readonly opened: Database }> {
  const stack = new AsyncDisposableStack()
  const { target } = stack.use(await createTestDatabase())
  const opened = stack.use(openDatabase(target))
  await insert(opened, ...orders, fills({ count: 500, skus: [sku, other] }))
  return { opened, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

await insert(
  database,
  ...orders,
  fills({ count: fillsCount, skus: [sku, other] }),
  'vacuum analyze fills',
  'vacuum analyze price_buckets',
)

test('buckets equal the fills, also where fills of one bucket come in many statements and in any order', async () => {
  await using small = await openSmall()
  const { opened } = small
  assert.deepEqual(await violations(opened), [])
  // Of one bucket: the same second as others, ids before and behind theirs, prices below and above.
  for (const [id, price, at] of [
    ['fill_5', 900_000, 100],
    ['fill_2', 2_500_000, 100],
    ['fill_9', 1, 100],
    ['fill_1', 7, 40],
    ['fill_3', 5_000_000, 119],
    ['fill_0', 6, 119],
  ] as const) {
    await insert(opened, fills({ count: 1, skus: [sku], id: `'${id}'`, price: String(price), at: String(today + at) }))
    assert.deepEqual(await violations(opened), [])
  }
})

test('the audit finds every wrong value, in buckets of each length', async () => {
  await using small = await openSmall()
  const { opened } = small
  for (const [harm, mend] of [
    ['value_micros = value_micros + 1', 'value_micros = value_micros - 1'],
    ['node_minutes = node_minutes - 1', 'node_minutes = node_minutes + 1'],
    ['cut_sixtieths = cut_sixtieths + 1', 'cut_sixtieths = cut_sixtieths - 1'],
    ['fill_count = fill_count + 1', 'fill_count = fill_count - 1'],
    ['first_micros = first_micros + 1', 'first_micros = first_micros - 1'],
    ['last_micros = last_micros - 1', 'last_micros = last_micros + 1'],
    ['low_micros = low_micros - 1', 'low_micros = low_micros + 1'],
    ['high_micros = high_micros + 1', 'high_micros = high_micros - 1'],
    ["last_fill_id = last_fill_id || '0'", 'last_fill_id = left(last_fill_id, -1)'],
    ['first_filled_at = first_filled_at + 1', 'first_filled_at = first_filled_at - 1'],
    ['fee_micros = coalesce(fee_micros, 0) + 1', 'fee_micros = case seconds when 86400 then fee_micros - 1 end'],
    ['start_at = start_at + 86400 * 9999', 'start_at = start_at - 86400 * 9999'],
  ] as const) {
    for (const seconds of [60, 3600, day]) {
      const edge = harm.startsWith('start_at') ? 'max' : 'min'
      const one = `where seconds = ${seconds} and sku_id = '${sku}'
        and start_at = (select ${edge}(start_at) from price_buckets where seconds = ${seconds} and sku_id = '${sku}')`
      await insert(opened, `update price_buckets set ${harm} ${one}`)
      assert.ok((await violations(opened)).length > 0, `${harm} in ${seconds} s`)
      await insert(opened, `update price_buckets set ${mend} ${one}`)
    }
  }
  assert.deepEqual(await violations(opened), [])
})

test('the audit finds a wrong value that a bucket shares with the longer ones around it', async () => {
  await using small = await openSmall()
  const { opened } = small
  // The first bucket of each length contains the first of each shorter length.
  const firsts = `(
    select sku_id, seconds, min(start_at) as start_at
    from price_buckets
    where sku_id = '${sku}'
    group by sku_id, seconds
  ) f`
  const change = (sign: string, lengths: readonly number[]) =>
    insert(
      opened,
      `update price_buckets b set value_micros = b.value_micros ${sign} 1, node_minutes = b.node_minutes ${sign} 1
       from ${firsts}
       where (b.sku_id, b.seconds, b.start_at) = (f.sku_id, f.seconds, f.start_at)
         and b.seconds in (${lengths.join(', ')})`,
    )
  for (const lengths of [
    [60, 3600],
    [3600, day],
    [60, 3600, day],
  ]) {
    await change('+', lengths)
    assert.ok((await violations(opened)).length > 0, `${lengths}`)
    await change('-', lengths)
  }
  assert.deepEqual(await violations(opened), [])
})

test('the migration fills the buckets from the fills that exist', async () => {
  await using older = await createEmptyDatabase()
  const files = (await readdir(migrationsDirectory)).filter((file) => /^\d{4}_/.test(file)).sort()
  const before = files.filter((file) => file < '0032')
  const texts = await Promise.all(
    before.map(async (file) => [file, await readFile(join(migrationsDirectory, file), 'utf8')] as const),
  )
  await migrate(older.target, { directory: migrationFiles(Object.fromEntries(texts)), log: () => {} })
  await using upgraded = openDatabase(older.target)
  await insert(upgraded, ...orders, fills({ count: 500, skus: [sku, other] }))
  await migrate(older.target, { directory: migrationsDirectory, log: () => {} })
  assert.deepEqual(await violations(upgraded), [])
  const [counted] = await upgraded.reader.rows(
    statement<{ count: number }>(null, 'select sum(fill_count)::bigint as count from price_buckets'),
  )
  assert.equal(counted?.count, 1_500)
})

test('pages in both directions together show every bucket of all SKUs once, by start and SKU', async () => {
  const get = (place: Partial<CallQuery<'list_price_history'>>) =>
    server.call('list_price_history', { query: { interval: 'day', since, ...place }, token: account.token })
  const expected = await database.reader.rows(
    statement<{ start_at: number; sku_id: string }>(
      null,
      `select filled_at / 86400 * 86400 as start_at, sku_id, count(*) as fill_count from fills
       where filled_at >= ${since} group by 1, 2 order by 1, 2`,
    ),
  )
  const seen: { start_at: number; sku: string; fill_count: number }[] = []
  let page = await get({ limit: 200 })
  seen.push(...page.data)
  let last = page
  while (page.has_more) {
    page = await get({ limit: 200, starting_after: page.cursor })
    seen.push(...page.data)
    last = page
  }
  assert.deepEqual(
    seen.map(({ start_at, sku, fill_count }) => ({ start_at, sku_id: sku, fill_count })),
    expected,
  )
  const back = await get({ limit: 177, ending_before: last.cursor })
  assert.deepEqual(back.data, seen.slice(-last.data.length - 177, -last.data.length))
  assert.equal(back.has_more, true)
  const start = await get({ limit: 200 })
  const none = await get({ limit: 200, ending_before: start.cursor })
  assert.deepEqual([none.data, none.has_more], [[], false])
})

test('a page of price history reads as many rows as it shows, however many fills there are', async () => {
  for (const [filter, interval, skus] of [
    [{ sku }, 'day', 1],
    [{}, 'day', 2],
    [{ sku }, 'hour', 1],
  ] as const) {
    const from = interval === 'day' ? since : today - 1_900 * 3600
    const first = await server.call('list_price_history', {
      query: { interval, since: from, ...filter },
      token: account.token,
    })
    for (const place of [{}, { starting_after: first.cursor }, { ending_before: first.cursor }]) {
      const query = { interval, since: from, ...filter, ...place }
      const sent = await statementsOf(database, () =>
        server.call('list_price_history', {
          query,
          token: account.token,
        }),
      )
      const work = (await workOf(target, sent)).filter(({ statement: name }) => /bucket|fills/.test(name))
      assert.equal(work.length, 1)
      for (const { rows_read, pages, statement: name } of work) {
        assert.ok(rows_read <= skus * 51, `${name} of ${JSON.stringify(query)} reads ${rows_read} rows`)
        assert.ok(pages <= skus * 60, `${name} of ${JSON.stringify(query)} reads ${pages} pages`)
      }
    }
  }
})

test('a SKU that the account may not see has the same price history as one that does not exist', async () => {
  const hidden = await traders.sku({ listed: false })
  await insert(database, fills({ count: 10, skus: [hidden], id: "'fill_hidden_' || n" }))
  const read = async (id: string, extra: object, token?: string) => {
    const options = token === undefined ? {} : { token }
    const { status, text } = await server.attempt('list_price_history', {
      query: { sku: id, interval: 'day', ...extra },
      ...options,
    })
    return [status, text.replaceAll(id, 'sku')]
  }
  const absent = `${hidden.slice(0, -4)}zzzz`
  for (const extra of [{}, { since }, { since: 1 }, { starting_after: 'pricc_x' }]) {
    const seen = await read(hidden, extra, account.token)
    assert.deepEqual(seen, await read(absent, extra, account.token), JSON.stringify(extra))
    if ('since' in extra && extra.since === since) assert.equal(JSON.parse(String(seen[1])).data.length, 0)
  }
  const platform = JSON.parse(String((await read(hidden, { since }))[1]))
  assert.ok(platform.data.length > 0)
})
