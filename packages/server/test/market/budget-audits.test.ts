import assert from 'node:assert/strict'
import { test } from 'vitest'
import { budgetAudits } from '../../src/billing/budgets.audit.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { Server } from '../../src/server.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { database } = (server.inside as Server).runtime
const market = await makeMarket(server, {})
const [seller, buyer] = [await market.seller(2), await market.buyer()]
const rests = { allow_standing: true, allow_partial: true }
await market.order(seller, { ...rests, side: 'sell', nodes: 1 })
await market.order(buyer, { nodes: 1 })
await market.order(buyer, { ...rests, nodes: 1 })
const budgets = await Promise.all(
  (['day', 'month', 'total'] as const).map((period) => {
    const body = { period, amount_dollars: '2.4', thresholds_percent: [50, 100] } as const
    return server.call('create_budget', { token: buyer.token, body })
  }),
)

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, budgetAudits)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

test('budgets without corruption pass all audits', async () => assert.deepEqual(await violated(), []))

/** The audit that finds a corruption, the corruption, and its repair. */
const corruptions = [
  ['money.budgets', 'spent_micros = spent_micros - 1', 'spent_micros = spent_micros + 1'],
  ['money.budgets', 'held_micros = held_micros + 1', 'held_micros = held_micros - 1'],
  ['money.budgets', 'period_start = period_start + 99999999999', 'period_start = period_start - 99999999999'],
  ['money.budget-thresholds', "reached_percent = '{}'", "reached_percent = '{50}'"],
  ['money.budget-thresholds', "reached_percent = '{50,50}'", "reached_percent = '{50}'"],
] as const

for (const [name, harm, mend] of corruptions) {
  test(`${harm} is found`, async () => {
    for (const { id, period } of budgets) {
      const run = (set: string) =>
        database.asOwner((db) => db.run(statement(null, `update budgets set ${set} where id = '${id}'`)))
      await run(harm)
      assert.deepEqual(await violated(), [name], period)
      await run(mend)
      assert.deepEqual(await violated(), [], period)
    }
  })
}

test('a budget that its limit does not count is found', async () => {
  const run = (sql: string) => database.asOwner((db) => db.run(statement(null, sql)))
  await run(`update limit_usage set used = used - 1 where name = 'budgets' and account_id = '${buyer.id}'`)
  assert.deepEqual(await violated(), ['limits.budgets'])
})
