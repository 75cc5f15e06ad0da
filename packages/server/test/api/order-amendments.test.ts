import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hour, type Market, makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const ask = { side: 'sell', allow_standing: true, allow_partial: true } as const
const bid = { side: 'buy', allow_standing: true, allow_partial: true } as const

type AmendBody = NonNullable<Parameters<typeof server.call<'amend_order'>>[1]['body']>

const amend = ({ token }: Party, { id }: { id: string }, body: AmendBody) =>
  server.call('amend_order', { params: { id }, token, body })

async function refused({ token }: Party, { id }: { id: string }, body: AmendBody): Promise<string> {
  const { status, body: answer } = await server.attempt('amend_order', { params: { id }, token, body })
  const [{ code = answer.error.type, field = null } = {}] = answer.error.details ?? []
  return [status, code, field ?? ''].join(' ').trim()
}

const windowOf = ({ start }: Market, node_count: number, minutes = 60) => [
  { start_at: start, end_at: start + minutes * 60, node_count },
]

test('amend_order: a new price ends the old order and places one that continues it, with one hold', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer('10.000000')
  const old = await market.order(buyer, { ...bid, nodes: 2, price: '3.000000' })
  // Both holds together are more than there is.
  const made = await amend(buyer, old, { limit_price_dollars_per_node_hour: '4.500000' })
  assert.deepEqual([made.state, made.amends, made.amended_by, made.cancel_reason], ['standing', old.id, null, null])
  assert.deepEqual(made.allocation_schedule_delta, windowOf(market, 2))
  assert.equal(made.limit_price_dollars_per_node_hour, '4.500000')
  assert.deepEqual([made.allow_standing, made.allow_partial], [true, true])
  const ended = await market.read(buyer, old)
  assert.deepEqual([ended.state, ended.cancel_reason, ended.amended_by], ['cancelled', 'amended', made.id])
  assert.deepEqual(await market.balance(buyer), { total: '10.000000', held: '9.000000', available: '1.000000' })
  assert.deepEqual(await market.history(buyer), ['order.created token', 'order.created token', 'order.cancelled token'])
})

test('what is filled stays and is not bought again: the nodes are a total', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(8), await market.buyer('100.000000')]
  const old = await market.order(buyer, { ...bid, nodes: 4 })
  await market.order(seller, { ...ask, nodes: 1 })
  const made = await amend(buyer, old, { node_count: 6, limit_price_dollars_per_node_hour: '1.500000' })
  assert.deepEqual(made.allocation_schedule_delta, windowOf(market, 5))
  assert.deepEqual(made.filled_before_allocation_schedule_delta, windowOf(market, 1))
  assert.equal(made.held_dollars, '7.500000')
  // Filled in half of its time, it asks for the rest in steps, and so does the one that continues it.
  await market.order(seller, { ...ask, nodes: 2, minutes: 30 })
  const again = await amend(buyer, made, { node_count: 4 })
  const half = market.start + hour / 2
  assert.deepEqual(again.allocation_schedule_delta, [
    { start_at: market.start, end_at: half, node_count: 1 },
    { start_at: half, end_at: market.start + hour, node_count: 3 },
  ])
  await market.order(seller, { ...ask, nodes: 4 })
  assert.equal((await market.read(buyer, again)).state, 'filled')
  assert.deepEqual(await market.owned(buyer), windowOf(market, 4))
  assert.equal((await market.balance(buyer)).held, '0.000000')
})

test('an amended order that crosses the book trades at once', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(), await market.buyer()]
  const resting = await market.order(seller, { ...ask, nodes: 2, price: '1.500000' })
  const old = await market.order(buyer, { ...bid, nodes: 2, price: '1.200000' })
  const made = await amend(buyer, old, { limit_price_dollars_per_node_hour: '1.800000' })
  assert.deepEqual([made.state, made.fills[0]?.price_dollars_per_node_hour], ['filled', '1.500000'])
  assert.equal((await market.read(seller, resting)).state, 'filled')
  assert.deepEqual((await market.history(buyer)).slice(1), [
    'order.created token',
    'order.cancelled token',
    'order.filled token',
  ])
})

