import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import { makeMarket, type Party } from '../support/fixtures/market.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { procurementsOn } from '../support/fixtures/procurements.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const path = '/preview/v2/procurements'

/** A market with a frozen clock at the start of a minute, so that nothing changes during a test. */
async function makeProcuredMarket(properties?: object) {
  await server.call('freeze_clock')
  const market = await makeMarket(server, properties)
  const { now } = await server.call('get_clock')
  await server.advance(60 - (now % 60))
  return { market, procurements: procurementsOn(server, market) }
}

async function runningMinute(): Promise<number> {
  return Math.floor((await server.call('get_clock')).now / 60)
}

/** The capacity of a pool as [nodes, from, to], in minutes from the current one; null means no end. */
async function ownedBy(market: Awaited<ReturnType<typeof makeMarket>>, party: Party) {
  const running = await runningMinute()
  return (await market.owned(party)).map(({ node_count, start_at, end_at }) => {
    return [node_count, start_at / 60 - running, end_at === null ? null : end_at / 60 - running]
  })
}

async function topUp({ id }: Party, amountDollars: string): Promise<void> {
  await grantCredit(server, id, amountDollars)
}

async function refusal(party: { token: string }, method: string, to: string, body?: object) {
  const { status, body: response } = await server.request(method, to, { token: party.token, body })
  const [detail] = response?.error?.details ?? []
  return [status, detail?.code ?? response?.error?.type, detail?.field]
}

test('create_procurement buys the missing nodes of each minute of the window, up to its price', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, dear, buyer] = [await market.seller(1), await market.seller(4), await market.buyer()]
  await server.advance(60)
  const start_at = (await runningMinute()) * 60
  const ask = { side: 'sell', allow_standing: true, allow_partial: true, start_at, minutes: 240 } as const
  await market.order(seller, { ...ask, nodes: 1, price: '0.600000' })
  await market.order(dear, { ...ask, nodes: 4, price: '1.260000' })
  const made = await procurements.make(buyer, { name: 'keep' })
  assert.equal(made.object, 'procurement')
  assert.equal(made.resource_path, `svc:procurement:${buyer.id}:default:keep`)
  assert.deepEqual([made.target, made.managed_window_minutes, made.enabled], [2, 60, true])
  assert.equal(made.max_buy_price_dollars_per_node_hour, '1.200000')
  assert.equal(made.min_sell_price_dollars_per_node_hour, '3.000000')
  assert.deepEqual(await ownedBy(market, buyer), [[1, 1, 61]])
  const [order, ...others] = await procurements.managed(buyer, made)
  assert.deepEqual(others, [])
  assert.equal(order.state, 'partially_filled')
  assert.deepEqual([order.allow_standing, order.allow_partial], [true, true])
  assert.equal(order.limit_price_dollars_per_node_hour, '1.200000')
  assert.deepEqual(order.created_by, { type: 'system' })
  assert.deepEqual(order.managed_by, {
    object: 'procurement',
    id: made.id,
    name: 'keep',
    resource_path: made.resource_path,
  })
  assert.equal(order.fills[0].price_dollars_per_node_hour, '0.600000')
  const { status } = await procurements.read(buyer, made)
  assert.deepEqual([status.state, status.code], ['info', 'no_offer_at_price'])
  assert.match(status.message, /^60 node-minutes/)
  assert.deepEqual(await market.history(buyer), ['order.created system', 'order.partially_filled system'])
  await assertAuditsPass(server)
})

test('orders that match an offer are filled at once, and the status shows it', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await server.advance(60)
  const start_at = (await runningMinute()) * 60
  await market.order(seller, {
    side: 'sell',
    allow_standing: true,
    allow_partial: true,
    start_at,
    minutes: 240,
    nodes: 4,
  })
  const made = await procurements.make(buyer)
  assert.deepEqual(await ownedBy(market, buyer), [[2, 1, 61]])
  assert.deepEqual(await procurements.open(buyer, made), [])
  assert.deepEqual(await market.history(buyer), ['order.created system', 'order.filled system'])
  const { status } = await procurements.read(buyer, made)
  assert.deepEqual([status.state, status.code], ['info', 'ok'])
})

