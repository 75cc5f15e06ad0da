import assert from 'node:assert/strict'
import { test } from 'vitest'
import { waitFor } from '../../src/core/base/wait.ts'
import { statement } from '../../src/core/db/db.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from '../events/replicas.ts'
import { makeMarket } from '../support/market.ts'
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
  const isAnswered = async () => (await inside.runtime.database.reader.rows(woken)).length === 0
  await waitFor(isAnswered, { every_milliseconds: 20, at_most_milliseconds: 20_000 })
}
