/** Prices without related trades: the rows that a trigger keeps, what audits find, what pages cost, who is related. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { priceBucketAudits } from '../../src/market/orders/price-buckets.audit.ts'
import type { Server } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'
import { sized } from '../support/size.ts'
import { fillsOf, insert, ordersOf, rowsOf } from './many-rows.ts'
import { statementsOf, workOf } from './statement-work.ts'

const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { database } = (server.inside as Server).runtime
const traders = tradersOn(server)
const account = await server.account()
await server.call('freeze_clock')
const { now } = await server.call('get_clock')
const today = Math.floor(now / 86_400) * 86_400
const newSku = () => traders.sku({ public_prices_exclude_related: true })

await insert(
  database,
  'alter table orders disable trigger all',
  ordersOf(1, 1, { id: "'ordr_buy'" }),
  ordersOf(2, 2, { id: "'ordr_sell'" }),
)

type RelatedFill = { readonly at: number; readonly price: number; readonly minutes: number; readonly related: boolean }

const aFill: fc.Arbitrary<RelatedFill> = fc.record({
  // Some minutes of two hours, on both sides of a full hour.
  at: fc.constantFrom(3480, 3485, 3540, 3599, 3600, 3605, 3660).map((second) => today - 7200 + second),
  price: fc.integer({ min: 1, max: 9_999_999 }),
  minutes: fc.integer({ min: 1, max: 200 }),
  related: fc.boolean(),
})

let made = 0

/** A statement that inserts fills, in this order. Ids are in another order. */
function insertion(sku: string, fills: readonly RelatedFill[]): string {
  made += 1
  const of = (value: (fill: RelatedFill) => unknown, type: string) => `(array[${fills.map(value)}]::${type}[])[n]`
  const row = {
    id: `'fill_' || lpad(((n + ${made}) * 7919 % 1000)::text, 4, '0') || '_${made}_' || n`,
    sku_id: `'${sku}'`,
    buy_order_id: "'ordr_buy'",
    sell_order_id: "'ordr_sell'",
    price_micros: of(({ price }) => price, 'bigint'),
    node_minutes: of(({ minutes }) => minutes, 'bigint'),
    value_micros: of(({ price, minutes }) => Math.floor((price * minutes) / 60), 'bigint'),
    filled_at: of(({ at }) => at, 'bigint'),
    related: of(({ related }) => related, 'boolean'),
  }
  return fillsOf(1, fills.length, row)
}

async function violations(): Promise<string[]> {
  return (await runAudit(database, priceBucketAudits)).flatMap(({ name, rows }) => rows.map(() => name))
}

/** The buckets of a SKU as they are shown, and as its fills that are not related add up to. */
async function compareHistory(sku: string, seconds: 60 | 3600): Promise<void> {
  const interval = seconds === 60 ? 'minute' : 'hour'
  const query = { sku, interval, since: today - 86_400, until: today + 3600, limit: 200 } as const
  const { data } = await server.call('list_price_history', { query, token: account.token })
  const expected = await database.reader.rows(
    statement<Record<string, unknown>>(
      null,
      `select filled_at / ${seconds} * ${seconds} as start_at, count(*) as fill_count,
         sum(node_minutes)::bigint as node_minutes, min(price_micros) as low, max(price_micros) as high,
         (array_agg(price_micros order by filled_at, id))[1] as first,
         (array_agg(price_micros order by filled_at desc, id desc))[1] as last
       from fills where sku_id = '${sku}' and not related group by 1 order by 1`,
    ),
  )
  const micros = (dollars: string) => Math.round(Number(dollars) * 1e6)
  const shown = data.map((bucket) => ({
    start_at: bucket.start_at,
    fill_count: bucket.fill_count,
    node_minutes: bucket.node_minutes,
    low: micros(bucket.low_price_dollars_per_node_hour),
    high: micros(bucket.high_price_dollars_per_node_hour),
    first: micros(bucket.first_price_dollars_per_node_hour),
    last: micros(bucket.last_price_dollars_per_node_hour),
  }))
  assert.deepEqual(shown, expected)
}