test('the window advances: nothing is bought twice, and its end is extended in steps', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await server.advance(60)
  const start_at = (await runningMinute()) * 60
  await market.order(seller, {
    side: 'sell',
    allow_standing: true,
    allow_partial: true,
    start_at,
    minutes: 600,
    nodes: 4,
  })
  const made = await procurements.make(buyer)
  assert.deepEqual(await ownedBy(market, buyer), [[2, 1, 61]])
  await server.advance(14 * 60)
  assert.deepEqual(await ownedBy(market, buyer), [[2, 0, 47]])
  await server.advance(60)
  assert.deepEqual(await ownedBy(market, buyer), [[2, 0, 61]])
  await server.advance(120 * 60)
  assert.deepEqual(await ownedBy(market, buyer), [[2, 0, 61]])
  const all = await procurements.managed(buyer, made, ['filled', 'cancelled', 'standing', 'partially_filled'])
  assert.equal(all.length, 10)
  await assertAuditsPass(server)
})

test('surplus capacity is offered at the minimum price and sold to higher bids', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, owner, bidder] = [await market.seller(4), await market.buyer(), await market.buyer()]
  await server.advance(60)
  const start_at = (await runningMinute()) * 60
  const window = { start_at, minutes: 240 }
  await market.order(seller, { side: 'sell', allow_standing: true, nodes: 4, ...window })
  await market.order(owner, { nodes: 4, ...window })
  await market.order(bidder, { nodes: 1, price: '4.200000', allow_standing: true, allow_partial: true, ...window })
  const made = await procurements.make(owner, { target: 1 })
  // One node is sold at the resting bid; the others are offered at the minimum price.
  assert.deepEqual(await ownedBy(market, bidder), [[1, 1, 61]])
  const [order] = await procurements.managed(owner, made)
  assert.deepEqual([order.side, order.state], ['sell', 'partially_filled'])
  assert.equal(order.limit_price_dollars_per_node_hour, '3.000000')
  assert.equal(order.fills[0].price_dollars_per_node_hour, '4.200000')
  assert.deepEqual(await procurements.open(owner, made), [['sell', 3, 1, 61]])
  const taken = await market.order(bidder, {
    nodes: 2,
    price: '3.000000',
    start_at: start_at + 600,
    minutes: 10,
    allow_partial: true,
  })
  assert.equal(taken.state, 'filled')
  await server.settle()
  const kept = [
    [4, 0, 1],
    [3, 1, 10],
    [1, 10, 20],
    [3, 20, 61],
    [4, 61, 240],
  ]
  assert.deepEqual(await ownedBy(market, owner), kept)
  await assertAuditsPass(server)
})

test('a higher target replaces the open orders, a lower one cancels them', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer)
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 61]])
  await procurements.change(buyer, made, { target: 5 })
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 5, 1, 61]])
  await procurements.change(buyer, made, { target: 0 })
  assert.deepEqual(await procurements.open(buyer, made), [])
  const ended = await procurements.managed(buyer, made, ['cancelled'])
  assert.deepEqual(
    ended.map(({ cancel_reason }) => cancel_reason),
    ['automation', 'automation'],
  )
  assert.equal((await market.balance(buyer)).held, '0.000000')
  const history = ['order.created system', 'order.cancelled system', 'order.created system', 'order.cancelled system']
  assert.deepEqual(await market.history(buyer), history)
  await assertAuditsPass(server)
})

