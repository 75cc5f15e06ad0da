import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const ask = { side: 'sell', allow_standing: true, allow_partial: true } as const
const bid = { side: 'buy', allow_standing: true, allow_partial: true } as const
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)

test('create_order: a better bid fills at the limit of a resting sell and moves money and capacity', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(), await market.buyer()]
  const offer = await market.order(seller, ask)
  assert.equal(offer.state, 'standing')
  const taken = await market.order(buyer, { price: '2.400000' })
  assert.equal(taken.state, 'filled')
  assert.equal(taken.filled_average_price_dollars_per_node_hour, '1.200000')
  assert.equal(taken.fills[0].total_dollars, '2.400000')
  assert.equal(taken.fills[0].fee_dollars, '0.000000')
  const sold = await market.read(seller, offer)
  assert.equal(sold.state, 'filled')
  assert.equal(sold.fills[0].fee_dollars, '0.024000')
  assert.deepEqual(await market.balance(buyer), {
    total: '997.600000',
    held: '0.000000',
    available: '997.600000',
  })
  assert.equal((await market.balance(seller)).total, '2.376000')
  const end_at = market.start + hour
  assert.deepEqual(await market.owned(buyer), [{ start_at: market.start, end_at, node_count: 2 }])
  assert.deepEqual((await market.owned(seller)).slice(1), [
    { start_at: market.start, end_at, node_count: 2 },
    { start_at: end_at, end_at: null, node_count: 4 },
  ])
  assert.deepEqual(await market.history(seller), ['order.created token', 'order.filled system'])
  assert.deepEqual(await market.history(buyer), ['order.created token', 'order.filled token'])
})

test('a partial order fills in ranges of nodes and minutes, best price first, then the earliest', async () => {
  const market = await makeMarket(server, {})
  const [cheap, early, late] = [await market.seller(1), await market.seller(2), await market.seller(2)]
  const buyer = await market.buyer()
  const first = await market.order(early, { ...ask, nodes: 2, price: '1.200000' })
  const second = await market.order(late, { ...ask, nodes: 2, price: '1.200000' })
  const best = await market.order(cheap, { ...ask, nodes: 1, minutes: 30, price: '0.600000' })
  const taken = await market.order(buyer, { nodes: 3, price: '1.800000', allow_partial: true })
  assert.equal(taken.state, 'filled')
  assert.equal(taken.fills.length, 3)
  assert.equal((await market.read(cheap, best)).state, 'filled')
  assert.equal((await market.read(early, first)).state, 'filled')
  const rest = await market.read(late, second)
  assert.equal(rest.state, 'partially_filled')
  const half = market.start + hour / 2
  assert.deepEqual(rest.filled_allocation_schedule_delta, [
    { start_at: half, end_at: market.start + hour, node_count: 1 },
  ])
  const total = taken.fills.map(({ total_dollars }) => total_dollars).sort()
  assert.deepEqual(total, ['0.300000', '0.600000', '2.400000'])
})

test('an immediate partial order keeps its fills; an all-or-nothing one fills whole or not at all', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(1), await market.buyer('10.000000')]
  await market.order(seller, { ...ask, nodes: 1 })
  const whole = await market.order(buyer, { nodes: 2 })
  assert.equal(whole.state, 'cancelled')
  assert.equal(whole.cancel_reason, 'unfilled')
  assert.deepEqual(whole.filled_allocation_schedule_delta, [])
  assert.deepEqual(whole.fills, [])
  const part = await market.order(buyer, { nodes: 2, allow_partial: true })
  assert.equal(part.state, 'cancelled')
  assert.equal(part.cancel_reason, 'unfilled')
  assert.equal(part.fills[0].total_dollars, '1.200000')
  assert.deepEqual(await market.balance(buyer), { total: '8.800000', held: '0.000000', available: '8.800000' })
  assert.deepEqual(await market.history(buyer), [
    'order.created token',
    'order.cancelled system',
    'order.created token',
    'order.partially_filled token',
    'order.cancelled system',
  ])
})

