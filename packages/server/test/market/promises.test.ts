import assert from 'node:assert/strict'
import { test } from 'vitest'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand, systemOrigin } from '../../src/core/work/command.ts'
import { query } from '../../src/core/work/query.ts'
import { promiseReconciler } from '../../src/market/orders/orders.reconciler.ts'
import type { Server } from '../../src/server.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { runtime } = server.inside as Server

/** Runs the sweep as its loop does. Returns the keys that it finds. */
async function sweep(): Promise<string[]> {
  const keys = (await query(runtime, systemOrigin, async (ctx) => promiseReconciler.sweep?.(ctx))) ?? []
  await systemCommand(runtime, async (ctx) => {
    for (const key of keys) ctx.schedule(promiseReconciler.kind, key)
  })
  await server.settle()
  return keys
}

async function promises(pool: string): Promise<number[]> {
  const text = 'select delta from pool_promise where pool_id = $1 order by minute'
  return (await runtime.database.reader.rows(statement<{ delta: number }>(null, text), [pool])).map(
    ({ delta }) => delta,
  )
}

test('rows of fulfilled and cancelled promises are deleted, rows of open promises are kept', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(6), await market.buyer()]
  const ask = { side: 'sell', allow_standing: true, allow_partial: true } as const
  const given = await market.order(seller, { ...ask, nodes: 1, start_at: market.start + 36_000 })
  await market.order(seller, { ...ask, nodes: 2 })
  await market.order(seller, { ...ask, nodes: 3, start_at: market.start + 7200, price: '2.400000' })
  assert.equal((await market.order(buyer, { nodes: 2 })).state, 'filled')
  assert.equal(await market.cancel(seller, given), 204)
  assert.deepEqual(await promises(seller.pool), [0, 0, 3, -3, 0, 0])
  assert.deepEqual(await sweep(), [market.sku])
  assert.deepEqual(await promises(seller.pool), [3, -3])
  assert.deepEqual(await sweep(), [])
  await assertAuditsPass(server)
})
