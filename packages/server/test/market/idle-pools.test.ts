import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { statement } from '../../src/core/db/db.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from '../events/replicas.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { inTurn } from './trading.ts'

const replicas = await startReplicas(1)
const [inside] = replicas.servers as [Server]
const woken = statement<{ key: string }>(null, "select key from due where kind = 'fleet.placement'")

test('wake-ups of trading pools without instances cause no placement step', async () => {
  const market = await makeMarket(inTurn(replicas), {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await allAnswered()
  const before = stepsOfPlacement()
  await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
  const bought = await market.order(buyer, { side: 'buy' })
  assert.equal(bought.state, 'filled')
  await allAnswered()
  assert.equal(stepsOfPlacement(), before)
})

function stepsOfPlacement(): number {
  return inside.loop.status().get('fleet.placement')?.runs ?? 0
}

async function allAnswered(): Promise<void> {
  await eventually('every wake-up is answered', async () => {
    assert.deepEqual(await inside.runtime.database.reader.rows(woken), [])
    return true
  })
}
