import assert from 'node:assert/strict'
import { test } from 'vitest'
import { procurementAudits } from '../../src/automation/procurements.audit.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { Server } from '../../src/server.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { procurementsOn } from '../support/fixtures/procurements.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { database } = (server.inside as Server).runtime
// The frozen clock prevents that a step repairs a corruption before the audits run.
await server.call('freeze_clock')
const market = await makeMarket(server, {})
const procurements = procurementsOn(server, market)
const buyer = await market.buyer()
// Another order of the pool in the middle makes the procurement place two orders that do not touch.
const { now } = await server.call('get_clock')
const start_at = now - (now % 60) + 600
await market.order(buyer, { start_at, minutes: 10, nodes: 2, price: '0.060000', allow_standing: true })
const { id } = await procurements.make(buyer)
const elsewhere = (await server.call('create_pool', { token: buyer.token, body: {} })).id

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, procurementAudits)
  return [...new Set(findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name))].sort()
}

test('a procurement without corruption passes all audits', async () => {
  const { token } = buyer
  const { data } = await server.call('list_orders', { query: { procurement: id, state: ['standing'] }, token })
  assert.equal(data.length, 2)
  assert.deepEqual(await violated(), [])
})

const own = `where id = '${id}'`
const openOrders = `where managed_by = '${id}' and state = 'standing'`
const ownDueRows = `where kind = 'automation.procurement' and key = '${id}'`

/** The names of the audits that find a corruption, the corruption, and its repair. */
const corruptions: readonly (readonly [names: string, harm: string, mend: string])[] = [
  [
    'limits.procurements market.automation names.procurements',
    `update procurements set deleted_at = 1 ${own}`,
    `update procurements set deleted_at = null ${own}`,
  ],
  [
    'market.automation',
    `update procurements set enabled = false ${own}`,
    `update procurements set enabled = true ${own}`,
  ],
  [
    'market.automation',
    `update procurements set max_buy_hourly_micros = max_buy_hourly_micros - 1 ${own}`,
    `update procurements set max_buy_hourly_micros = max_buy_hourly_micros + 1 ${own}`,
  ],
  [
    'market.automation',
    `update procurements set max_buy_hourly_micros = null ${own}`,
    `update procurements set max_buy_hourly_micros = 1200000 ${own}`,
  ],
  [
    'market.automation',
    `update orders set side = 'sell' ${openOrders}`,
    `update orders set side = 'buy' ${openOrders}`,
  ],
  [
    'market.automation',
    `update orders set pool_id = '${elsewhere}' ${openOrders}`,
    `update orders set pool_id = '${buyer.pool}' ${openOrders}`,
  ],
  [
    'market.automation',
    `update orders set managed_by = 'proc_nobody' ${openOrders}`,
    `update orders set managed_by = '${id}' where managed_by = 'proc_nobody'`,
  ],
  [
    'market.automation',
    `update orders set remaining = jsonb_set(remaining, '{0}', to_jsonb((remaining ->> 0)::bigint - 11))
     ${openOrders} and start_minute > ${start_at / 60}`,
    `update orders set remaining = jsonb_set(remaining, '{0}', to_jsonb((remaining ->> 0)::bigint + 11))
     ${openOrders} and start_minute > ${start_at / 60}`,
  ],
  [
    'market.automation',
    `delete from mandates where holder_id = '${id}'`,
    `insert into mandates (pool_id, sku_id, holder_id) select pool_id, sku_id, id from procurements ${own}`,
  ],
  [
    'market.automation',
    `update mandates set pool_id = '${elsewhere}' where holder_id = '${id}'`,
    `update mandates set pool_id = '${buyer.pool}' where holder_id = '${id}'`,
  ],
  [
    'market.automation',
    `update accounts set is_frozen = true where id = '${buyer.id}'`,
    `update accounts set is_frozen = false where id = '${buyer.id}'`,
  ],
  [
    'life.parent',
    `update pools set deleted_at = 1 where id = '${buyer.pool}'`,
    `update pools set deleted_at = null where id = '${buyer.pool}'`,
  ],
  [
    'life.due',
    `update due set key = 'proc_nobody' ${ownDueRows}`,
    `update due set key = '${id}' where key = 'proc_nobody'`,
  ],
  ['life.due', `update procurements set retry_at = 1 ${own}`, `update procurements set retry_at = null ${own}`],
  [
    'names.procurements',
    `update names set deleted_at = 1 where id = '${id}'`,
    `update names set deleted_at = null where id = '${id}'`,
  ],
]

for (const [index, [names, harm, mend]] of corruptions.entries()) {
  test(`corruption ${index + 1} is found as ${names}, and no finding remains after its repair`, async () => {
    const run = (sql: string) => database.asOwner((db) => db.run(statement(null, sql)))
    await run(harm)
    const found = await violated()
    await run(mend)
    assert.deepEqual(found, names.split(' '))
    assert.deepEqual(await violated(), [])
  })
}