test('each trade is an event of both orders, and the events of an order add up to its fills', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(3), await market.buyer()]
  const first = await market.order(seller, { ...ask, nodes: 1, price: '1.200000' })
  const second = await market.order(seller, { ...ask, nodes: 2, minutes: 30, price: '1.500000' })
  const bought = await market.order(buyer, { ...bid, nodes: 4, price: '2.400000' })
  assert.equal(bought.state, 'partially_filled')
  const eventsOf = async ({ token }: { token: string }, target: string) =>
    (await server.call('list_events', { query: { target }, token })).data
  const [, ...trades] = await eventsOf(buyer, bought.id)
  assert.deepEqual(
    trades.map(({ action, actor }) => `${action} ${actor.type}`),
    ['order.partially_filled token', 'order.partially_filled token'],
  )
  const { data: fills } = await server.call('list_order_fills', { params: { id: bought.id }, token: buyer.token })
  const about = { side: 'buy', sku: market.sku, pool: buyer.pool }
  const byId = (one: { id: string } | undefined, other: { id: string } | undefined) =>
    (one?.id ?? '') < (other?.id ?? '') ? -1 : 1
  assert.deepEqual(trades.map(({ fill }) => fill).sort(byId), fills.map((fill) => ({ ...fill, ...about })).sort(byId))
  for (const [order, nodes] of [
    [first, 1],
    [second, 2],
  ] as const) {
    const [, end, ...more] = await eventsOf(seller, order.id)
    assert.deepEqual([end?.action, end?.actor.type, more], ['order.filled', 'system', []])
    const { fill } = end ?? {}
    assert.ok(fill)
    const { fills: own } = await market.read(seller, order)
    assert.deepEqual(fill, { ...own[0], side: 'sell', sku: market.sku, pool: seller.pool })
    assert.equal(fill.allocation_schedule_delta[0]?.node_count, nodes)
    assert.notEqual(fill.fee_dollars, '0.000000')
  }
})

test('smaller orders skip a resting all-or-nothing order, and it is retried when the book changes', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer, other] = [await market.seller(6), await market.buyer(), await market.buyer()]
  const whole = await market.order(seller, { ...ask, allow_partial: false, nodes: 4 })
  const small = await market.order(buyer, { ...bid, nodes: 2 })
  assert.equal(small.state, 'standing')
  assert.equal((await market.read(seller, whole)).state, 'standing')
  // A buy of two more nodes at the same price: both buys together fill the whole sell.
  const more = await market.order(other, { ...bid, nodes: 2 })
  assert.equal(more.state, 'filled')
  assert.equal((await market.read(seller, whole)).state, 'filled')
  assert.equal((await market.read(buyer, small)).state, 'filled')
})

test('orders of one account never match each other, and orders behind them still match', async () => {
  const market = await makeMarket(server, {})
  const [seller, other, buyer] = [await market.seller(4), await market.seller(4), await market.buyer()]
  await market.order(seller, { ...ask, price: '0.600000' })
  const pool = (await server.call('create_pool', { token: seller.token, body: {} })).id
  await grantCredit(server, seller.id, '10.000000')
  const own = await market.order({ ...seller, pool }, { ...bid, price: '1.200000' })
  assert.equal(own.state, 'standing')
  const met = await market.order(other, { side: 'sell', price: '1.200000' })
  assert.equal(met.state, 'filled')
  assert.equal(met.fills[0].price_dollars_per_node_hour, '1.200000')
  assert.equal((await market.order(buyer, { price: '0.600000' })).state, 'filled')
})

test('one sell that matches two resting buys of one account settles both', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const first = await market.order(buyer, { ...bid, nodes: 1 })
  const second = await market.order(buyer, { ...bid, nodes: 1 })
  assert.equal((await market.balance(buyer)).held, '2.400000')
  assert.equal((await market.order(seller, { side: 'sell', nodes: 2 })).state, 'filled')
  assert.equal((await market.read(buyer, first)).state, 'filled')
  assert.equal((await market.read(buyer, second)).state, 'filled')
  assert.deepEqual(await market.balance(buyer), { total: '997.600000', held: '0.000000', available: '997.600000' })
})

test('an order holds its cost to the micro-dollar, and the refusal names the missing amount', async () => {
  const market = await makeMarket(server, {})
  const buyer = await market.buyer('2.000000')
  const refused = await market.refused(buyer, { ...bid, price: '1.200000' })
  assert.equal(refused.status, 402)
  assert.equal(refused.code, 'payment_required')
  assert.match(refused.message, /: \$0\.40 is missing/)
  // 59 minutes at 2,001 micro-dollars per node-hour are 1,967.65 micro-dollars, and a hold is rounded up.
  const order = await market.order(buyer, { ...bid, nodes: 1, minutes: 59, price: '0.002001' })
  assert.equal(order.limit_price_dollars_per_node_hour, '0.002001')
  assert.equal(order.held_dollars, '0.001968')
  assert.deepEqual(await market.balance(buyer), { total: '2.000000', held: '0.001968', available: '1.998032' })
  const holds = await server.call('list_holds', { token: buyer.token })
  assert.deepEqual(
    holds.data.map(({ order, amount_dollars }) => [order, amount_dollars]),
    [[order.id, '0.001968']],
  )
  const stranger = await server.account()
  assert.deepEqual((await server.call('list_holds', { token: stranger.token })).data, [])
  assert.equal(await market.cancel(buyer, order), 204)
  assert.deepEqual(await market.balance(buyer), { total: '2.000000', held: '0.000000', available: '2.000000' })
  assert.deepEqual((await server.call('list_holds', { token: buyer.token })).data, [])
})

