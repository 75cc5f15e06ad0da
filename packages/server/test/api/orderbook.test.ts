import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { CallBody } from '../support/calls.ts'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const traders = tradersOn(server)
const sku = await traders.sku()
const seller = await traders.seller(sku, 8)
const buyer = await traders.buyer()
const start_at = await traders.nextHour()
const end_at = start_at + 3600
const standing = { start_at, allow_standing: true, allow_partial: true }
await traders.order(seller, sku, { ...standing, side: 'sell', price: '1.200000', nodes: 2 })
await traders.order(seller, sku, { ...standing, side: 'sell', price: '1.800000', nodes: 3 })
await traders.order(buyer, sku, { ...standing, side: 'buy', price: '0.600000', nodes: 1 })
const window = `start_at=${start_at}&end_at=${end_at}`
const only = `requirements=id:${sku}`

function get(path: string, token = buyer.token) {
  return server.request('GET', path, { token })
}

async function codeOf(path: string): Promise<[number, string]> {
  const { status, body } = await get(path)
  return [status, body.error.details?.[0].code]
}

test('get_orderbook_quote shows the best price of each side, and null for an empty side', async () => {
  const { body } = await get(`/preview/v2/orderbook/quote?${window}&${only}`)
  assert.equal(body.best_ask.price_dollars_per_node_hour, '1.200000')
  assert.equal(body.best_bid.price_dollars_per_node_hour, '0.600000')
  assert.deepEqual(body.best_ask.allocation_schedule_delta, [{ start_at, end_at, node_count: 2 }])
  const later = `start_at=${end_at}&end_at=${end_at + 60}`
  assert.equal((await get(`/preview/v2/orderbook/quote?${later}&${only}`)).body.best_ask, null)
})

test('get_orderbook_depth sums orders by price, best first, up to the requested number of levels', async () => {
  const { body } = await get(`/preview/v2/orderbook/depth?${window}&${only}`)
  assert.deepEqual(
    body.asks.map((level: { price_dollars_per_node_hour: string }) => level.price_dollars_per_node_hour),
    ['1.200000', '1.800000'],
  )
  assert.equal((await get(`/preview/v2/orderbook/depth?${window}&${only}&depth=1`)).body.asks.length, 1)
})

test('list_orderbook_windows counts the resting orders of each delivery window, in pages', async () => {
  const range = `range_start_at=${start_at}&range_end_at=${end_at}`
  const { body } = await get(`/preview/v2/orderbook/windows?${range}&${only}`)
  assert.equal(body.data.length, 1)
  assert.equal(body.data[0].total_ask_order_count, 2)
  assert.equal(body.data[0].total_bid_order_count, 1)
  assert.equal(body.data[0].duration_minutes, 60)
  const next = await get(`/preview/v2/orderbook/windows?${range}&${only}&starting_after=${body.cursor}`)
  assert.deepEqual([next.status, next.body.data, next.body.has_more], [200, [], false])
})

test('create_order_estimate returns the body of an order that fills at the estimated price', async () => {
  const ask = { side: 'buy', sku, start_at, duration_seconds: 3600, node_count: 3, pool: buyer.pool }
  const estimate = await server.attempt('create_order_estimate', { token: buyer.token, body: ask })
  assert.equal(estimate.status, 200)
  assert.equal(estimate.body.type, 'quoted')
  assert.equal(estimate.body.total_dollars, '4.200000')
  assert.equal(estimate.body.post_order_body.limit_price_dollars_per_node_hour, '1.800000')
  const order = await server.call('create_order', { token: buyer.token, body: estimate.body.post_order_body })
  assert.equal(order.state, 'filled')
  assert.equal(order.filled_average_price_dollars_per_node_hour, '1.400000')
})

test('create_order_estimate skips own offers, picks the best SKU and shows the proceeds after the fee', async () => {
  const [poor, rich] = [await traders.sku({ fee_bps: 100, num_vcpus: 77 }), await traders.sku({ num_vcpus: 77 })]
  const [ours, theirs] = [await traders.seller(poor, 2), await traders.buyer()]
  for (const [on, price] of [
    [poor, '1.200000'],
    [rich, '2.400000'],
  ] as const)
    await traders.order(theirs, on, { ...standing, side: 'buy', price, nodes: 1 })
  const estimate = (token: string, body: Partial<CallBody<'create_order_estimate'>> & { side: 'buy' | 'sell' }) => {
    const asked = { start_at, duration_seconds: 3600, node_count: 1, ...body }
    return server.call('create_order_estimate', { token, body: asked })
  }
  const requirements = { num_vcpus: ['77'] }
  const best = await estimate(ours.token, { side: 'sell', requirements })
  assert.deepEqual([best.post_order_body.sku, best.total_dollars], [rich, '2.400000'])
  const one = await estimate(ours.token, { side: 'sell', sku: poor })
  assert.deepEqual([one.fee.total_dollars, one.available_after_dollars], ['0.012000', '1.188000'])
  assert.equal((await estimate(theirs.token, { side: 'sell', sku: poor })).reason, 'no_availability')
})