test('update_procurement cancels orders that no longer fit, at once if the price or the SKU changes', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer, { managed_window_minutes: 10 })
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 11]])
  await procurements.change(buyer, made, { managed_window_minutes: 20 })
  assert.deepEqual(await procurements.open(buyer, made), [
    ['buy', 2, 1, 11],
    ['buy', 2, 11, 21],
  ])
  const body = { max_buy_price_dollars_per_node_hour: '0.600000' }
  const changed = await server.call('update_procurement', { params: { id: made.id }, token: buyer.token, body })
  assert.equal(changed.max_buy_price_dollars_per_node_hour, '0.600000')
  await server.settle()
  const [cheaper, ...others] = await procurements.managed(buyer, made)
  assert.deepEqual(others, [])
  assert.equal(cheaper.limit_price_dollars_per_node_hour, '0.600000')
  assert.deepEqual((await market.history(buyer)).slice(2, 4), ['order.cancelled system', 'order.cancelled system'])
  const sku = (await server.call('create_sku', { body: {} })).id
  const moved = await procurements.change(buyer, made, { sku })
  assert.equal(moved.sku.id, sku)
  const [order] = await procurements.managed(buyer, made)
  assert.equal(order.sku.id, sku)
  const renamed = await procurements.change(buyer, made, {
    name: 'other',
    min_sell_price_dollars_per_node_hour: '9.000000',
  })
  assert.equal(renamed.resource_path, `svc:procurement:${buyer.id}:default:other`)
  const seen = await procurements.read(buyer, made)
  assert.deepEqual([seen.status.code, seen.min_sell_price_dollars_per_node_hour], ['no_offer_at_price', '9.000000'])
  await server.advance(10)
  assert.deepEqual(await procurements.change(buyer, made, {}), seen)
  await assertAuditsPass(server)
})

test('a disabled procurement has no open orders, and orders again when it is enabled', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer)
  const [order] = await procurements.managed(buyer, made)
  const { enabled } = await server.call('update_procurement', {
    params: { id: made.id },
    token: buyer.token,
    body: { enabled: false },
  })
  assert.equal(enabled, false)
  const ended = await market.read(buyer, order)
  assert.deepEqual([ended.state, ended.cancel_reason], ['cancelled', 'automation'])
  assert.deepEqual(await market.history(buyer), ['order.created system', 'order.cancelled token'])
  assert.equal((await market.balance(buyer)).held, '0.000000')
  await server.advance(3600)
  assert.deepEqual(await procurements.open(buyer, made), [])
  assert.match((await procurements.read(buyer, made)).status.message, /^Disabled/)
  await procurements.change(buyer, made, { enabled: true })
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 61]])
  const idle = await procurements.make(await market.buyer(), { enabled: false })
  assert.equal(idle.enabled, false)
  await assertAuditsPass(server)
})

test('delete_procurement cancels its orders in one transaction and keeps bought capacity', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, buyer] = [await market.seller(1), await market.buyer()]
  await server.advance(60)
  const start_at = (await runningMinute()) * 60
  await market.order(seller, {
    side: 'sell',
    allow_standing: true,
    allow_partial: true,
    start_at,
    minutes: 240,
    nodes: 1,
  })
  const made = await procurements.make(buyer, { name: 'gone' })
  const [order] = await procurements.managed(buyer, made)
  assert.equal(await procurements.remove(buyer, made), 204)
  const ended = await market.read(buyer, order)
  assert.deepEqual([ended.state, ended.cancel_reason], ['cancelled', 'automation'])
  assert.equal(ended.managed_by.name, 'gone')
  assert.deepEqual(await market.history(buyer), [
    'order.created system',
    'order.partially_filled system',
    'order.cancelled token',
  ])
  assert.deepEqual(await ownedBy(market, buyer), [[1, 1, 61]])
  assert.equal(await procurements.remove(buyer, made), 404)
  await server.advance(3600)
  assert.deepEqual(await ownedBy(market, buyer), [[1, 0, 1]])
  assert.equal((await procurements.make(buyer, { name: 'gone' })).name, 'gone')
  await assertAuditsPass(server)
})

