import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const hour = 3600

async function makeSku(): Promise<string> {
  const sku = await server.ok('POST', '/preview/v2/admin/skus', { body: { num_vcpus: 8, fee_bps: 100 } })
  return sku.id
}

/** An account with a host, and so with a supply pool that owns nodes from the next minute on. */
async function makeSeller(sku: string, nodes = 4) {
  const account = await server.account()
  await server.ok('POST', '/sandbox/hosts', { body: { account: account.id, sku, count: nodes } })
  const pools = await server.ok('GET', '/v2/pools?kind=originating', { token: account.token })
  return { ...account, pool: pools.data[0].id as string }
}

async function makeBuyer(dollars = '1000.000000') {
  const account = await server.account()
  const body = { type: 'credit_grant', amount_dollars: dollars, description: 'Test.' }
  await server.ok('POST', `/preview/v2/admin/accounts/${account.id}/transactions`, { body })
  const pool = await server.ok('POST', '/v2/pools', { token: account.token, body: {} })
  return { ...account, pool: pool.id as string }
}

async function nextHour(): Promise<number> {
  const clock = await server.ok('GET', '/sandbox/clock')
  return Math.ceil((clock.now + 120) / hour) * hour
}

function orderBody(party: { pool: string }, sku: string, fields: Record<string, unknown>) {
  const { start_at, nodes = 2, hours = 1, price = '1.200000', ...rest } = fields
  const window = { start_at, end_at: (start_at as number) + (hours as number) * hour, node_count: nodes }
  return { pool: party.pool, sku, allocation_schedule_delta: [window], limit_price_dollars_per_node_hour: price, ...rest }
}

test('create_order: a standing sell is bought by a better bid at the older limit, and money and capacity change hands', async () => {
  const sku = await makeSku()
  const seller = await makeSeller(sku)
  const buyer = await makeBuyer()
  const start_at = await nextHour()
  const sell = orderBody(seller, sku, { start_at, side: 'sell', allow_standing: true, allow_partial: true })
  const ask = await server.ok('POST', '/v2/orders', { token: seller.token, body: sell })
  assert.equal(ask.state, 'standing')
  const buy = orderBody(buyer, sku, { start_at, side: 'buy', price: '2.400000' })
  const bid = await server.ok('POST', '/v2/orders', { token: buyer.token, body: buy })
  assert.equal(bid.state, 'filled')
  assert.equal(bid.filled_average_price_dollars_per_node_hour, '1.200000')
  assert.equal(bid.fills[0].total_dollars, '2.400000')
  const sold = await server.ok('GET', `/v2/orders/${ask.id}`, { token: seller.token })
  assert.equal(sold.state, 'filled')
  assert.equal(sold.fills[0].fee_dollars, '0.024000')
  const spent = await server.ok('GET', '/preview/v2/billing/balance', { token: buyer.token })
  assert.equal(spent.total_dollars, '997.600000')
  assert.equal(spent.held_dollars, '0.000000')
  const earned = await server.ok('GET', '/preview/v2/billing/balance', { token: seller.token })
  assert.equal(earned.total_dollars, '2.376000')
  const pool = await server.ok('GET', `/v2/pools/${buyer.pool}`, { token: buyer.token })
  assert.deepEqual(pool.allocation_schedule.by_sku[sku], [{ start_at, end_at: start_at + hour, node_count: 2 }])
})
