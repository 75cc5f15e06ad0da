import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { systemOrigin } from '../../src/core/work/command.ts'
import { query } from '../../src/core/work/query.ts'
import { hostAudits } from '../../src/fleet/hosts/hosts.audit.ts'
import { instanceKeptSeconds } from '../../src/fleet/instances/instance-changes.service.ts'
import { poolHistoryReconciler } from '../../src/market/pools/pool-history.reconciler.ts'
import { historyMinutes } from '../../src/market/pools/pool-history.rules.ts'
import { orderEventAudits } from '../../src/market/trading/order-events.audit.ts'
import { orderAudits } from '../../src/market/trading/orders.audit.ts'
import type { Server } from '../../src/server.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const day = 24 * hour
const server = await startTestServer()
const { runtime } = server.inside as Server
const { database } = runtime
await server.call('freeze_clock')
const market = await makeMarket(server)
const [seller, buyer] = [await market.seller(6), await market.buyer('100000.000000')]
const shown = (pool = buyer.pool) =>
  server.call('get_pool', { params: { id: pool }, query: { schedule_history_minutes: 1440 }, token: buyer.token })

async function steps(pool: string): Promise<number[]> {
  const text = 'select minute from pool_allocation where pool_id = $1 order by minute'
  const rows = await database.reader.rows(statement<{ minute: number }>(null, text), [pool])
  return rows.map(({ minute }) => minute)
}

async function minuteNow(): Promise<number> {
  return Math.floor((await server.call('get_clock')).now / 60)
}

/** A day on which the pool gains and loses nodes four times. */
async function tradeForDay(): Promise<void> {
  const start = ((await minuteNow()) + 10) * 60
  for (const index of [0, 1, 2, 3]) {
    const window = { nodes: 1 + (index % 3), start_at: start + index * 2 * hour }
    await market.order(buyer, { ...window, allow_standing: true, allow_partial: true })
    assert.equal((await market.order(seller, { ...window, side: 'sell' })).state, 'filled')
  }
  await server.advance(day)
}

test('a pool with weeks of trades keeps the steps of nine days at most, and one row for all before', async () => {
  let most = 0
  for (let days = 0; days < 20; days++) {
    await tradeForDay()
    const [kept, minute] = [await steps(buyer.pool), await minuteNow()]
    most = Math.max(most, kept.length)
    const old = kept.filter((step) => step < minute - historyMinutes - day / 60)
    assert.deepEqual(old, days < 8 ? [] : [0])
  }
  assert.ok(most > 8 * 8 && most <= 9 * 8 + 1, `${most} steps`)
  assert.deepEqual((await steps(seller.pool)).slice(0, 1), [0])
  await assertAuditsPass(server)
})

test('the history of the last day and the sellable nodes do not depend on the folded steps', async () => {
  const before = await shown()
  assert.equal(before.allocation_schedule.total.length, 4)
  const ahead = ((await minuteNow()) + 60) * 60
  const offer = { side: 'sell', nodes: 1, start_at: ahead, allow_standing: true } as const
  assert.equal((await market.refused(buyer, offer)).code, 'insufficient_allocation')
  await server.advance(5 * day)
  assert.equal((await market.order(seller, { ...offer, nodes: 6, start_at: ahead + 5 * day })).state, 'standing')
  assert.equal((await market.refused(seller, { ...offer, start_at: ahead + 5 * day })).code, 'insufficient_allocation')
  await assertAuditsPass(server)
})

test('the audits check the folded past of a pool like every other step', async () => {
  const violated = async () => {
    const findings = await runAudit(database, [...orderAudits, ...orderEventAudits, ...hostAudits])
    return [...new Set(findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name))].sort()
  }
  const change = (sql: string) => database.asOwner((db) => db.run(statement(null, sql)))
  const folded = `where pool_id = '${seller.pool}' and minute = 0`
  await change(`update pool_allocation set delta = delta + 1 ${folded}`)
  assert.deepEqual(await violated(), ['capacity.moved-whole', 'capacity.supply'])
  await change(`update pool_allocation set delta = delta - 1 ${folded}`)
  // A step at another minute than its cause is reported missing at its original minute.
  const ofBuyer = `from pool_allocation where pool_id = '${buyer.pool}'`
  const last = `where pool_id = '${buyer.pool}' and minute = (select max(minute) ${ofBuyer})`
  const early = (await minuteNow()) + 20
  await change(`update pool_allocation set minute = ${early} ${last}`)
  assert.ok((await violated()).includes('capacity.moved-whole'))
})

test('a sweep finds a fold without a due row', async () => {
  const sweep = () => query(runtime, systemOrigin, async (ctx) => poolHistoryReconciler.sweep?.(ctx))
  assert.deepEqual(await sweep(), [])
  await database.asOwner((db) => db.run(statement(null, "delete from due where kind = 'market.pool_history'")))
  await server.advance(10 * day)
  assert.deepEqual(await sweep(), ['all'])
})

test('steps are kept for longer than the explanation of an ended instance', () => {
  assert.ok(historyMinutes * 60 > instanceKeptSeconds)
})