test('without funds a procurement retries at growing intervals, and at once when there are funds', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer('0.000000')
  const made = await procurements.make(buyer)
  const { status } = await procurements.read(buyer, made)
  assert.deepEqual([status.state, status.code], ['error', 'payment_required'])
  assert.match(status.message, /This needs \$2\.40, /)
  await server.advance(1800)
  assert.deepEqual(await procurements.open(buyer, made), [])
  await topUp(buyer, '2.400000')
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 61]])
  assert.equal((await procurements.read(buyer, made)).status.state, 'info')
  assert.deepEqual(await market.balance(buyer), { total: '2.400000', held: '2.400000', available: '0.000000' })
  await assertAuditsPass(server)
})

test('limited funds buy the nearest range, and a changed procurement does not wait', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, buyer] = [await market.seller(1), await market.buyer('1.000000')]
  await server.advance(60)
  const start_at = (await runningMinute()) * 60
  await market.order(seller, {
    side: 'sell',
    allow_standing: true,
    price: '0.000060',
    start_at: start_at + 600,
    minutes: 10,
    nodes: 1,
  })
  await market.order(buyer, { start_at: start_at + 600, minutes: 10, nodes: 1, price: '0.060000' })
  const made = await procurements.make(buyer, { target: 1 })
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 1, 1, 10]])
  assert.equal((await procurements.read(buyer, made)).status.code, 'payment_required')
  await topUp(buyer, '10.000000')
  await procurements.change(buyer, made, { target: 1 })
  assert.deepEqual(await procurements.open(buyer, made), [
    ['buy', 1, 1, 10],
    ['buy', 1, 20, 61],
  ])
})

test('with node_count as target a procurement follows the instances of its pool and SKU', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer, { target: 'node_count' })
  assert.equal(made.target, 'node_count')
  assert.deepEqual(await procurements.open(buyer, made), [])
  const { token } = buyer
  const image = (await server.call('create_ready_image', { token, body: { name: 'image' } })).id
  const launch = () => server.call('create_instance', { token, body: { pool: buyer.pool, sku: market.sku, image } })
  const [first] = [await launch(), await launch()]
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 61]])
  const replaced = await server.call('replace_instance', { params: { id: first.id }, token, body: { image } })
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 61]])
  await server.call('terminate_instance', { params: { id: replaced.id }, token })
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 1, 1, 61]])
  await assertAuditsPass(server)
})

test('on an originating pool a procurement only sells', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await server.advance(60)
  const made = await procurements.make(seller, { max_buy_price_dollars_per_node_hour: undefined, target: 1 })
  assert.equal(made.max_buy_price_dollars_per_node_hour, null)
  assert.deepEqual(await procurements.open(seller, made), [['sell', 3, 1, 61]])
  await procurements.change(seller, made, { target: 4 })
  assert.deepEqual(await procurements.open(seller, made), [])
  const start_at = (await runningMinute()) * 60 + 600
  await procurements.change(seller, made, { target: 1 })
  await market.order(buyer, { start_at, minutes: 10, nodes: 3, price: '3.000000' })
  await server.settle()
  assert.deepEqual(await procurements.open(seller, made), [['sell', 3, 1, 61]])
  // Below its target it does nothing, because it cannot buy.
  await procurements.change(seller, made, { target: 2 })
  assert.deepEqual(await procurements.open(seller, made), [
    ['sell', 2, 1, 10],
    ['sell', 2, 20, 61],
  ])
  assert.equal((await procurements.read(seller, made)).status.code, 'ok')
  const patch = (body: object) => refusal(seller, 'PATCH', `${path}/${made.id}`, body)
  const maximum = { max_buy_price_dollars_per_node_hour: '1.000000' }
  assert.deepEqual(await patch(maximum), [422, 'not_applicable', 'max_buy_price_dollars_per_node_hour'])
  assert.deepEqual(await patch({ target: 'node_count' }), [422, 'not_applicable', 'target'])
  await assertAuditsPass(server)
})

