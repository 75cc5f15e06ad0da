import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const ask = { side: 'sell', allow_standing: true, allow_partial: true } as const
const halt = (body: object) => server.call('halt_market', { body })
const resume = (body: object) => server.call('resume_market', { body })

test('get_market_halt tells the operator what is halted, since when and by whom', async () => {
  const market = await makeMarket(server)
  assert.deepEqual((await server.call('get_market_halt')).halts, [])
  const { now } = await server.call('get_clock')
  await halt({ sku: market.sku, message: 'A switch is replaced.' })
  await halt({ message: 'We move house.' })
  const shown = await server.call('get_market_halt')
  const [whole, one] = shown.halts
  assert.deepEqual([shown.halted, shown.message, shown.halts.length], ['all', 'We move house.', 2])
  assert.deepEqual([whole?.sku, whole?.message], [null, 'We move house.'])
  assert.deepEqual([one?.sku, one?.message], [market.sku, 'A switch is replaced.'])
  for (const { halted_at, halted_by } of shown.halts) {
    assert.ok((halted_at ?? 0) >= now)
    assert.equal(halted_by?.type, 'token')
    assert.ok(halted_by?.name)
  }
  const { token } = await server.account()
  assert.equal((await server.attempt('get_market_halt', { token })).status, 404)
  await resume({})
  await resume({ sku: market.sku })
  assert.deepEqual((await server.call('get_market_halt')).halts, [])
})

test('halt_market of a SKU refuses orders and transfers but not cancellations, until resume_market', async () => {
  const [market, other] = [await makeMarket(server), await makeMarket(server)]
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const order = await market.order(seller, ask)
  const { halts: _, ...shown } = await halt({ sku: market.sku, message: 'A switch is replaced.' })
  assert.deepEqual(shown, {
    object: 'market_halt',
    halted: 'some',
    skus: [market.sku],
    message: 'A switch is replaced.',
  })
  const refused = await server.attempt('create_order', { token: buyer.token, body: market.body(buyer, {}) })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '300')
  assert.match(refused.body.error.message, /A switch is replaced/)
  const pool = (await server.call('create_pool', { token: seller.token, body: {} })).id
  const transfer = {
    from_pool: seller.pool,
    to_pool: pool,
    sku: market.sku,
    allocation_schedule_delta: [{ start_at: market.start, end_at: market.start + hour, node_count: 1 }],
  }
  const moved = await server.attempt('create_pool_transfer', { token: seller.token, body: transfer })
  assert.equal(moved.status, 503)
  assert.ok(moved.headers.get('retry-after'))
  assert.equal((await other.order(await other.buyer(), { allow_standing: true })).state, 'standing')
  assert.equal(await market.cancel(seller, order), 204)
  assert.deepEqual(await resume({ sku: market.sku }), {
    object: 'market_halt',
    halted: 'none',
    skus: [],
    message: null,
    halts: [],
  })
  assert.equal((await market.order(seller, ask)).state, 'standing')
  assert.equal((await market.order(buyer, {})).state, 'filled')
})

test('get_orderbook_status tells buyers of the halt of a SKU and of the market, and since when', async () => {
  const market = await makeMarket(server)
  const { token } = await market.buyer()
  const status = async (sku?: string) => {
    return server.call('get_orderbook_status', { token, query: sku === undefined ? {} : { sku } })
  }
  const none = { halted: false, scope: null, message: null, halted_at: null } as const
  const open = { object: 'orderbook_status', sku: market.sku, ...none }
  assert.deepEqual(await status(market.sku), open)
  const { now } = await server.call('freeze_clock')
  const ofSku = { ...open, halted: true, scope: 'sku', message: 'A switch is replaced.', halted_at: now }
  await halt({ sku: market.sku, message: 'A switch is replaced.' })
  assert.deepEqual(await status(market.sku), ofSku)
  assert.deepEqual(await status(), { ...open, sku: null })
  await server.call('advance_clock', { body: { seconds: 60 } })
  await halt({ sku: market.sku, message: 'A switch is replaced.' })
  assert.deepEqual(await status(market.sku), ofSku)
  await halt({})
  const ofMarket = { ...open, halted: true, scope: 'market', halted_at: now + 60 }
  assert.deepEqual(await status(market.sku), ofMarket)
  await resume({ sku: market.sku })
  assert.deepEqual(await status(), { ...ofMarket, sku: null })
  await resume({})
  assert.deepEqual(await status(market.sku), open)
  await server.call('resume_clock')
  const missing = await server.attempt('get_orderbook_status', { token, query: 'sku=sku_missing' })
  assert.deepEqual([missing.status, missing.body.error.details[0].code], [422, 'sku_not_available'])
})

test('resume_market matches orders that became matchable while the SKU was halted', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(9), await market.buyer()]
  const whole = { allow_standing: true }
  const offer = (nodes: number, price: string) => market.order(seller, { ...whole, side: 'sell', nodes, price })
  // The buy is for five nodes, all or none. The cheapest offer of four prevents a fill by the offers of two and three.
  const cheap = await offer(4, '1.000020')
  const others = [await offer(2, '1.060020'), await offer(3, '1.120020')]
  const request = await market.order(buyer, { ...whole, nodes: 5 })
  assert.equal(request.state, 'standing')
  await halt({ sku: market.sku })
  assert.equal(await market.cancel(seller, cheap), 204)
  await server.settle()
  assert.equal((await market.read(buyer, request)).state, 'standing')
  await resume({ sku: market.sku })
  await server.settle()
  const bought = await market.read(buyer, request)
  assert.equal(bought.state, 'filled')
  for (const other of others) assert.equal((await market.read(seller, other)).state, 'filled')
  assert.deepEqual(
    bought.fills.map((fill) => fill.price_dollars_per_node_hour).sort(),
    others.map((other) => other.limit_price_dollars_per_node_hour),
  )
  assert.deepEqual(await market.history(buyer), [
    'order.created token',
    'order.partially_filled system',
    'order.filled system',
  ])
})

test('a halt of the whole market refuses orders, and resting orders still expire', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const fading = await market.order(buyer, { allow_standing: true, allow_partial: true })
  const { halted, message } = await halt({ message: 'Maintenance.' })
  assert.deepEqual([halted, message], ['all', 'Maintenance.'])
  assert.equal((await market.refused(buyer, {})).status, 503)
  const { now } = await server.call('get_clock')
  await server.advance(market.start + hour - now)
  const ended = await market.read(buyer, fading)
  assert.deepEqual([ended.state, ended.cancel_reason], ['cancelled', 'expired'])
  assert.equal((await market.balance(buyer)).held, '0.000000')
  assert.equal((await resume({})).halted, 'none')
  await server.settle()
  const later = { allow_standing: true, start_at: market.start + 2 * hour }
  assert.equal((await market.order(buyer, later)).state, 'standing')
})

test('only the operator can halt and resume, and only existing SKUs', async () => {
  const { token } = await server.account()
  for (const action of ['halt', 'resume']) {
    const path = `/preview/v2/admin/market/${action}`
    assert.equal((await server.request('POST', path, { token, body: {} })).status, 404)
    const { status, body } = await server.request('POST', path, { body: { sku: 'sku_0000000000000000' } })
    assert.deepEqual([status, body.error.details[0].code], [422, 'reference_not_found'])
  }
})
