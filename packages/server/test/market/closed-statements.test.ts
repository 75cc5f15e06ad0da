/** Statements of closed months: they are stored once and never change, and later months do not read what was before. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { closedStatementAudits } from '../../src/accounting/statements/closed-statements.audit.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { Server } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'
import { closeMonths, foldUsage } from './folds.ts'
import { insert, rowsOf } from './many-rows.ts'
import { statementsOf, workOf } from './statement-work.ts'

const testDatabase = await createTestDatabase()
const { target } = testDatabase
const server = await startTestServer({ target })
afterAll(() => testDatabase[Symbol.asyncDispose]())
const { runtime } = server.inside as Server
const { database } = runtime
const day = 86_400
const standing = { allow_standing: true, allow_partial: true }

const monthAt = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 7)
const nowThere = async () => (await server.call('get_clock')).now as number
const read = ({ token }: Party, month: string) => server.call('get_statement', { params: { month }, token })

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, closedStatementAudits)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

const market = await makeMarket(server)
const [seller, buyer] = [await market.seller(8), await market.buyer()]
const began = await nowThere()
const months = [monthAt(began)]

async function trade(price: string) {
  const start_at = Math.ceil(((await nowThere()) + 120) / 3600) * 3600
  await market.order(seller, { side: 'sell', start_at, price, ...standing })
  assert.equal((await market.order(buyer, { start_at, price })).state, 'filled')
}

async function nextMonth() {
  const { period_end } = await read(buyer, months.at(-1) as string)
  await server.advance(period_end - (await nowThere()) + 60)
  months.push(monthAt(period_end))
}

await trade('1.234567')
await nextMonth()
await trade('2.000001')
await nextMonth()

test('a month is stored 48 hours after its end, and reads as before', async () => {
  await foldUsage(runtime)
  const before = await Promise.all(months.map((month) => read(buyer, month)))
  await closeMonths(runtime)
  const stored = () => database.reader.rows(statement(null, 'select month_start from closed_statements'))
  assert.equal((await stored()).length, 2)
  assert.deepEqual(await Promise.all(months.map((month) => read(buyer, month))), before)
  assert.deepEqual(
    before.map(({ state }) => state),
    ['closed', 'open', 'open'],
  )
  await server.advance(2 * day)
  await closeMonths(runtime)
  const after = await Promise.all(months.map((month) => read(buyer, month)))
  assert.deepEqual(
    after.map(({ state }) => state),
    ['closed', 'closed', 'open'],
  )
  assert.deepEqual(
    after.map((shown) => ({ ...shown, state: '' })),
    before.map((shown) => ({ ...shown, state: '' })),
  )
  assert.equal((await stored()).length, 4)
  assert.deepEqual(await violated(), [])
})

test('a closed month does not change with what it was added up from, and the next one opens with it', async () => {
  const before = await Promise.all(months.map((month) => read(buyer, month)))
  await insert(
    database,
    `update usage_hours set bought_micros = bought_micros + 7 where hour < ${Math.floor(began / 3600) + 24}`,
  )
  assert.deepEqual(await Promise.all(months.map((month) => read(buyer, month))), before)
})

test('each corruption of a closed statement is found by its audit', async () => {
  const first = (other = '') => `month_start = (select min(month_start) from closed_statements)
    and account_id in ('${buyer.id}', '${other}')`
  const line = (name: string, value: string) => `lines = jsonb_set(lines, '{0,${name}}', to_jsonb((${value})::text))`
  for (const [harm, mend] of [
    ['closing_micros = closing_micros + 1', 'closing_micros = closing_micros - 1'],
    ['opening_micros = opening_micros - 1', 'opening_micros = opening_micros + 1'],
    [
      line('purchases', "(lines -> 0 ->> 'purchases')::numeric + 1"),
      line('purchases', "(lines -> 0 ->> 'purchases')::numeric - 1"),
    ],
    ["account_id = account_id || '-x'", `account_id = '${buyer.id}'`],
  ] as const) {
    await insert(database, `update closed_statements set ${harm} where ${first()}`)
    assert.deepEqual(await violated(), ['money.statements'], harm)
    await insert(database, `update closed_statements set ${mend} where ${first(`${buyer.id}-x`)}`)
    assert.deepEqual(await violated(), [], mend)
  }
})

test('a month reads its own hours, however many were before it', async () => {
  const hour = Math.floor(began / 3600)
  const place = { pool_id: "'pool_x'", sku_id: "'sku_x'" }
  await insert(
    database,
    rowsOf('usage_hours', { account_id: `'${buyer.id}'`, ...place, hour: `${hour - 30_000} + n` }, 1, 20_000),
    'vacuum analyze usage_hours',
  )
  const sent = await statementsOf(database, () => read(buyer, months.at(-1) as string))
  for (const { rows_read, pages, statement: text } of await workOf(target, sent)) {
    assert.ok(rows_read <= 50 && pages <= 50, `${rows_read} rows, ${pages} pages: ${text}`)
  }
})