test('requirements choose by who supplies the hosts and by whether they are simulated', async () => {
  const own = await traders.sku({ num_vcpus: 78, operator_hosts_only: true })
  const other = await traders.sku({ num_vcpus: 78, simulated: true })
  const found = async (requirements: string) => {
    const query = `requirements=${encodeURIComponent(`num_vcpus:78;${requirements}`)}`
    const { data } = await server.call('list_sku_availability', { query, token: buyer.token })
    return data.map((row: { sku: { id: string } }) => row.sku.id)
  }
  assert.deepEqual(await found('operator_hosts_only:true'), [own])
  assert.deepEqual(await found('operator_hosts_only:ne:true'), [other])
  assert.deepEqual(await found('simulated:true'), [other])
  assert.deepEqual(await found('simulated:false'), [own])
  await traders.order(buyer, own, { ...standing, side: 'buy', price: '0.500000' })
  const estimate = (requirements: object) => {
    const body = { side: 'sell', start_at, duration_seconds: 3600, node_count: 1, requirements }
    return server.attempt('create_order_estimate', { token: seller.token, body })
  }
  const best = await estimate({ num_vcpus: ['78'], operator_hosts_only: ['true'] })
  assert.equal(best.body.post_order_body.sku, own)
  const none = await estimate({ num_vcpus: ['78'], operator_hosts_only: ['true'], simulated: ['true'] })
  assert.equal(none.body.reason, 'no_matching_skus')
  const wrong = await estimate({ simulated: ['perhaps'] })
  const [detail] = wrong.body.error.details
  assert.deepEqual([wrong.status, detail.code, detail.field], [400, 'invalid_format', 'requirements.simulated'])
  assert.match(detail.message, /simulated is true or false/)
  assert.deepEqual(await codeOf(`/v2/skus/availability?requirements=operator_hosts_only:yes`), [400, 'invalid_format'])
})

test('an estimate that is unavailable says how many nodes are free, and the nearest windows with all', async () => {
  const sku = await traders.sku()
  const [offers, hour] = [await traders.seller(sku, 5), 3600]
  const sell = (nodes: number, from: number, hours: number) =>
    traders.order(offers, sku, {
      ...standing,
      side: 'sell',
      price: '1.500000',
      nodes,
      hours,
      start_at: start_at + from,
    })
  await sell(2, 0, 4)
  await sell(3, 2 * hour, 1)
  const estimate = (body: Partial<CallBody<'create_order_estimate'>> & { node_count: number }) => {
    const asked = { side: 'buy', sku, start_at, duration_seconds: hour, ...body } as const
    return server.call('create_order_estimate', { token: buyer.token, body: asked })
  }
  const missed = await estimate({ node_count: 4 })
  assert.deepEqual([missed.type, missed.reason, missed.free_node_count], ['unavailable', 'no_availability', 2])
  const found = { sku, start_at: start_at + 2 * hour, end_at: start_at + 3 * hour, node_count: 4 }
  assert.deepEqual(missed.nearest_windows, [found])
  // The date of the end is shown if it is another one: late in the evening.
  assert.match(
    missed.message,
    /^Only 2 of 4 nodes are offered for the whole window \(20.* UTC\)\. All 4 are: 20.* – (?:20[\d-]+ )?[\d:]+\.$/,
  )
  assert.equal((await estimate({ sku, start_at: found.start_at, node_count: 4 })).type, 'quoted')
  const dear = await estimate({ node_count: 1, limit_price_dollars_per_node_hour: '1.00' })
  assert.equal(dear.reason, 'no_offer_at_price')
  assert.equal(dear.message, '1 node is not offered at 1.000000 dollars per node-hour, only at prices up to 1.500000.')
  const none = await estimate({ node_count: 9 })
  assert.deepEqual([none.free_node_count, none.nearest_windows], [2, []])
  assert.match(none.message, /No other window of this length in the 14 days after it has all 9\.$/)
})