test('the seller pays a flat fee and a share, rounded down, and never more than it gets', async () => {
  const market = await makeMarket(server, { fee_bps: 333, flat_fee_dollars_per_node_hour: '0.006001' })
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await market.order(seller, { ...ask, nodes: 1, minutes: 7, price: '1' })
  const { fills } = await market.order(buyer, { nodes: 1, minutes: 7, price: '1.00' })
  // floor(1,000,000 × 7 / 60) = 116,666 micro-dollars; floor(6,001 × 7 / 60) = 700; floor(3.33 % of it) = 3,884.
  assert.equal(fills[0].total_dollars, '0.116666')
  const { data } = await server.call('list_transactions', { token: seller.token })
  assert.equal(data[0].type, 'sell_fill')
  assert.equal(data[0].fee_dollars, '0.004584')
  assert.equal(data[0].amount_dollars, '0.112082')
  await market.order(seller, { ...ask, nodes: 1, minutes: 1, price: '0.000000' })
  const gift = await market.order(buyer, { nodes: 1, minutes: 1 })
  assert.equal(gift.fills[0].total_dollars, '0.000000')
  assert.equal((await market.balance(seller)).total, '0.112082')
})

test('a price fills as it was typed, and parts of an hour cost whole micro-dollars', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await market.order(seller, { ...ask, nodes: 1, minutes: 61, price: '0.10' })
  const order = await market.order(buyer, { ...bid, nodes: 1, minutes: 1, price: '0.1' })
  assert.equal(order.filled_average_price_dollars_per_node_hour, '0.100000')
  assert.equal(order.fills[0].price_dollars_per_node_hour, '0.100000')
  assert.equal(order.fills[0].total_dollars, '0.001666')
  assert.deepEqual(await market.balance(buyer), { total: '999.998334', held: '0.000000', available: '999.998334' })
  const hourly = { nodes: 1, minutes: 60, start_at: market.start + 60, price: '0.1' }
  assert.equal((await market.order(buyer, { ...bid, ...hourly })).fills[0].total_dollars, '0.100000')
  assert.equal((await market.balance(seller)).total, '0.101666')
})

test('an order that meets more offers than it shows has its newest 100 fills', async () => {
  const market = await makeMarket(server, {})
  const [one, other, buyer] = [await market.seller(60), await market.seller(41), await market.buyer()]
  const sellers = Array.from({ length: 101 }, (_, index) => (index < 60 ? one : other))
  await Promise.all(sellers.map((seller) => market.order(seller, { ...ask, nodes: 1, price: '0.1' })))
  const taken = await market.order(buyer, { ...bid, nodes: 101, price: '0.1' })
  assert.equal(taken.state, 'filled')
  assert.equal(taken.fills.length, 100)
  assert.deepEqual(idsOf({ data: (await market.read(buyer, taken)).fills }), idsOf({ data: taken.fills }))
})

test('a SKU with a price step refuses other prices and names the nearest', async () => {
  const market = await makeMarket(server, { price_step_dollars_per_node_hour: '0.01' })
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const sku = await server.call('get_sku', { params: { id: market.sku }, token: buyer.token })
  assert.equal(sku.price_step_dollars_per_node_hour, '0.010000')
  const refused = await market.refused(buyer, { ...bid, price: '1.205' })
  assert.deepEqual([refused.status, refused.code], [400, 'not_aligned'])
  assert.match(refused.message, /multiple of 0\.010000; the nearest: 1\.200000, 1\.210000\./)
  assert.equal((await market.refused(seller, { ...ask, nodes: 1, price: '1.2000001' })).code, 'invalid_format')
  const resting = await market.order(seller, { ...ask, nodes: 1, price: '1.21' })
  await server.call('update_sku', { params: { id: market.sku }, body: { price_step_dollars_per_node_hour: '0.5' } })
  assert.equal((await market.read(seller, resting)).state, 'standing')
  const estimate = await server.call('create_order_estimate', {
    token: buyer.token,
    body: {
      side: 'buy',
      sku: market.sku,
      start_at: market.start,
      duration_seconds: 3600,
      node_count: 1,
      pool: buyer.pool,
    },
  })
  assert.equal(estimate.post_order_body.limit_price_dollars_per_node_hour, '1.500000')
  const bought = await server.call('create_order', { token: buyer.token, body: estimate.post_order_body })
  assert.equal(bought.fills[0].price_dollars_per_node_hour, '1.210000')
})