test('crossed prices are allowed and shown as a warning', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer, { min_sell_price_dollars_per_node_hour: '0.000000' })
  const { status } = await procurements.read(buyer, made)
  assert.deepEqual([status.state, status.code], ['warning', 'prices_crossed'])
  await procurements.change(buyer, made, { min_sell_price_dollars_per_node_hour: '1.200000' })
  assert.equal((await procurements.read(buyer, made)).status.code, 'no_offer_at_price')
})

test('a cancelled order is placed again, and other open orders of the pool count as bought', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer)
  const [order] = await procurements.managed(buyer, made)
  assert.equal(await market.cancel(buyer, order), 204)
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 2, 1, 61]])
  const start_at = (await runningMinute()) * 60 + 600
  const own = { start_at, minutes: 10, nodes: 1, price: '0.060000', allow_standing: true }
  const mine = await market.order(buyer, own)
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [
    ['buy', 2, 1, 10],
    ['buy', 1, 10, 20],
    ['buy', 2, 20, 61],
  ])
  await market.cancel(buyer, mine)
  await server.settle()
  assert.deepEqual(await procurements.open(buyer, made), [
    ['buy', 2, 1, 10],
    ['buy', 2, 10, 20],
    ['buy', 2, 20, 61],
  ])
  const { data } = await server.call('list_orders', { query: { state: ['standing'] }, token: buyer.token })
  assert.deepEqual(data, [])
  const all = await server.call('list_orders', {
    query: { state: ['standing'], include_managed: true },
    token: buyer.token,
  })
  assert.equal(all.data.length, 3)
  await assertAuditsPass(server)
})

test('a frozen account, a retired SKU and a halted market suspend a procurement', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer)
  const codeOf = async () => (await procurements.read(buyer, made)).status.code
  const operate = async (method: string, to: string) => {
    await server.ok(method, `/preview/v2/admin${to}`, to.startsWith('/market') ? { body: { sku: market.sku } } : {})
    await server.settle()
  }
  await operate('POST', '/market/halt')
  await procurements.change(buyer, made, { target: 3 })
  assert.deepEqual([await codeOf(), await procurements.open(buyer, made)], ['market_halted', []])
  await operate('POST', '/market/resume')
  await server.advance(30)
  assert.deepEqual([await codeOf(), await procurements.open(buyer, made)], ['no_offer_at_price', [['buy', 3, 1, 61]]])
  await operate('DELETE', `/skus/${market.sku}`)
  assert.deepEqual([await codeOf(), await procurements.open(buyer, made)], ['sku_not_available', []])
  const renamed = await procurements.change(buyer, made, { name: 'still', target: 4 })
  assert.equal(renamed.name, 'still')
  await operate('POST', `/skus/${market.sku}/restore`)
  assert.deepEqual(await procurements.open(buyer, made), [['buy', 4, 1, 61]])
  // The gate caches rights for two seconds, so the test changes nothing after this point.
  await operate('POST', `/accounts/${buyer.id}/freeze`)
  assert.deepEqual([await codeOf(), await procurements.open(buyer, made)], ['account_frozen', []])
  await operate('POST', `/accounts/${buyer.id}/unfreeze`)
  assert.deepEqual([await codeOf(), await procurements.open(buyer, made)], ['no_offer_at_price', [['buy', 4, 1, 61]]])
  await assertAuditsPass(server)
})

test('a pool and SKU have one procurement, and a pool with one cannot be deleted', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const made = await procurements.make(buyer, { enabled: false })
  const body = procurements.bodyOf(buyer.pool)
  assert.deepEqual(await refusal(buyer, 'POST', path, body), [409, 'automation_conflict', 'pool'])
  const sku = (await server.call('create_sku', { body: {} })).id
  const other = await procurements.make(buyer, { sku, target: 0 })
  const takeOver = { sku: market.sku }
  assert.deepEqual(await refusal(buyer, 'PATCH', `${path}/${other.id}`, takeOver), [409, 'automation_conflict', 'pool'])
  const { procurements: shown } = await server.call('get_pool', { params: { id: buyer.pool }, token: buyer.token })
  const summaryOf = ({ object, id, name, resource_path }: any) => ({ object, id, name, resource_path })
  assert.deepEqual(shown, [made, other].map(summaryOf))
  const pool = `/v2/pools/${buyer.pool}`
  assert.deepEqual(await refusal(buyer, 'DELETE', pool), [409, 'in_use', null])
  for (const one of [made, other]) assert.equal(await procurements.remove(buyer, one), 204)
  assert.equal((await server.attempt('delete_pool', { params: { id: buyer.pool }, token: buyer.token })).status, 204)
  await assertAuditsPass(server)
})