test('an order keeps its place if it only asks for less at its price, and loses it otherwise', async () => {
  const market = await makeMarket(server, {})
  const [first, second, third] = [await market.buyer(), await market.buyer(), await market.buyer()]
  const seller = await market.seller(8)
  const one = await market.order(first, { ...bid, nodes: 3 })
  const two = await market.order(second, { ...bid, nodes: 2 })
  await market.order(third, { ...bid, nodes: 2 })
  const kept = await amend(first, one, { node_count: 2 })
  const behind = await amend(second, two, { node_count: 3 })
  await market.order(seller, { ...ask, nodes: 3 })
  assert.equal((await market.read(first, kept)).state, 'filled')
  assert.equal((await market.read(second, behind)).state, 'standing')
})

test('a sell is amended on the nodes that it promised itself', async () => {
  const market = await makeMarket(server, {})
  const seller = await market.seller(4)
  const old = await market.order(seller, { ...ask, nodes: 4 })
  const made = await amend(seller, old, { node_count: 3, limit_price_dollars_per_node_hour: '1.100000' })
  assert.deepEqual(made.allocation_schedule_delta, windowOf(market, 3))
  await market.order(seller, { ...ask, nodes: 1 })
  assert.equal(await refused(seller, made, { node_count: 4 }), '422 insufficient_allocation node_count')
  assert.equal((await market.read(seller, made)).state, 'standing')
})

test('a refused amendment changes nothing', async () => {
  const market = await makeMarket(server, { price_step_dollars_per_node_hour: '0.010000' })
  const [seller, buyer] = [await market.seller(8), await market.buyer('10.000000')]
  const old = await market.order(buyer, { ...bid, nodes: 2, price: '2.000000' })
  await market.order(seller, { ...ask, nodes: 1, price: '2.000000' })
  const before = [await market.read(buyer, old), await market.balance(buyer), await market.history(buyer)]
  const past = market.start - 6 * hour
  const price = 'limit_price_dollars_per_node_hour'
  assert.equal(await refused(buyer, old, { [price]: '9.000000' }), '402 payment_required')
  assert.equal(await refused(buyer, old, { [price]: '2.005000' }), `400 not_aligned ${price}`)
  assert.equal(await refused(buyer, old, { node_count: 1 }), '422 already_filled node_count')
  assert.equal(await refused(buyer, old, { start_at: past }), '422 in_the_past start_at')
  assert.equal(await refused(buyer, old, { end_at: market.start }), '400 invalid_range end_at')
  const far = market.start + 4 * 365 * 24 * hour
  assert.equal(await refused(buyer, old, { end_at: far }), '422 beyond_horizon end_at')
  assert.deepEqual([await market.read(buyer, old), await market.balance(buyer), await market.history(buyer)], before)
  await market.cancel(buyer, old)
  assert.equal(await refused(buyer, old, { node_count: 3 }), '409 order_final')
  assert.equal(await refused(seller, old, { node_count: 3 }), '404 not_found')
})

test('limits and budgets count an amended order once', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer('100.000000')
  const put = (name: string, value: number) =>
    server.call('put_account_limit', { params: { account: buyer.id, name }, body: { value } })
  await put('open_orders', 1)
  await put('reserved_node_hours', 3)
  await server.call('create_budget', {
    token: buyer.token,
    body: { period: 'month', amount_dollars: '5.000000', hard_stop: true },
  })
  const old = await market.order(buyer, { ...bid, nodes: 2, price: '2.000000' })
  const made = await amend(buyer, old, { node_count: 3, limit_price_dollars_per_node_hour: '1.500000' })
  assert.equal(made.held_dollars, '4.500000')
  assert.equal(await refused(buyer, made, { node_count: 4 }), '422 limit_exceeded')
  const { status, body } = await server.attempt('amend_order', {
    params: { id: made.id },
    token: buyer.token,
    body: { limit_price_dollars_per_node_hour: '2.000000' },
  })
  assert.equal(status, 402)
  assert.match(body.error.message, /^This needs \$6\.00, and the budget .* has \$5\.00 left\.$/)
})

