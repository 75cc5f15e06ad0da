import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const ask = { side: 'sell', allow_standing: true, allow_partial: true } as const
const bid = { side: 'buy', allow_standing: true, allow_partial: true } as const

/** Moves the clock to a moment. */
async function goTo(at: number): Promise<void> {
  const { now } = await server.call('get_clock')
  await server.advance(at - now)
}

test('a past minute leaves a partial order and frees its share of held money and promised nodes', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(2), await market.buyer('10.000000')]
  const want = await market.order(buyer, { ...bid, nodes: 1, minutes: 10, price: '0.600000' })
  const offer = await market.order(seller, { ...ask, nodes: 2, minutes: 10, price: '1.200000' })
  assert.equal((await market.balance(buyer)).held, '0.100000')
  await goTo(market.start + 3 * 60)
  assert.equal((await market.balance(buyer)).held, '0.070000')
  assert.equal((await market.read(buyer, want)).held_dollars, '0.070000')
  assert.equal((await market.read(buyer, want)).state, 'standing')
  // Both nodes are promised from now on, but no longer in the past minutes.
  const short = await market.refused(seller, { side: 'sell', nodes: 1, start_at: market.start + 300, minutes: 1 })
  assert.equal(short.code, 'insufficient_allocation')
  await market.cancel(seller, offer)
  const met = { side: 'sell', nodes: 1, start_at: market.start + 300, minutes: 1, price: '0.600000' } as const
  assert.equal((await market.order(seller, met)).state, 'filled')
  const partly = await market.read(buyer, want)
  assert.deepEqual([partly.state, partly.held_dollars], ['partially_filled', '0.060000'])
})

test('an all-or-nothing order expires with its first minute, a partial one with its last; fills remain', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const whole = await market.order(buyer, { ...bid, allow_partial: false, nodes: 1, price: '0.600000' })
  const part = await market.order(buyer, { ...bid, nodes: 1, minutes: 3 })
  await market.order(seller, { side: 'sell', nodes: 1, start_at: market.start + 60, minutes: 1 })
  await goTo(market.start + 60)
  const first = await market.read(buyer, whole)
  assert.deepEqual([first.state, first.cancel_reason], ['cancelled', 'expired'])
  assert.equal(first.cancelled_at, market.start + 60)
  assert.equal((await market.read(buyer, part)).state, 'partially_filled')
  await goTo(market.start + 180)
  const last = await market.read(buyer, part)
  assert.deepEqual([last.state, last.cancel_reason, last.fills.length], ['cancelled', 'expired', 1])
  assert.deepEqual(await market.balance(buyer), { total: '999.980000', held: '0.000000', available: '999.980000' })
  assert.deepEqual((await market.history(buyer)).slice(2), [
    'order.partially_filled system',
    'order.cancelled system',
    'order.cancelled system',
  ])
})

test('an order cancelled just after one of its minutes has passed frees all held money', async () => {
  const market = await makeMarket(server, {})
  const buyer = await market.buyer('10.000000')
  const orders = await Promise.all([1, 2, 3].map(() => market.order(buyer, { ...bid, nodes: 1, minutes: 5 })))
  await goTo(market.start + 61)
  for (const order of orders) assert.equal(await market.cancel(buyer, order), 204)
  assert.deepEqual(await market.balance(buyer), { total: '10.000000', held: '0.000000', available: '10.000000' })
})

test('a retired SKU and a frozen account have their open orders cancelled and new ones refused', async () => {
  const [market, other] = [await makeMarket(server, {}), await makeMarket(server, {})]
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const later = { start_at: market.start + 5 * hour }
  const offer = await market.order(seller, { ...ask, ...later })
  const away = await other.order(buyer, { ...bid, ...later })
  await server.call('retire_sku', { params: { id: market.sku } })
  await server.settle()
  const retired = await market.read(seller, offer)
  assert.deepEqual([retired.state, retired.cancel_reason], ['cancelled', 'sku_retired'])
  assert.deepEqual(await market.history(seller), ['order.created token', 'order.cancelled system'])
  assert.equal((await market.refused(buyer, { ...bid, ...later })).code, 'sku_not_available')
  await server.call('restore_sku', { params: { id: market.sku } })
  const again = await market.order(buyer, { ...bid, ...later })
  await server.call('freeze_account', { params: { account: buyer.id } })
  await server.settle()
  for (const order of [away, again]) {
    const frozen = await market.read(buyer, order)
    assert.deepEqual([frozen.state, frozen.cancel_reason], ['cancelled', 'account_frozen'])
  }
  assert.equal((await market.balance(buyer)).held, '0.000000')
  assert.equal((await market.refused(buyer, { ...bid, ...later })).status, 403)
})