test('of two concurrent creations for one pool and SKU, one succeeds', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const body = procurements.bodyOf(buyer.pool, { target: 0 })
  const responses = await Promise.all(
    [1, 2, 3, 4].map(() => server.attempt('create_procurement', { token: buyer.token, body })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409, 409])
  await assertAuditsPass(server)
})

test('invalid procurements are refused with code and field', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [buyer, seller] = [await market.buyer(), await market.seller()]
  const taken = await procurements.make(buyer, { name: 'taken', enabled: false })
  const pool = (await server.call('create_pool', { token: buyer.token, body: {} })).id
  const retired = (await server.call('create_sku', { body: {} })).id
  await server.call('retire_sku', { params: { id: retired } })
  const steps = { price_step_dollars_per_node_hour: '0.01' }
  const stepped = (await server.call('create_sku', { body: steps })).id
  const max = 'max_buy_price_dollars_per_node_hour'
  const min = 'min_sell_price_dollars_per_node_hour'
  const cases: [object, number, string, string][] = [
    [{ [max]: undefined }, 400, 'required', max],
    [{ [min]: undefined }, 400, 'required', min],
    [{ [max]: '0.000000' }, 400, 'out_of_range', max],
    [{ [max]: '2.0000000' }, 400, 'invalid_format', max],
    [{ [max]: '2.005', sku: stepped }, 400, 'not_aligned', max],
    [{ [min]: '2.005', sku: stepped }, 400, 'not_aligned', min],
    [{ [min]: '1000001.000000' }, 400, 'out_of_range', min],
    [{ target: -1 }, 400, 'out_of_range', 'target'],
    [{ target: 10_001 }, 400, 'out_of_range', 'target'],
    [{ target: 'nodes' }, 400, 'invalid_format', 'target'],
    [{ target: true }, 400, 'invalid_type', 'target'],
    [{ target: undefined }, 400, 'required', 'target'],
    [{ managed_window_minutes: 0 }, 400, 'out_of_range', 'managed_window_minutes'],
    [{ managed_window_minutes: 129_601 }, 400, 'out_of_range', 'managed_window_minutes'],
    [{ workspace: 'wksp_1' }, 400, 'unknown_field', 'workspace'],
    [{ pool: 'pool_000000000000000000000' }, 422, 'reference_not_found', 'pool'],
    [{ pool: seller.pool }, 422, 'reference_not_found', 'pool'],
    [{ sku: 'sku_000000000000000000000' }, 422, 'sku_not_available', 'sku'],
    [{ sku: retired }, 422, 'sku_not_available', 'sku'],
    [{ name: 'taken' }, 409, 'name_taken', 'name'],
  ]
  for (const [changes, ...wanted] of cases) {
    const found = await refusal(buyer, 'POST', path, procurements.bodyOf(pool, changes))
    assert.deepEqual(found, wanted, JSON.stringify(changes))
  }
  const patches: [object, number, string, string][] = [
    [{ pool }, 400, 'unknown_field', 'pool'],
    [{ [max]: null }, 400, 'invalid_type', max],
    [{ [max]: '0.000000' }, 400, 'out_of_range', max],
    [{ [max]: '2.005', sku: stepped }, 400, 'not_aligned', max],
    [{ target: null }, 400, 'invalid_type', 'target'],
    [{ sku: retired }, 422, 'sku_not_available', 'sku'],
  ]
  for (const [changes, ...wanted] of patches) {
    const found = await refusal(buyer, 'PATCH', `${path}/${taken.id}`, changes)
    assert.deepEqual(found, wanted, JSON.stringify(changes))
  }
  const other = await procurements.make({ ...buyer, pool }, { enabled: false })
  assert.deepEqual(await refusal(buyer, 'PATCH', `${path}/${other.id}`, { name: 'taken' }), [409, 'name_taken', 'name'])
  const readOnly = { account: buyer.id, workspace: buyer.workspace_id, from_pool: seller.pool, sku: market.sku }
  const start_at = ((await runningMinute()) + 10) * 60
  const grant = { ...readOnly, allocation_schedule: [{ start_at, end_at: null, node_count: 1 }] }
  const given = (await server.call('create_read_only_pool', { body: grant })).id
  const requested = procurements.bodyOf(given)
  assert.deepEqual(await refusal(buyer, 'POST', path, requested), [422, 'pool_kind_not_allowed', 'pool'])
  const selling = procurements.bodyOf(seller.pool)
  assert.deepEqual(await refusal(seller, 'POST', path, selling), [422, 'not_applicable', max])
  const following = { ...selling, [max]: undefined, target: 'node_count' }
  assert.deepEqual(await refusal(seller, 'POST', path, following), [422, 'not_applicable', 'target'])
  await server.call('put_account_limit', { params: { account: buyer.id, name: 'procurements' }, body: { value: 2 } })
  const third = (await server.call('create_pool', { token: buyer.token, body: {} })).id
  const over = await refusal(buyer, 'POST', path, procurements.bodyOf(third))
  assert.deepEqual(over.slice(0, 2), [422, 'limit_exceeded'])
  const limit = await server.call('get_limit', { params: { name: 'procurements' }, token: buyer.token })
  assert.deepEqual([limit.used, limit.value], [2, 2])
})

