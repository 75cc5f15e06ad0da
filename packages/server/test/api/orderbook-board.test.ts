import assert from 'node:assert/strict'
import { test } from 'vitest'
import { tradersOn } from '../support/fixtures/traders.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const traders = tradersOn(server)
const sku = await traders.sku({ alias: 'board-one', num_vcpus: 93, fee_bps: 0 })
const [seller, buyer] = [await traders.seller(sku, 9), await traders.buyer()]
const hour = 3600
const resting = { allow_standing: true, allow_partial: true }

/** The current hour by the server's clock, which stands still during the test. */
async function stopClock() {
  const { now } = await server.call('freeze_clock')
  return { now, current: now - (now % hour), minute: now - (now % 60) }
}

function board(query: object = {}, token = buyer.token) {
  return server.call('get_orderbook_board', { token, query: { sku: [sku], ...query } })
}

/** Trades one node of the hour from the next one on, at a price. */
async function trade(price: string) {
  const { now } = await server.call('get_clock')
  const start_at = now - (now % hour) + 2 * hour
  for (const [trader, side] of [
    [seller, 'sell'],
    [buyer, 'buy'],
  ] as const) {
    const { status } = await traders.order(trader, sku, { ...resting, side, start_at, nodes: 1, price })
    assert.equal(status, 201)
  }
}

test('get_orderbook_board has the quote of now, trades of past hours and offers of the hours ahead', async () => {
  const { current, minute } = await stopClock()
  const at = (hours: number) => current + hours * hour
  const sell = { ...resting, side: 'sell' }
  const ask = { ...sell, start_at: minute + 60, nodes: 2, price: '1.800000' }
  const made = [
    await traders.order(seller, sku, { ...ask, hours: 4 }),
    await traders.order(seller, sku, { ...sell, start_at: at(2), nodes: 3, price: '1.600000' }),
    await traders.order(buyer, sku, { ...resting, side: 'buy', start_at: at(1), nodes: 1, price: '0.700000' }),
  ]
  assert.deepEqual(
    made.map(({ status }) => status),
    [201, 201, 201],
  )
  const { rows, ...head } = await board({ hours: 8 })
  const edges = { from: at(-8), current_hour_at: current, to: at(8), hours: 8 }
  const { requested_at } = head
  assert.deepEqual(head, { object: 'orderbook_board', ...edges, requested_at, has_more: false })
  const [row] = rows
  assert.deepEqual(row?.sku, await server.call('get_sku', { params: { id: sku as 'sku_' }, token: buyer.token }))
  const { best_ask_dollars_per_node_hour: best, last_price_dollars_per_node_hour: last } = row
  assert.deepEqual([best, last, row.change_bps, row.halted], ['1.800000', null, null, false])
  assert.deepEqual(row.traded_dollars_per_node_hour, new Array(9).fill(null))
  const map = await server.call('get_orderbook_heatmap', {
    token: buyer.token,
    query: { sku: [sku], from: current, to: at(8) },
  })
  const cells = map.rows[0]?.cells ?? []
  assert.deepEqual(
    row.asked_dollars_per_node_hour,
    cells.map((cell) => cell.best_ask_dollars_per_node_hour),
  )
  assert.deepEqual(
    row.offered_node_counts,
    cells.map(({ offered_node_count }) => offered_node_count),
  )
  assert.equal(row.free_node_count, row.offered_node_counts[0])
  assert.deepEqual(row.asked_dollars_per_node_hour.slice(1, 4), ['1.800000', '1.600000', '1.800000'])
  assert.deepEqual(row.offered_node_counts.slice(1, 4), [2, 5, 2])
  // A seller cannot buy what it offers.
  const own = (await board({ hours: 4 }, seller.token)).rows[0]
  assert.deepEqual([own?.offered_node_counts, own?.asked_dollars_per_node_hour[2]], [[0, 0, 0, 0], '1.600000'])
  // What is remembered of the book is not what it was.
  await server.call('cancel_order', { token: seller.token, params: { id: `${made[1]?.body.id}` } })
  assert.deepEqual((await board({ hours: 8 })).rows[0]?.offered_node_counts.slice(1, 4), [2, 2, 2])
  await server.call('cancel_order', { token: seller.token, params: { id: `${made[0]?.body.id}` } })
  await server.call('cancel_order', { token: buyer.token, params: { id: `${made[2]?.body.id}` } })
})

