import assert from 'node:assert/strict'
import { test } from 'vitest'
import { deploymentAudits } from '../../src/automation/deployments.audit.ts'
import { procurementAudits } from '../../src/automation/procurements.audit.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { Server } from '../../src/server.ts'
import { makeSpotMarket } from '../support/fixtures/spot.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { database } = (server.inside as Server).runtime
const spot = await makeSpotMarket(server)
await spot.offer({ nodes: 1 })
const { id } = await spot.deploy()
await server.advance(120)
// The frozen clock prevents that a step repairs a corruption before the audits run.
await server.call('freeze_clock')
await server.settle()
const { token } = spot.buyer
const elsewhere = (await server.call('create_pool', { token, body: {} })).id
const generic = { ...spot.spotBody({ kind: 'generic', pool: elsewhere, target_instance_count: 0 }) }
const body = { ...generic, max_buy_price_dollars_per_node_hour: undefined }
const other = (await server.call('create_deployment', { token, body })).id
await server.settle()

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, [...deploymentAudits, ...procurementAudits])
  return [...new Set(findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name))].sort()
}

test('a spot deployment without corruption passes all audits', async () => {
  assert.deepEqual(await violated(), [])
})

const of = (deployment: string) => `where id = '${deployment}'`
const openOrders = `where managed_by = '${id}' and state in ('standing', 'partially_filled')`
const ownDueRows = `where kind = 'automation.spot_buying' and key = '${id}'`

/** The names of the audits that find a corruption, the corruption, and its repair. */
const corruptions: readonly (readonly [names: string, harm: string, mend: string])[] = [
  [
    'life.teardown limits.deployments market.automation names.deployments',
    `update deployments set deleted_at = 1 ${of(id)}`,
    `update deployments set deleted_at = null ${of(id)}`,
  ],
  [
    'market.automation',
    `update deployments set enabled = false ${of(id)}`,
    `update deployments set enabled = true ${of(id)}`,
  ],
  [
    'market.automation',
    `update deployments set max_buy_hourly_micros = max_buy_hourly_micros - 1 ${of(id)}`,
    `update deployments set max_buy_hourly_micros = max_buy_hourly_micros + 1 ${of(id)}`,
  ],
  [
    'market.automation',
    `update orders set side = 'sell' ${openOrders}`,
    `update orders set side = 'buy' ${openOrders}`,
  ],
  [
    'market.automation',
    `update orders set pool_id = '${elsewhere}' ${openOrders}`,
    `update orders set pool_id = '${spot.buyer.pool}' ${openOrders}`,
  ],
  [
    'market.automation',
    `update deployments set pool_id = '${spot.buyer.pool}' ${of(other)}`,
    `update deployments set pool_id = '${elsewhere}' ${of(other)}`,
  ],
  [
    'market.automation',
    `update mandates set holder_id = 'depl_nobody' where holder_id = '${id}'`,
    `update mandates set holder_id = '${id}' where holder_id = 'depl_nobody'`,
  ],
  [
    'market.automation',
    `update accounts set is_frozen = true where id = '${spot.buyer.id}'`,
    `update accounts set is_frozen = false where id = '${spot.buyer.id}'`,
  ],
  [
    'life.due',
    `update due set key = 'depl_nobody' ${ownDueRows}`,
    `update due set key = '${id}' where key = 'depl_nobody'`,
  ],
  [
    'life.due',
    `update spot_buying set retry_at = 1 where deployment_id = '${id}'`,
    `update spot_buying set retry_at = null where deployment_id = '${id}'`,
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