test('create_order_estimate shows why there is no quote, and refuses invalid requests', async () => {
  const ask = { side: 'buy', sku, start_at, duration_seconds: 3600, node_count: 1000 }
  const post = (body: object) => server.attempt('create_order_estimate', { token: buyer.token, body })
  assert.equal((await post(ask)).body.reason, 'no_availability')
  const { sku: _sku, ...any } = ask
  assert.equal((await post({ ...any, requirements: { num_vcpus: ['9999'] } })).body.reason, 'no_matching_skus')
  const cases: [object, number, string][] = [
    [{ ...ask, duration_seconds: 90 }, 400, 'not_aligned'],
    [{ ...ask, requirements: {} }, 422, 'mutually_exclusive'],
    [{ ...ask, start_at: 60 }, 422, 'in_the_past'],
    [{ ...ask, start_at: start_at + 4 * 365 * 86_400 }, 422, 'beyond_horizon'],
    [{ ...ask, sku: 'sku_missing' }, 422, 'sku_not_available'],
    [{ ...ask, pool: 'pool_missing' }, 422, 'reference_not_found'],
    [{ ...ask, side: 'sell', node_count: 10_001 }, 400, 'out_of_range'],
  ]
  for (const [body, status, code] of cases) {
    const response = await post(body)
    assert.deepEqual([response.status, response.body.error?.details[0].code], [status, code], JSON.stringify(body))
  }
  const bySupply = await server.attempt('create_order_estimate', {
    token: seller.token,
    body: { ...ask, pool: seller.pool },
  })
  assert.equal(bySupply.body.error.details[0].code, 'pool_kind_not_allowed')
})

test('list_orderbook_fills and list_price_history show fills without their parties', async () => {
  const { body } = await get(`/preview/v2/orderbook/fills?${window}&${only}`)
  assert.ok(body.data.length >= 2)
  assert.ok(!JSON.stringify(body).includes(buyer.id) && !JSON.stringify(body).includes('ordr_'))
  const first = await get(`/preview/v2/orderbook/fills?${window}&${only}&limit=1`)
  const next = await get(`/preview/v2/orderbook/fills?${window}&${only}&limit=1&starting_after=${first.body.cursor}`)
  assert.notDeepEqual(next.body.data, first.body.data)
  const history = await get(`/preview/v2/orderbook/price_history?sku=${sku}&interval=minute&since=${start_at - 7200}`)
  assert.equal(history.status, 200)
  assert.equal(history.body.data[0].low_price_dollars_per_node_hour, '1.200000')
  assert.equal(history.body.data[0].vwap_price_dollars_per_node_hour, '1.400000')
})

test('list_orderbook_fills says which side came later and took the price of the other', async () => {
  const resting = { start_at: start_at + 7200, nodes: 1, allow_standing: true }
  const first = { ...resting, price: '1.310000' }
  await traders.order(seller, sku, { ...first, side: 'sell' })
  await traders.order(buyer, sku, { ...resting, side: 'buy', price: '1.350000' })
  await traders.order(buyer, sku, { ...first, side: 'buy' })
  await traders.order(seller, sku, { ...resting, side: 'sell', price: '1.290000' })
  const later = `start_at=${start_at + 7200}&end_at=${start_at + 10800}`
  const { body } = await get(`/preview/v2/orderbook/fills?${later}&${only}`)
  const shown = body.data.map((fill: any) => [fill.price_dollars_per_node_hour, fill.taker_side])
  assert.deepEqual(shown.toSorted(), [
    ['1.310000', 'buy'],
    ['1.310000', 'sell'],
  ])
})

test('market data operations refuse invalid windows', async () => {
  const book = '/preview/v2/orderbook'
  assert.deepEqual(await codeOf(`${book}/quote?start_at=${end_at}&end_at=${start_at}`), [400, 'invalid_range'])
  assert.deepEqual(await codeOf(`${book}/quote?start_at=1&end_at=${end_at}`), [400, 'not_aligned'])
  assert.deepEqual(await codeOf(`${book}/fills?${window}&since_at=1`), [422, 'too_old'])
  assert.deepEqual(await codeOf(`${book}/price_history?since=30&until=60`), [400, 'not_aligned'])
  assert.deepEqual(await codeOf(`${book}/price_history?since=3600&until=3600`), [400, 'invalid_range'])
  const long = await codeOf(`${book}/price_history?interval=minute&since=0&until=6000000`)
  assert.deepEqual(long, [422, 'range_too_long'])
  const both = await codeOf(`${book}/price_history?sku=${sku}&requirements=num_vcpus:8`)
  assert.deepEqual(both, [422, 'mutually_exclusive'])
  assert.deepEqual(await codeOf(`${book}/depth?${window}&requirements=nothing:1`), [400, 'invalid_format'])
  assert.equal(
    (await codeOf(`${book}/windows?range_start_at=0&range_end_at=60&starting_after=winc_x`))[1],
    'invalid_cursor',
  )
})

test('list_sku_availability and get_sku_availability exclude own offers', async () => {
  const seen = await get(`/v2/skus/${sku}/availability?${window}`)
  assert.deepEqual(seen.body.schedule, [{ start_at, end_at, node_count: 2 }])
  assert.deepEqual((await get(`/v2/skus/${sku}/availability?${window}`, seller.token)).body.schedule, [])
  const list = await get(`/v2/skus/availability?id=${sku}&${window}`)
  assert.deepEqual(list.body.data, [seen.body])
  assert.equal((await get('/v2/skus/sku_missing/availability')).status, 404)
  assert.deepEqual(await codeOf(`/v2/skus/${sku}/availability?start_at=${end_at}&end_at=${start_at}`), [
    400,
    'invalid_range',
  ])
  const ends = `starting_after=${list.body.cursor}&ending_before=${list.body.cursor}`
  assert.equal((await codeOf(`/v2/skus/availability?${ends}`))[1], 'mutually_exclusive')
})