test('the spread and the best prices are those of the next 60 minutes, whatever comes later', async () => {
  const { minute } = await stopClock()
  const near = { start_at: minute + 60, hours: 1, nodes: 1, ...resting }
  const later = { ...near, start_at: minute + 7_200 }
  const made = [
    await traders.order(seller, sku, { ...near, side: 'sell', price: '1.250000' }),
    await traders.order(buyer, sku, { ...near, side: 'buy', price: '1.000000' }),
    await traders.order(buyer, sku, { ...later, side: 'buy', price: '1.100000' }),
  ]
  const row = (await board({ hours: 1 })).rows[0]
  assert.deepEqual(
    [row?.best_ask_dollars_per_node_hour, row?.best_bid_dollars_per_node_hour, row?.spread_dollars_per_node_hour],
    ['1.250000', '1.000000', '0.250000'],
  )
  for (const [index, { token }] of [seller, buyer, buyer].entries()) {
    await server.call('cancel_order', { token, params: { id: `${made[index]?.body.id}` } })
  }
})

test('a price changes against that of a day ago, and each hour has the average of its trades', async () => {
  await trade('2.000000')
  await server.call('advance_clock', { body: { seconds: 26 * hour } })
  await trade('2.400000')
  await trade('2.600000')
  const { current } = await stopClock()
  const { rows, from } = await board()
  const [row] = rows
  assert.deepEqual([row?.last_price_dollars_per_node_hour, row?.change_bps], ['2.600000', 3_000])
  const traded = row?.traded_dollars_per_node_hour ?? []
  assert.deepEqual([traded.length, traded.at(-1), traded[(current - from) / hour - 26]], [169, '2.500000', '2.000000'])
  assert.equal(traded.filter((price) => price !== null).length, 2)
  // The change does not depend on how much is shown.
  assert.equal((await board({ hours: 1 })).rows[0]?.change_bps, 3_000)
})

test('a halt of the SKU or of the market is told in each row that it is about', async () => {
  const quiet = await traders.sku({ alias: 'board-quiet' })
  const halted = async () => {
    const { rows } = await board({ sku: [sku, quiet] })
    return rows.map((row) => row.halted)
  }
  assert.deepEqual(await halted(), [false, false])
  await server.call('halt_market', { body: { sku } })
  assert.deepEqual(await halted(), [true, false])
  await server.call('resume_market', { body: { sku } })
  await server.call('halt_market', { body: {} })
  assert.deepEqual(await halted(), [true, true])
  await server.call('resume_market', { body: {} })
  assert.deepEqual(await halted(), [false, false])
})

test('the rows are SKUs that the caller sees, in the order of the list, at most 32, without retired ones', async () => {
  const many: string[] = []
  for (let index = 0; index < 33; index += 1) many.push(await traders.sku({ num_vcpus: 94, alias: `row-${index}` }))
  const ask = (query: object) => server.call('get_orderbook_board', { token: buyer.token, query })
  const ids = async (query: object) => (await ask(query)).rows.map((row) => row.sku.id)
  const list = await server.call('list_skus', { token: buyer.token, query: { limit: 200 } })
  const ordered = list.data.map(({ id }) => id).filter((id) => many.includes(id))
  assert.deepEqual(await ids({ requirements: 'num_vcpus:94' }), ordered.slice(0, 32))
  assert.equal((await ask({ requirements: 'num_vcpus:94' })).has_more, true)
  assert.deepEqual(await ids({ sku: [many[32], many[0], 'sku_missing'] }), [many[0], many[32]])
  const [, unlisted = '', retired = ''] = many
  await server.call('update_sku', { params: { id: unlisted }, body: { listed: false } })
  await server.call('retire_sku', { params: { id: retired } })
  assert.deepEqual(await ids({ sku: many.slice(0, 4) }), [many[0], many[3]])
  assert.deepEqual(await ids({ requirements: 'num_vcpus:95' }), [])
})