test('get_procurement and list_procurements show own procurements and filter by pool, SKU and id', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const [buyer, stranger] = [await market.buyer(), await market.buyer()]
  const first = await procurements.make(buyer, { enabled: false })
  const sku = (await server.call('create_sku', { body: {} })).id
  const second = await procurements.make(buyer, { sku, enabled: false })
  const list = async (query = '', { token } = buyer) =>
    (await server.call('list_procurements', { query, token })).data.map(({ id }) => id)
  assert.deepEqual(await list(), [second.id, first.id])
  assert.deepEqual(await list(`sku=${sku}`), [second.id])
  assert.deepEqual(await list(`id=${first.resource_path}`), [first.id])
  assert.deepEqual(await list(`pool=${buyer.pool}&workspace=${buyer.workspace_id}`), [second.id, first.id])
  assert.deepEqual(await list('pool=pool_000000000000000000000'), [])
  assert.deepEqual(await list('', stranger), [])
  const read = await server.call('get_procurement', { params: { id: first.resource_path }, token: buyer.token })
  assert.deepEqual(read, await procurements.read(buyer, first))
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const found = await refusal(stranger, method, `${path}/${first.id}`, method === 'PATCH' ? {} : undefined)
    assert.deepEqual(found, [404, 'not_found', undefined])
  }
})

test('an idempotency key creates one procurement', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  const body = procurements.bodyOf(buyer.pool, { target: 0 })
  const send = () =>
    server.attempt('create_procurement', { token: buyer.token, body, headers: { 'idempotency-key': 'one' } })
  const [first, again] = [await send(), await send()]
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.deepEqual(again.body, first.body)
})

test('the limit open_orders applies to procurements and is shown in the status', async () => {
  const { market, procurements } = await makeProcuredMarket({})
  const buyer = await market.buyer()
  await server.call('put_account_limit', { params: { account: buyer.id, name: 'open_orders' }, body: { value: 0 } })
  const made = await procurements.make(buyer)
  const { status } = await procurements.read(buyer, made)
  assert.deepEqual([status.state, status.code], ['error', 'limit_exceeded'])
  assert.match(status.message, /open_orders/)
})
