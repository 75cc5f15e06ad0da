/** Instances that buy what they run in: `buy` of `create_instance`. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const market = await makeMarket(server)
const seller = await market.seller(4)
const buyer = await market.buyer('100.000000')
const { token } = buyer
const image = (await server.call('create_ready_image', { token, body: { name: 'runs' } })).id
await server.call('freeze_clock')
await server.advance(60)
const { now } = await server.call('get_clock')
const minute = now - (now % 60)
const price = 'limit_price_dollars_per_node_hour'
const offer = await market.order(seller, {
  side: 'sell',
  start_at: minute,
  minutes: 240,
  nodes: 2,
  price: '2.500000',
  allow_standing: true,
  allow_partial: true,
})
const terms = { end_at: minute + 2 * hour, [price]: '3' }

function attempt(buy: object, { by = token, key, ...fields }: { by?: string; key?: string; sku?: string } = {}) {
  const body = { pool: buyer.pool, sku: market.sku, image, buy: { ...terms, ...buy }, ...fields }
  return server.attempt('create_instance', { token: by, body, ...(key && { headers: { 'Idempotency-Key': key } }) })
}

/** What a purchase would change if it were made. */
async function standing() {
  const { data } = await server.call('list_instances', { token })
  const orders = await server.call('list_orders', { token })
  const events = await server.call('list_events', { token, query: { limit: 200, target_type: 'order' } })
  const balance = await market.balance(buyer)
  return { balance, counts: [data.length, orders.data.length, events.data.length] }
}

async function refuses(buy: object, refusal: ReturnType<typeof refusalOf>, call: Parameters<typeof attempt>[1] = {}) {
  const before = await standing()
  const response = await attempt(buy, call)
  assert.deepEqual(refusalOf(response), refusal, response.text)
  assert.deepEqual(await standing(), before, response.text)
  return response.body.error.message
}

test('one call buys a node from the running minute on and creates the instance in it', async () => {
  const response = await attempt({}, { key: 'once' })
  assert.equal(response.status, 201, response.text)
  const made = response.body
  const order = await server.call('get_order', { token, params: { id: made.order } })
  assert.deepEqual(
    [order.state, order.pool.id, order.held_dollars, order.fills[0].total_dollars],
    ['filled', buyer.pool, '0.000000', '5.000000'],
  )
  assert.deepEqual(order.filled_allocation_schedule_delta, [
    { start_at: minute, end_at: minute + 2 * hour, node_count: 1 },
  ])
  assert.equal((await market.balance(buyer)).total, '95.000000')
  const again = await attempt({}, { key: 'once' })
  assert.deepEqual([again.status, again.body], [201, made])
  assert.equal((await server.call('get_instance', { token, params: { id: made.id } })).order, made.order)
  const { data } = await server.call('list_events', { token })
  const actions = data.map(({ action, targets }) => `${action} ${targets[0]?.id}`)
  // Its machine may run already.
  const ofCall = actions.filter((action) => /^(?:order\.|instance\.created)/.test(action))
  assert.deepEqual(ofCall, [`order.created ${made.order}`, `order.filled ${made.order}`, `instance.created ${made.id}`])
  await server.advance(60)
  assert.equal((await server.call('get_instance', { token, params: { id: made.id } })).state, 'running')
  const successor = await server.call('replace_instance', { token, params: { id: made.id }, body: { image } })
  assert.equal(successor.order, undefined)
})

test('where nothing fits the price, the cost or the window, nothing is bought and no instance is created', async () => {
  const cheap = await refuses({ [price]: '2.4' }, [422, 'not_offered', `buy.${price}`])
  assert.equal(cheap, 'No node is offered for the whole window at $2.40 per node-hour or less.')
  const costs = await refuses({ max_cost_dollars: '4.9' }, [422, 'not_offered', 'buy.max_cost_dollars'])
  assert.match(costs, /^The cheapest offers for the window cost \$4\.958333\.$/)
  await refuses({ end_at: minute + 9 * hour }, [422, 'not_offered', `buy.${price}`])
  assert.equal((await market.read(seller, offer)).state, 'partially_filled')
})

test('the whole cost is allowed, and a later start is bought as it is given', async () => {
  const start_at = minute + 2 * hour
  const buy = { start_at, end_at: start_at + hour, max_cost_dollars: '2.5' }
  const { status, body } = await attempt(buy)
  assert.equal(status, 201)
  const order = await server.call('get_order', { token, params: { id: body.order } })
  assert.deepEqual(order.filled_allocation_schedule_delta, [{ start_at, end_at: start_at + hour, node_count: 1 }])
})

test('a window or price that cannot be is refused at its field', async () => {
  await refuses({ start_at: minute - 60 }, [422, 'in_the_past', 'buy.start_at'])
  await refuses({ start_at: terms.end_at }, [400, 'invalid_range', 'buy.end_at'])
  await refuses({ end_at: minute + 4 * 365 * 24 * hour }, [422, 'beyond_horizon', 'buy.end_at'])
  await refuses({ [price]: '0' }, [400, 'out_of_range', `buy.${price}`])
})

test('without money, a visible SKU, an image or an open market nothing is bought', async () => {
  await refuses({ [price]: '900' }, [402, 'payment_required', undefined])
  const body = { name: 'cap', period: 'total', amount_dollars: '0.01', hard_stop: true } as const
  const budget = await server.call('create_budget', { token, body })
  assert.match(await refuses({}, [402, 'payment_required', undefined]), /the budget cap/)
  await server.call('delete_budget', { token, params: { id: budget.id } })
  const hidden = await server.call('create_sku', { body: { alias: 'hidden', listed: false } })
  await refuses({}, [422, 'sku_not_available', 'sku'], { sku: hidden.id })
  await server.call('revoke_image', { token, params: { id: image } })
  await refuses({}, [422, 'image_not_available', 'image'])
  await server.call('halt_market', { body: { sku: market.sku, message: 'Repair.' } })
  const before = await standing()
  const halted = await attempt({})
  assert.equal(halted.status, 503)
  assert.match(halted.body.error.message, /Repair/)
  assert.deepEqual(await standing(), before)
})

test('it needs the right to place orders, which an instance alone does not', async () => {
  const narrow = await makeToken(server, buyer, { instance: ['create'], pool: ['read'] })
  await refuses({}, [403, 'forbidden', undefined], { by: narrow.token })
})