test('a sell needs free nodes in every minute, without those that other sells have promised', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const open = await market.order(seller, { ...ask, nodes: 3 })
  const refused = await market.refused(seller, { ...ask, nodes: 2 })
  assert.deepEqual([refused.status, refused.code], [422, 'insufficient_allocation'])
  assert.equal((await market.order(seller, { ...ask, nodes: 1 })).state, 'standing')
  assert.equal(await market.cancel(seller, open), 204)
  assert.equal((await market.order(seller, { ...ask, nodes: 3 })).state, 'standing')
  assert.equal((await market.refused(buyer, { side: 'sell', nodes: 1 })).code, 'insufficient_allocation')
})

test('invalid orders are refused with code and field', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const { now } = await server.call('get_clock')
  const minute = now - (now % 60)
  const window = (start_at: number, end_at: number, node_count = 1) => ({
    allocation_schedule_delta: [{ start_at, end_at, node_count }],
  })
  const { start } = market
  const years = 3 * 365 * 86_400
  for (const [status, code, changes] of [
    [400, 'invalid_range', window(start, start)],
    [400, 'invalid_range', window(start + 60, start)],
    [400, 'not_aligned', window(start + 1, start + 60)],
    [400, 'out_of_range', window(start, start + 60, 0)],
    [400, 'out_of_range', window(start, start + 60, 10_001)],
    [
      400,
      'too_many',
      {
        allocation_schedule_delta: [
          ...window(start, start + 60).allocation_schedule_delta,
          ...window(start, start + 60).allocation_schedule_delta,
        ],
      },
    ],
    [400, 'out_of_range', { limit_price_dollars_per_node_hour: '0.000000' }],
    [400, 'out_of_range', { limit_price_dollars_per_node_hour: '1000000.000001' }],
    [
      400,
      'out_of_range',
      { ...window(start, start + years - 86_400, 10_000), limit_price_dollars_per_node_hour: '1000000.000000' },
    ],
    [400, 'invalid_format', { limit_price_dollars_per_node_hour: '1.0000000' }],
    [400, 'unknown_field', { colour: 'red' }],
    [422, 'in_the_past', window(minute - 60, start)],
    [422, 'beyond_horizon', window(start, minute + years + 120)],
    [422, 'sku_not_available', { sku: 'sku_0000000000000000' }],
    [422, 'reference_not_found', { pool: seller.pool }],
    [422, 'reference_not_found', { pool: 'pool_0000000000000000' }],
  ] as const) {
    const refused = await market.refused(buyer, bid, changes)
    assert.deepEqual([refused.status, refused.code], [status, code], JSON.stringify(changes))
  }
  const supply = await market.refused(seller, bid)
  assert.deepEqual([supply.status, supply.code], [422, 'pool_kind_not_allowed'])
  const readOnly = await server.call('create_read_only_pool', {
    body: {
      account: buyer.id,
      workspace: buyer.workspace_id,
      from_pool: seller.pool,
      sku: market.sku,
      allocation_schedule: [{ start_at: start, end_at: start + hour, node_count: 1 }],
    },
  })
  for (const side of ['buy', 'sell'] as const) {
    const refused = await market.refused({ ...buyer, pool: readOnly.id }, { side })
    assert.deepEqual([refused.status, refused.code], [422, 'pool_kind_not_allowed'])
  }
})

test('the running minute can still be traded', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await server.advance(60)
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60)
  assert.equal((await market.order(seller, { ...ask, start_at, minutes: 5 })).state, 'standing')
  assert.equal((await market.order(buyer, { start_at, minutes: 5 })).state, 'filled')
})