test('the limits open_orders and reserved_node_hours are enforced, and their usage is shown', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const put = (name: string, value: number) =>
    server.call('put_account_limit', { params: { account: buyer.id, name }, body: { value } })
  const later = { start_at: market.start + 10 * hour }
  await put('open_orders', 1)
  const order = await market.order(buyer, { ...bid, ...later, nodes: 1, price: '0.600000' })
  const refused = await market.refused(buyer, { ...bid, ...later, nodes: 1 })
  assert.deepEqual([refused.status, refused.code], [422, 'limit_exceeded'])
  assert.match(refused.message, /open_orders/)
  const { used } = await server.call('get_limit', { params: { name: 'open_orders' }, token: buyer.token })
  assert.equal(used, 1)
  await put('open_orders', 10)
  await put('reserved_node_hours', 3)
  assert.match((await market.refused(buyer, { ...bid, ...later, nodes: 3 })).message, /reserved_node_hours/)
  await market.order(seller, { ...ask, ...later, nodes: 2 })
  assert.equal((await market.order(buyer, { ...later, nodes: 1 })).state, 'filled')
  assert.match((await market.refused(buyer, { ...bid, ...later, nodes: 2 })).message, /reserved_node_hours/)
  const reserved = async () => {
    return (await server.call('get_limit', { params: { name: 'reserved_node_hours' }, token: buyer.token })).used
  }
  assert.equal(await reserved(), 2)
  await market.cancel(buyer, order)
  assert.equal(await reserved(), 1)
  assert.equal((await market.order(buyer, { ...bid, ...later, nodes: 2, price: '0.600000' })).state, 'standing')
  assert.equal(await reserved(), 3)
})

test('create_order: concurrent orders do not exceed reserved_node_hours', async () => {
  const market = await makeMarket(server, {})
  const seller = await market.seller(40)
  // Orders of four buyers in turns: whatever the batches are, one of them has more orders of a buyer than may pass.
  const buyers = await Promise.all([1, 2, 3, 4].map(() => market.buyer()))
  for (const { id } of buyers) {
    await server.call('put_account_limit', { params: { account: id, name: 'reserved_node_hours' }, body: { value: 3 } })
  }
  const later = { start_at: market.start + 10 * hour }
  await market.order(seller, { ...ask, ...later, nodes: 40 })
  const requests = Array.from({ length: 8 }, () => buyers).flat()
  const responses = await Promise.all(
    requests.map(async (buyer) => {
      const body = market.body(buyer, { ...later, nodes: 1 })
      const { status } = await server.attempt('create_order', { token: buyer.token, body })
      return { buyer, status }
    }),
  )
  for (const buyer of buyers) {
    const own = responses.filter((one) => one.buyer === buyer).map(({ status }) => status)
    assert.deepEqual(own.sort(), [201, 201, 201, ...Array(5).fill(422)])
  }
})

test('freezing an account does not delay concurrent orders of other accounts', async () => {
  const market = await makeMarket(server, {})
  const [frozen, ...others] = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => market.buyer()))
  const rest = { ...bid, nodes: 1, price: '0.000060' }
  const freeze = (name: 'freeze_account' | 'unfreeze_account') =>
    server.call(name, { params: { account: `${frozen?.id}` } })
  const responses: number[] = []
  let isOver = false
  const streams = others.map(async (buyer) => {
    while (!isOver) {
      const body = market.body(buyer, rest)
      const { status, body: order } = await server.attempt('create_order', { token: buyer.token, body })
      responses.push(status)
      if (status === 201) responses.push(await market.cancel(buyer, order))
    }
  })
  const { token } = frozen as (typeof others)[number]
  const body = market.body(frozen as (typeof others)[number], rest)
  const isTaken = async () => (await server.attempt('create_order', { token, body })).status === 201
  try {
    for (let round = 0; round < 5; round++) {
      // Rights are cached for two seconds, so the first orders after an unfreeze can be refused.
      await eventually('the account may order', isTaken)
      await freeze('freeze_account')
      await server.settle()
      await freeze('unfreeze_account')
    }
  } finally {
    isOver = true
    await Promise.all(streams)
  }
  assert.deepEqual([...new Set(responses)].sort(), [201, 204])
})