test('a window that has begun is amended from the running minute on', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const old = await market.order(buyer, { ...bid, nodes: 2 })
  const { now } = await server.call('get_clock')
  await server.advance(market.start + 10 * 60 - now)
  const made = await amend(buyer, old, { limit_price_dollars_per_node_hour: '1.100000' })
  const start_at = market.start + 10 * 60
  assert.deepEqual(made.allocation_schedule_delta, [{ start_at, end_at: market.start + hour, node_count: 2 }])
})

test('two amendments at once: one continues the order, the other is refused; a key answers once', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const old = await market.order(buyer, { ...bid, nodes: 2 })
  const send = (price: string, key: string) =>
    server.attempt('amend_order', {
      params: { id: old.id },
      token: buyer.token,
      body: { limit_price_dollars_per_node_hour: price },
      headers: { 'Idempotency-Key': key },
    })
  const answers = await Promise.all([send('1.100000', 'a'), send('1.300000', 'b')])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  const key = answers[0]?.status === 201 ? 'a' : 'b'
  const replayed = await send(key === 'a' ? '1.100000' : '1.300000', key)
  const won = answers.find(({ status }) => status === 201)
  assert.deepEqual([replayed.status, replayed.body.id], [201, won?.body.id])
  const { data } = await server.call('list_orders', { query: { state: ['standing'] }, token: buyer.token })
  assert.equal(data.length, 1)
})

test('an order of an automation is not amended', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  await server.call('create_procurement', {
    token: buyer.token,
    body: {
      pool: buyer.pool,
      sku: market.sku,
      target: 1,
      managed_window_minutes: 60,
      min_sell_price_dollars_per_node_hour: '9.000000',
      max_buy_price_dollars_per_node_hour: '1.000000',
    },
  })
  await server.advance(60)
  const query = { include_managed: true, state: ['standing'] } as const
  const { data } = await server.call('list_orders', { query, token: buyer.token })
  assert.equal(await refused(buyer, data[0] as { id: string }, { node_count: 2 }), '409 order_managed')
})

test('create_order_estimate: what an amended order holds and has filled counts once', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(8), await market.buyer('10.000000')]
  const old = await market.order(buyer, { ...bid, nodes: 3, price: '2.000000' })
  await market.order(seller, { ...ask, nodes: 1, price: '2.000000' })
  const estimate = (body: object) =>
    server.call('create_order_estimate', {
      token: buyer.token,
      body: {
        side: 'buy',
        sku: market.sku,
        pool: buyer.pool,
        start_at: market.start,
        duration_seconds: hour,
        node_count: 3,
        allow_standing: true,
        allow_partial: true,
        limit_price_dollars_per_node_hour: '3.500000',
        amends: old.id as `ordr_${string}`,
        ...body,
      },
    })
  const { available_dollars, available_after_dollars, worst_case_dollars, node_minutes, refusal } = await estimate({})
  assert.deepEqual(
    { available_dollars, available_after_dollars, worst_case_dollars, node_minutes, refusal },
    {
      available_dollars: '4.000000',
      available_after_dollars: '1.000000',
      worst_case_dollars: '7.000000',
      node_minutes: 120,
      refusal: null,
    },
  )
  const dear = await estimate({ limit_price_dollars_per_node_hour: '4.500000' })
  assert.equal(dear.refusal?.code, 'payment_required')
  const refusedFor = async (body: object) => {
    const base = { side: 'buy', sku: market.sku, pool: buyer.pool, start_at: market.start, duration_seconds: hour }
    const sent = { ...base, node_count: 1, amends: old.id, ...body } as never
    const { body: answer } = await server.attempt('create_order_estimate', { token: buyer.token, body: sent })
    return answer.error.details?.[0]?.code
  }
  assert.equal(await refusedFor({}), 'already_filled')
  assert.equal(await refusedFor({ side: 'sell' }), 'reference_not_found')
  assert.equal(await refusedFor({ amends: 'ordr_missing' }), 'reference_not_found')
})