test('list_orders filters by every parameter and sorts by creation and by start', async () => {
  const market = await makeMarket(server)
  const other = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const later = await market.order(buyer, { ...bid, start_at: market.start + hour })
  const sooner = await market.order(buyer, bid)
  const elsewhere = await other.order(buyer, bid)
  await market.cancel(buyer, elsewhere)
  const second = (await server.call('create_workspace', { token: buyer.token, body: {} })).id
  const pool = (await server.call('create_pool', { token: buyer.token, body: { workspace: second } })).id
  const there = await market.order({ ...buyer, pool }, { ...bid, start_at: market.start + 2 * hour })
  const list = async (query: string) => idsOf(await server.call('list_orders', { query, token: buyer.token }))
  const newest = [there, elsewhere, sooner, later].map(({ id }) => id)
  assert.deepEqual(await list(''), newest)
  assert.deepEqual(await list('sort_by=-created_at'), newest)
  assert.deepEqual(await list('sort_by=created_at'), newest.toReversed())
  assert.deepEqual(await list(`sort_by=start_at&sku=${market.sku}`), [sooner.id, later.id, there.id])
  assert.deepEqual(await list(`sort_by=-start_at&sku=${market.sku}`), [there.id, later.id, sooner.id])
  assert.deepEqual(await list(`sku=${other.sku}`), [elsewhere.id])
  assert.deepEqual(await list(`id=${sooner.id}&id=${there.id}`), [there.id, sooner.id])
  assert.deepEqual(await list(`pool=${pool}`), [there.id])
  assert.deepEqual(await list(`workspace=${second}`), [there.id])
  assert.deepEqual(await list('state=cancelled'), [elsewhere.id])
  assert.deepEqual(await list('state=standing&state=cancelled'), newest)
  assert.deepEqual(await list('state=pending'), [])
  assert.deepEqual(await list('side=sell'), [])
  assert.deepEqual(await list('side=buy'), newest)
  assert.deepEqual(await list(`created_after=${there.created_at + 1}`), [])
  assert.deepEqual(await list(`created_before=${later.created_at - 1}`), [])
  assert.deepEqual(await list(`created_after=${later.created_at}&created_before=${there.created_at}`), newest)
  assert.deepEqual(await list('pool=pool_0000000000000000'), [])
  assert.deepEqual(await list('procurement=proc_0000000000000000'), [])
  assert.deepEqual(await list('deployment=depl_0000000000000000'), [])
  assert.deepEqual(await list('include_managed=true'), newest)
  const paged: string[] = []
  let starting_after: string | undefined
  do {
    const page = await server.call('list_orders', {
      query: { limit: 1, sort_by: 'start_at', starting_after },
      token: buyer.token,
    })
    paged.push(...idsOf(page))
    starting_after = page.has_more ? page.cursor : undefined
  } while (starting_after !== undefined)
  assert.equal(new Set(paged).size, 4)
  assert.deepEqual(idsOf(await server.call('list_orders', { token: seller.token })), [])
})

test('get_order, list_order_fills and cancel_order apply to own orders only; ended ones stay readable', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const offer = await market.order(seller, { ...ask, nodes: 2 })
  await market.order(buyer, { nodes: 1 })
  await market.order(buyer, { nodes: 1 })
  for (const [method, path] of [
    ['GET', `/v2/orders/${offer.id}`],
    ['GET', `/v2/orders/${offer.id}/fills`],
    ['DELETE', `/v2/orders/${offer.id}`],
    ['GET', '/v2/orders/ordr_0000000000000000'],
  ] as const) {
    assert.equal((await server.request(method, path, { token: buyer.token })).status, 404, path)
  }
  const first = await server.call('list_order_fills', {
    params: { id: offer.id },
    query: { limit: 1 },
    token: seller.token,
  })
  assert.equal(first.has_more, true)
  const second = await server.call('list_order_fills', {
    params: { id: offer.id },
    query: { limit: 1, starting_after: first.cursor },
    token: seller.token,
  })
  const whole = await market.read(seller, offer)
  assert.deepEqual([...first.data, ...second.data], whole.fills)
  const { status, body } = await server.attempt('cancel_order', { params: { id: offer.id }, token: seller.token })
  assert.equal(status, 409)
  assert.equal(body.error.details[0].code, 'order_final')
  assert.deepEqual(await market.read(seller, offer), whole)
})

test('cancel_order cancels the rest and keeps fills, and its event names the token', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const order = await market.order(buyer, { ...bid, nodes: 3 })
  await market.order(seller, { side: 'sell', nodes: 1 })
  assert.equal(await market.cancel(buyer, order), 204)
  const ended = await market.read(buyer, order)
  assert.deepEqual([ended.state, ended.cancel_reason, ended.fills.length], ['cancelled', 'user', 1])
  assert.equal(ended.held_dollars, '0.000000')
  assert.equal(await market.cancel(buyer, order), 409)
  assert.deepEqual(await market.history(buyer), [
    'order.created token',
    'order.partially_filled system',
    'order.cancelled token',
  ])
  assert.deepEqual(await market.balance(buyer), { total: '998.800000', held: '0.000000', available: '998.800000' })
})