test('explain_order shows why an order rests, the distance to the other side, and what ended it', async () => {
  const { body: bid } = await traders.order(buyer, sku, { ...standing, side: 'buy', price: '0.300000', nodes: 1 })
  const { body } = await get(`/preview/v2/explain/orders/${bid.id}`)
  assert.ok(body.reasons.some(({ code }: { code: string }) => code === 'price_gap'))
  assert.equal(body.nearest.price_dollars_per_node_hour, '1.800000')
  assert.equal(body.nearest.gap_dollars_per_node_hour, '1.500000')
  assert.equal(body.ahead.order_count, 1)
  await server.call('cancel_order', { params: { id: bid.id }, token: buyer.token })
  const ended = (await get(`/preview/v2/explain/orders/${bid.id}`)).body
  assert.equal(ended.reasons[0].code, 'cancelled')
  assert.equal(ended.summary, 'The order was cancelled (user): a request cancelled it.')
  const { body: missed } = await traders.order(buyer, sku, { start_at, side: 'buy', price: '0.300000', nodes: 1 })
  assert.match((await get(`/preview/v2/explain/orders/${missed.id}`)).body.summary, /does not allow standing/)
  assert.equal((await get(`/preview/v2/explain/orders/${bid.id}`, seller.token)).status, 404)
})

test('maintenance: create_maintenance_window, list_maintenance_windows, delete_maintenance_window', async () => {
  const path = '/preview/v2/admin/maintenance_windows'
  const notice = {
    start_at,
    end_at,
    maintenance_type: 'info',
    title: 'Cooling',
    description: 'Half a day.',
    sku: [sku],
  } as const
  const made = await server.call('create_maintenance_window', { body: notice })
  const ask = { side: 'buy', sku, start_at, duration_seconds: 3600, node_count: 1 } as const
  const estimate = await server.call('create_order_estimate', { token: buyer.token, body: ask })
  assert.equal(estimate.notices[0].title, 'Cooling')
  assert.deepEqual((await server.call('list_maintenance_windows')).data, [made])
  assert.equal(
    (await server.attempt('create_maintenance_window', { body: { ...notice, end_at: start_at } })).status,
    400,
  )
  assert.equal(
    (await server.attempt('create_maintenance_window', { body: { ...notice, sku: ['sku_missing'] } })).status,
    422,
  )
  await server.call('delete_maintenance_window', { params: { id: made.id } })
  assert.equal((await server.attempt('delete_maintenance_window', { params: { id: made.id } })).status, 404)
  assert.equal((await get(path)).status, 404)
})

test('list_price_history supports CSV, in pages', async () => {
  const [sku, start_at] = [await traders.sku(), await traders.nextHour()]
  const [from, to] = [await traders.seller(sku, 4), await traders.buyer()]
  for (const price of ['1.800000', '1.900000']) {
    await server.advance(60)
    await traders.order(from, sku, { start_at, side: 'sell', price, nodes: 1, allow_standing: true })
    await traders.order(to, sku, { start_at, side: 'buy', price, nodes: 1 })
  }
  const path = `/preview/v2/orderbook/price_history?sku=${sku}&interval=minute`
  const asCsv = (address: string, accept = 'text/csv') => {
    return server.request('GET', address, { token: buyer.token, headers: { accept } })
  }
  const { body } = await get(path)
  assert.ok(body.data.length >= 2, `${body.data.length} buckets`)
  const { object: _, ...bucket } = body.data[0]
  const whole = await asCsv(path)
  assert.equal(whole.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.match(whole.headers.get('vary') ?? '', /accept/i)
  const [head, first, ...rest] = whole.text.split('\r\n')
  assert.equal(head, Object.keys(bucket).join(','))
  assert.equal(first, Object.values(bucket).join(','))
  assert.equal(rest.length, body.data.length)
  assert.equal(whole.headers.get('link'), null)
  const one = await asCsv(`${path}&limit=1`)
  const [, next = ''] = /^<(.+)>; rel="next"$/.exec(one.headers.get('link') ?? '') ?? []
  assert.equal((await asCsv(next)).text.split('\r\n')[1], rest[0])
  assert.equal((await asCsv(path, 'application/json, text/csv;q=0.5')).body.object, 'list')
  const refused = await asCsv(`${path}&since=1`)
  assert.deepEqual([refused.status, refused.body.error.type], [400, 'invalid_request_error'])
})
