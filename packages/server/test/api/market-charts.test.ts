import assert from 'node:assert/strict'
import { test } from 'vitest'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const traders = tradersOn(server)
const sku = await traders.sku({ num_vcpus: 91, fee_bps: 0 })
const [seller, buyer] = [await traders.seller(sku, 9), await traders.buyer()]
const hour = 3600
const start_at = await traders.nextHour()
const at = (hours: number) => start_at + hours * hour
const resting = { allow_standing: true, allow_partial: true }
const sell = (from: number, hours: number, nodes: number, price: string, more: object = {}) =>
  traders.order(seller, sku, { ...resting, side: 'sell', start_at: at(from), hours, nodes, price, ...more })
await sell(0, 4, 2, '1.200000')
await sell(1, 2, 3, '1.800000')
await sell(3, 2, 4, '2.400000', { allow_partial: false })
await traders.order(buyer, sku, { ...resting, side: 'buy', start_at: at(2), hours: 2, nodes: 1, price: '0.700000' })
const small = { side: 'buy', start_at: at(6), hours: 1, nodes: 1 }
await sell(6, 2, 1, '3.000000')
await traders.order(buyer, sku, { ...small, price: '3.000000' })
await sell(6, 1, 1, '2.900000')
await traders.order(buyer, sku, { ...small, price: '3.000000' })

type ChartQuery = Readonly<Record<string, string | number>>
function ask(what: string, query: ChartQuery, token = buyer.token) {
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return server.request('GET', `/preview/v2/orderbook/${what}?${text.join('&')}`, { token })
}

test('get_orderbook_curve: each point is the order estimate and the quote of its window', async () => {
  const counts = { priced: 0, missing: 0 }
  for (const { node_count, length, trader } of [
    { node_count: 1, length: 60, trader: buyer },
    { node_count: 4, length: 120, trader: buyer },
    { node_count: 1, length: 30, trader: seller },
  ]) {
    const shape = { sku, from: at(-1), to: at(7), step_minutes: 60, length_minutes: length, node_count }
    const { status, body } = await ask('curve', shape, trader.token)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.points.length, 8)
    for (const [index, point] of body.points.entries()) {
      const window = { start_at: at(index - 1), end_at: at(index - 1) + length * 60 }
      assert.deepEqual({ start_at: point.start_at, end_at: point.end_at }, window)
      const asked = { side: 'buy', sku, start_at: point.start_at, duration_seconds: length * 60, node_count }
      const post = { token: trader.token, body: asked }
      const estimate = (await server.attempt('create_order_estimate', post)).body
      const { average_price_dollars_per_node_hour: average, limit_price_dollars_per_node_hour: limit } = point
      assert.equal(average, estimate.average_price_dollars_per_node_hour ?? null)
      assert.equal(limit, estimate.post_order_body?.limit_price_dollars_per_node_hour ?? null)
      const quote = (await ask('quote', { ...window, requirements: `id:${sku}` })).body
      const isOver = estimate.error !== undefined
      assert.equal(point.best_ask_dollars_per_node_hour, isOver ? null : priceOf(quote.best_ask))
      assert.equal(point.best_bid_dollars_per_node_hour, isOver ? null : priceOf(quote.best_bid))
      counts[average === null ? 'missing' : 'priced'] += 1
    }
  }
  assert.ok(counts.priced > 4 && counts.missing > 4, JSON.stringify(counts))
})

test('get_orderbook_curve counts the nodes that others offer in every minute', async () => {
  const { body } = await ask('curve', { sku, from: at(0), to: at(6), length_minutes: 120 })
  const offered = (response: any) => response.points.map((point: any) => point.offered_node_count)
  assert.deepEqual(offered(body), [2, 5, 5, 4, 0, 0])
  assert.deepEqual(offered((await ask('curve', { sku, from: at(0), to: at(2) }, seller.token)).body), [0, 0])
})

test('get_orderbook_curve has 48 windows of an hour from now on, and no price where a window has begun', async () => {
  const { body } = await ask('curve', { sku })
  assert.equal(body.points.length, 48)
  assert.deepEqual([body.node_count, body.length_minutes, body.step_minutes], [1, 60, 60])
  assert.ok(body.from <= body.requested_at && body.from > body.requested_at - 60)
  const past = (await ask('curve', { sku, from: start_at - 24 * hour, to: start_at - 22 * hour })).body
  assert.deepEqual(past.points[0], {
    start_at: start_at - 24 * hour,
    end_at: start_at - 23 * hour,
    average_price_dollars_per_node_hour: null,
    limit_price_dollars_per_node_hour: null,
    best_bid_dollars_per_node_hour: null,
    best_ask_dollars_per_node_hour: null,
    offered_node_count: 0,
  })
  const fresh = await traders.sku()
  assert.equal((await ask('curve', { sku: fresh })).body.points[47].offered_node_count, 0)
})