test('a history without related trades is what the other fills add up to, in whatever order', async () => {
  const statements = fc.array(fc.array(aFill, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(statements, async (batches) => {
      const sku = await newSku()
      for (const fills of batches) await insert(database, insertion(sku, fills))
      await compareHistory(sku, 60)
      await compareHistory(sku, 3600)
    }),
    { numRuns: sized(40, 8) },
  )
  assert.deepEqual(await violations(), [])
})

test('the audit finds each wrong value, a row too few and a row too many', async () => {
  const sku = await newSku()
  const minutes = 60
  const fills = [false, true, false].map((related, n) => ({ at: today - 600, price: 5_000_000 + n, minutes, related }))
  await insert(database, insertion(sku, fills))
  assert.deepEqual(await violations(), [])
  const numbers = ['value_micros', 'node_minutes', 'cut_sixtieths', 'fill_count', 'first_micros', 'last_micros']
  const others = ['low_micros', 'high_micros', 'first_filled_at', 'last_filled_at']
  const row = `where sku_id = '${sku}' and seconds = 3600`
  const table = 'unrelated_price_buckets'
  for (const name of [...numbers, ...others]) {
    await insert(database, `update ${table} set ${name} = ${name} + 1 ${row}`)
    assert.deepEqual(await violations(), ['market.related-trades'], name)
    await insert(database, `update ${table} set ${name} = ${name} - 1 ${row}`)
  }
  for (const [harm, mend] of [
    [`update fills set related = true where sku_id = '${sku}'`, undefined],
    [`update fills set related = price_micros = 5000001 where sku_id = '${sku}'`, ''],
    [`update ${table} set start_at = start_at + 3600 ${row}`, undefined],
    [`update ${table} set start_at = start_at - 3600 ${row}`, ''],
    [`create temporary table kept as select * from ${table} ${row}; delete from ${table} ${row}`, undefined],
  ] as const) {
    for (const text of harm.split('; ')) await insert(database, text)
    assert.equal((await violations()).length > 0, mend === undefined, harm)
  }
})

test('a page of a history without related trades reads two rows for each that it shows', async () => {
  const sku = await newSku()
  const day = (n: string) => `${today - 1_900 * 86_400} + ${n} * 86400`
  const row = { sku_id: `'${sku}'`, buy_order_id: "'ordr_buy'", sell_order_id: "'ordr_sell'" }
  const id = (name: string) => `'fill_${name}_${made}_' || n`
  await insert(
    database,
    fillsOf(1, 1_800, { ...row, id: id('a'), filled_at: day('n') }),
    fillsOf(1, 1_800, { ...row, id: id('b'), filled_at: day('n'), related: 'n % 2 = 0' }),
    'vacuum analyze price_buckets',
    'vacuum analyze unrelated_price_buckets',
  )
  const query = { sku, interval: 'day', since: today - 1_900 * 86_400 } as const
  const first = await server.call('list_price_history', { query, token: account.token })
  assert.deepEqual([first.data.length, first.has_more], [50, true])
  for (const place of [{}, { starting_after: first.cursor }]) {
    const sent = await statementsOf(database, () =>
      server.call('list_price_history', { query: { ...query, ...place }, token: account.token }),
    )
    const [work] = (await workOf(target, sent)).filter(({ statement: name }) => /bucket/.test(name))
    assert.ok(work && work.rows_read <= 2 * 51 && work.pages <= 200, JSON.stringify(work))
  }
})

test('accounts share a person if a model of their users and identities says so', async () => {
  const person = fc.record({ account: fc.nat(3), who: fc.nat(2), capital: fc.boolean(), is_deleted: fc.boolean() })
  const people = fc.record({
    users: fc.array(person, { maxLength: 5 }),
    identities: fc.array(person, { maxLength: 5 }),
  })
  const share = statement<{ found: boolean }>(null, 'select exists (select from shared_people($1, $2)) as found')
  let run = 0
  await fc.assert(
    fc.asyncProperty(people, async ({ users, identities }) => {
      run += 1
      const account = (n: number) => `acc-${run}-${n}`
      const inserted = [
        ...[0, 1, 2, 3].map((n) =>
          rowsOf('accounts', { id: `'${account(n)}'`, name: "'x'", trust_level: "'basic'", created_at: '0' }, 1, 1),
        ),
        ...users.map(({ account: n, who, capital, is_deleted }, index) => {
          const email = `'${capital ? 'P' : 'p'}${who}@example.org'`
          const ended = is_deleted ? '1' : 'null::bigint'
          const row = { id: `'user_${run}_${index}'`, account_id: `'${account(n)}'`, email, created_at: '0' }
          return `${rowsOf('users', { ...row, deleted_at: ended }, 1, 1)} on conflict do nothing`
        }),
        ...identities.map(({ account: n, who, capital }, index) => {
          const row = { id: `'iden_${run}_${index}'`, account_id: `'${account(n)}'`, user_id: "'user_x'" }
          const subject = { issuer: `'${capital ? 'a' : 'b'}'`, subject: `'s${who}'`, provider: "'p'", created_at: '0' }
          return `${rowsOf('identities', { ...row, ...subject }, 1, 1)} on conflict do nothing`
        }),
      ]
      await insert(database, ...inserted)
      const keysOf = (n: number) =>
        new Set([
          ...users.filter((user) => user.account === n && !user.is_deleted).map(({ who }) => `mail ${who}`),
          ...identities.filter((one) => one.account === n).map(({ who, capital }) => `${capital} ${who}`),
        ])
      for (const [one, other] of [
        [0, 1],
        [1, 0],
        [2, 3],
        [1, 3],
      ] as const) {
        const found = await database.reader.row(share, [account(one), account(other)])
        const theirs = keysOf(other)
        assert.equal(
          found?.found,
          [...keysOf(one)].some((key) => theirs.has(key)),
        )
      }
    }),
    { numRuns: sized(100, 20) },
  )
})
