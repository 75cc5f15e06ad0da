import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { startReplicas } from '../events/replicas.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { inTurn, violated } from './trading.ts'

const replicas = await startReplicas(2)
const { servers } = replicas
const [inside] = servers as [Server]
const server = inTurn(replicas)
const rests = { allow_standing: true, allow_partial: true }

test('of 64 buys at once against a budget for one, on two replicas and two books, one is admitted', async () => {
  const markets = [await makeMarket(server, {}), await makeMarket(server, {})] as const
  const buyer = await markets[0].buyer()
  for (let round = 0; round < 5; round += 1) {
    const body = { period: 'total', amount_dollars: '1.2', hard_stop: true, thresholds_percent: [100] } as const
    const budget = await server.call('create_budget', { token: buyer.token, body })
    const responses = await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        const market = markets[(n >> 1) % 2] as (typeof markets)[number]
        const order = market.body(buyer, { ...rests, nodes: 1 })
        return server.attempt('create_order', { token: buyer.token, body: order })
      }),
    )
    const admitted = responses.filter(({ status }) => status === 201)
    const refused = responses.filter(({ status }) => status === 402)
    assert.deepEqual([admitted.length, refused.length], [1, 63], `round ${round}`)
    assert.match(refused[0]?.text ?? '', /the budget bdgt_\S+ has \$0\.00 left/)
    const { held_dollars } = await server.call('get_budget', { params: { id: budget.id }, token: buyer.token })
    assert.equal(held_dollars, '1.200000')
    assert.equal(await markets[0].cancel(buyer, (admitted[0] as (typeof admitted)[0]).body), 204)
    await server.call('delete_budget', { params: { id: budget.id }, token: buyer.token })
  }
  assert.deepEqual(await violated(inside), [])
})

test('fills at once on two replicas announce each threshold once', async () => {
  const markets = [await makeMarket(server, {}), await makeMarket(server, {})] as const
  const sellers = [await markets[0].seller(16), await markets[1].seller(16)]
  const buyer = await markets[0].buyer()
  for (const [n, market] of markets.entries()) {
    await market.order(sellers[n] as (typeof sellers)[number], { ...rests, side: 'sell', nodes: 16 })
  }
  const thresholds_percent = [5, 10, 25, 50, 75, 90, 100]
  const body = { period: 'total', amount_dollars: '38.4', thresholds_percent } as const
  const budget = await server.call('create_budget', { token: buyer.token, body })
  await Promise.all(
    Array.from({ length: 32 }, (_, n) =>
      (markets[(n >> 1) % 2] as (typeof markets)[number]).order(buyer, { nodes: 1 }),
    ),
  )
  const { spent_dollars, reached_percent } = await server.call('get_budget', {
    params: { id: budget.id },
    token: buyer.token,
  })
  assert.deepEqual([spent_dollars, reached_percent], ['38.400000', thresholds_percent])
  const { data } = await server.call('list_events', {
    query: { limit: 200, action: 'budget.threshold_reached' },
    token: buyer.token,
  })
  assert.equal(data.length, thresholds_percent.length)
  assert.deepEqual(await violated(inside), [])
})

test('budgets that are made while buys are filled have what was spent before, between and after', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(64), await market.buyer()]
  await market.order(seller, { ...rests, side: 'sell', nodes: 64 })
  const body = { period: 'total', amount_dollars: '1000' } as const
  for (let round = 0; round < 4; round += 1) {
    const buys = Array.from({ length: 16 }, () => market.order(buyer, { nodes: 1 }))
    const made = await Promise.all([0, 1, 2].map(() => server.call('create_budget', { token: buyer.token, body })))
    await Promise.all(buys)
    for (const { id } of made) {
      const { spent_dollars } = await server.call('get_budget', { params: { id }, token: buyer.token })
      assert.equal(spent_dollars, `${(19.2 * (round + 1)).toFixed(6)}`)
      await server.call('delete_budget', { params: { id }, token: buyer.token })
    }
  }
  assert.deepEqual(await violated(inside), [])
})