test('get_orderbook_heatmap: each cell is the quote, the availability and the newest trade of its window', async () => {
  const { body } = await ask('heatmap', { sku, from: at(-3), to: at(8), step_minutes: 90 })
  assert.deepEqual([body.rows.length, body.has_more, body.rows[0].sku.id], [1, false, sku])
  const cells = body.rows[0].cells
  assert.equal(cells.length, 8)
  for (const cell of cells) {
    const window = { start_at: cell.start_at, end_at: cell.end_at }
    assert.equal(cell.end_at - cell.start_at, 90 * 60)
    const quote = (await ask('quote', { ...window, requirements: `id:${sku}` })).body
    assert.equal(cell.best_ask_dollars_per_node_hour, priceOf(quote.best_ask))
    const fills = (await ask('fills', { ...window, requirements: `id:${sku}`, limit: 1 })).body
    assert.equal(cell.last_price_dollars_per_node_hour, priceOf(fills.data[0] ?? null))
  }
  const last = cells.map((cell: any) => cell.last_price_dollars_per_node_hour)
  assert.deepEqual(last, [null, null, null, null, null, null, '2.900000', null])
  assert.deepEqual(
    cells.map((cell: any) => cell.offered_node_count),
    [0, 0, 2, 5, 4, 0, 0, 0],
  )
})

test('get_orderbook_heatmap has a row for each SKU that fits, by id, at most 16', async () => {
  const many: string[] = []
  for (let index = 0; index < 17; index += 1) many.push(await traders.sku({ num_vcpus: 92 }))
  const ids = (response: any) => response.rows.map((row: any) => row.sku.id)
  const fitting = (await ask('heatmap', { requirements: 'num_vcpus:92', to: at(1) })).body
  assert.deepEqual([ids(fitting), fitting.has_more], [many.toSorted().slice(0, 16), true])
  const named = [many[16], sku, 'sku_missing'].map((id) => `sku=${id}`).join('&')
  const chosen = await server.attempt('get_orderbook_heatmap', { query: named, token: buyer.token })
  assert.deepEqual([ids(chosen.body), chosen.body.has_more], [[many[16], sku].toSorted(), false])
})

test('the cell of the current time is about the rest of its window', async () => {
  const now = (await server.call('get_clock')).now
  const own = await traders.sku()
  const other = await traders.seller(own, 2)
  await server.advance(120)
  const from = Math.floor(now / 60) * 60 - 600
  const begun = Math.ceil((now + 120) / 60) * 60
  await traders.order(other, own, { ...resting, side: 'sell', start_at: begun, hours: 2, nodes: 2, price: '1.500000' })
  await server.advance(120)
  const { body } = await ask('heatmap', { sku: own, from, to: from + 2 * hour })
  const [first] = body.rows[0].cells
  assert.deepEqual([first.offered_node_count, first.best_ask_dollars_per_node_hour], [2, '1.500000'])
})

test('the charts refuse what they cannot draw', async () => {
  const cases: [string, ChartQuery, number, string, string][] = [
    ['curve', { sku, from: at(1), to: at(1) }, 400, 'invalid_range', 'to'],
    ['curve', { sku, from: at(0) + 1 }, 400, 'not_aligned', 'from'],
    ['curve', { sku, from: at(0), to: at(337) }, 422, 'range_too_long', 'to'],
    ['curve', { sku, from: at(0), to: at(367 * 24), step_minutes: 1_440 }, 422, 'range_too_long', 'to'],
    ['curve', { sku, from: at(0), to: at(11), length_minutes: 44_640 }, 422, 'range_too_long', 'to'],
    ['curve', { sku, node_count: 10_001 }, 400, 'out_of_range', 'node_count'],
    ['curve', { sku, length_minutes: 44_641 }, 400, 'out_of_range', 'length_minutes'],
    ['curve', { sku: 'sku_missing' }, 422, 'sku_not_available', 'sku'],
    ['curve', {}, 400, 'required', 'sku'],
    ['heatmap', { from: at(0), to: at(337) }, 422, 'range_too_long', 'to'],
    ['heatmap', { from: at(2), to: at(1) }, 400, 'invalid_range', 'to'],
    ['heatmap', { step_minutes: 0 }, 400, 'out_of_range', 'step_minutes'],
  ]
  for (const [what, query, status, code, field] of cases) {
    const { status: found, body } = await ask(what, query)
    assert.deepEqual([found, body.error.details[0].code, body.error.details[0].field], [status, code, field])
  }
  const { body } = await ask('heatmap', { step_minutes: 44_640 })
  assert.equal(body.rows[0].cells.length, 12)
})

function priceOf(level: { price_dollars_per_node_hour: string } | null): string | null {
  return level?.price_dollars_per_node_hour ?? null
}
