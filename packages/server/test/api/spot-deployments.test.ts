import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { assertAuditsPass } from '../support/audit.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { hour, makeSpotMarket, runningMinute, type SpotMarket, spotPath } from '../support/fixtures/spot.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const price = 'max_buy_price_dollars_per_node_hour'

const patch = ({ buyer }: SpotMarket, id: string, body: object) =>
  server.call('update_deployment', { params: { id }, token: buyer.token, body })

const credit = (account: string, amountDollars: string) => {
  return grantCredit(server, account, amountDollars)
}

const limit = (account: string, name: string, value: number) =>
  server.call('put_account_limit', { params: { account, name }, body: { value } })

const open = (orders: any[]) => orders.filter(({ state }) => ['standing', 'partially_filled'].includes(state))

/** The node-hours of a schedule. */
const hoursOf = (schedule: { start_at: number; end_at: number; node_count: number }[]) =>
  schedule.reduce((sum, { start_at, end_at, node_count }) => sum + ((end_at - start_at) * node_count) / hour, 0)

test('create_deployment of a spot fleet buys the next hour and creates the fleet', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, market } = spot
  await spot.offer()
  const minute = await runningMinute(server)
  const body = spot.spotBody({ name: 'cheap', target_instance_count: 3 })
  const made = await server.call('create_deployment', { token: buyer.token, body })
  const { pool, sku, instance_template, workspace, status: _status, created_at, updated_at, ...plain } = made
  assert.match(made.id, /^depl_[0-9a-zA-Z_-]{21}$/)
  const { instance_name_template, ...rest } = plain
  assert.deepEqual(rest, {
    object: 'spot_deployment',
    id: made.id,
    resource_path: `svc:deployment:${buyer.id}:default:cheap`,
    name: 'cheap',
    enabled: true,
    target_instance_count: 3,
    live_instance_count: 0,
    [price]: '2.400000',
  })
  assert.deepEqual([pool.id, sku.id, instance_template.id], [buyer.pool, market.sku, spot.template])
  assert.deepEqual(
    [workspace.id, created_at, instance_name_template.length > 0],
    [buyer.workspace_id, updated_at, true],
  )
  await server.settle()
  const owned = await market.owned(buyer)
  assert.deepEqual(owned, [{ start_at: owned[0]?.start_at, end_at: owned[0]?.end_at, node_count: 3 }])
  // The current minute may have changed since the request. The bought hour begins at the next minute.
  assert.ok([60, 120].includes((owned[0]?.start_at as number) - minute))
  assert.equal((owned[0]?.end_at as number) - (owned[0]?.start_at as number), hour)
  const [order, ...others] = await spot.orders(made.id)
  assert.deepEqual(
    [others, order.side, order.state, order.limit_price_dollars_per_node_hour],
    [[], 'buy', 'filled', '2.400000'],
  )
  assert.deepEqual([order.allow_standing, order.allow_partial, order.created_by], [true, true, { type: 'system' }])
  const { object, id, name } = order.managed_by
  assert.deepEqual([object, id, name], ['spot_deployment', made.id, 'cheap'])
  assert.equal(order.filled_average_price_dollars_per_node_hour, '1.200000')
  assert.deepEqual(await market.balance(buyer), { total: '996.400000', held: '0.000000', available: '996.400000' })
  assert.deepEqual((await spot.get('/v2/orders')).data, [])
  assert.equal((await spot.get('/v2/orders?include_managed=true')).data.length, 1)
  await server.advance(120)
  assert.deepEqual(await spot.fleet(made.id), { running: 3 })
  const shown = await spot.get(`${spotPath}/svc:deployment:${buyer.id}:default:cheap`)
  assert.deepEqual([shown.live_instance_count, shown.status.state, shown.status.code], [3, 'info', 'ok'])
  const { data } = await spot.get('/v2/instances')
  assert.deepEqual([data[0].managed_by.object, data[0].managed_by.id], ['spot_deployment', made.id])
  assert.deepEqual((await spot.get(`/v2/pools/${buyer.pool}`)).deployments[0].object, 'spot_deployment')
  assert.deepEqual(await spot.history('&target_type=order'), ['order.created system', 'order.filled system'])
  await assertAuditsPass(server)
})

test('a spot fleet runs for hours by buying fifteen minutes at a time at the offered price', async () => {
  await using spot = await makeSpotMarket(server, { nodes: 5 })
  const { buyer, market } = spot
  await spot.offer({ nodes: 2, price: '0.600000', minutes: 180 })
  await spot.offer({ nodes: 3, price: '2.400000' })
  const { id } = await spot.deploy({ target_instance_count: 3 })
  await server.advance(120)
  const before = (await spot.get(`/v2/instances?deployment=${id}`)).data.map((one: any) => one.id).sort()
  for (let quarter = 0; quarter < 24; quarter++) {
    await server.advance(15 * 60)
    const { now } = await server.call('get_clock')
    const ahead = (await market.owned(buyer)).at(-1) as { end_at: number }
    const minutes = (ahead.end_at - now) / 60
    assert.ok(minutes > 44 && minutes <= 61, `${minutes} minutes are bought`)
  }
  const { data } = await spot.get(`/v2/instances?deployment=${id}`)
  assert.deepEqual(data.map((one: any) => one.id).sort(), before)
  assert.deepEqual(await spot.fleet(id), { running: 3 })
  assert.deepEqual(await spot.history('&action=instance.termination_imminent'), [])
  const orders = await spot.orders(id)
  assert.ok(orders.length >= 20 && orders.length <= 30, `${orders.length} orders`)
  let bought = 0
  for (const order of orders) {
    assert.deepEqual([order.state, order.limit_price_dollars_per_node_hour], ['filled', '2.400000'])
    bought += hoursOf(order.filled_allocation_schedule_delta)
    for (const fill of order.fills) assert.ok(['0.600000', '2.400000'].includes(fill.price_dollars_per_node_hour))
  }
  const first = Math.min(...orders.map((order) => order.allocation_schedule_delta[0].start_at))
  const last = Math.max(...orders.map((order) => order.allocation_schedule_delta[0].end_at))
  assert.equal(bought, (3 * (last - first)) / hour, 'each minute was bought once for each instance')
  await assertAuditsPass(server)
})

test('a spot fleet waits while nothing is offered at its price, and then buys', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer } = spot
  await spot.offer({ price: '3.000000', nodes: 3 })
  const { id } = await spot.deploy()
  const status = await spot.status(id)
  assert.deepEqual([status.state, status.code], ['warning', 'no_offer_at_price'])
  assert.match(status.message, /2\.400000/)
  assert.deepEqual(await spot.fleet(id), { awaiting_allocation: 2 })
  const resting = open(await spot.orders(id))
  assert.deepEqual(
    resting.map(({ state, filled_at }) => [state, filled_at]),
    [['standing', null]],
  )
  const { held } = await market.balance(buyer)
  assert.equal(held, '4.800000')
  // Its orders follow the next hour and never exceed its target.
  await server.advance(2 * hour)
  const later = open(await spot.orders(id))
  const { now } = await server.call('get_clock')
  assert.ok(later.length <= 6, `${later.length} open orders`)
  const wanted = Number((await market.balance(buyer)).held) / 2.4
  // The orders still include the current minute.
  assert.ok(wanted > 1.5 && wanted <= (2 * 61) / 60, `${wanted} node-hours are held for`)
  for (const { allocation_schedule_delta } of later) assert.ok(allocation_schedule_delta[0].end_at > now)
  await market.order(spot.seller, {
    side: 'sell',
    start_at: await runningMinute(server),
    minutes: 600,
    nodes: 1,
    price: '1.200000',
    allow_standing: true,
    allow_partial: true,
  })
  await server.advance(180)
  assert.deepEqual(await spot.fleet(id), { running: 1, awaiting_allocation: 1 })
  assert.equal((await spot.status(id)).code, 'no_offer_at_price')
  // Resting buys are the older orders, so they fill at their own limit.
  const fills = (await spot.orders(id)).flatMap((order) => order.fills)
  assert.deepEqual(new Set(fills.map((fill) => fill.price_dollars_per_node_hour)), new Set(['2.400000']))
  await assertAuditsPass(server)
})

test('an outbid spot fleet loses its nodes at the end of its allocation and returns at a higher price', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, seller, market } = spot
  await spot.offer({ minutes: 90 })
  const { id } = await spot.deploy()
  await server.advance(120)
  assert.deepEqual(await spot.fleet(id), { running: 2 })
  await spot.offer({ price: '4.800000', start_at: (await runningMinute(server)) + 3 * hour, minutes: 600 })
  await server.advance(1.75 * hour)
  const gone = await spot.fleet(id)
  assert.deepEqual([gone.running, gone.awaiting_allocation, gone.terminated], [undefined, 2, 2])
  assert.equal((await spot.status(id)).code, 'no_offer_at_price')
  const history = await spot.history('&target_type=instance')
  const endings = history.filter((line) => /imminent|terminated/.test(line))
  assert.deepEqual(endings, [
    'instance.termination_imminent system',
    'instance.termination_imminent system',
    'instance.terminated system',
    'instance.terminated system',
  ])
  await patch(spot, id, { [price]: '6.000000' })
  await server.advance(1.5 * hour)
  assert.deepEqual((await spot.fleet(id)).running, 2)
  assert.equal((await spot.status(id)).code, 'ok')
  assert.equal((await market.balance(buyer)).held, '0.000000')
  assert.ok(Number((await market.balance(seller)).total) > 0)
  await assertAuditsPass(server)
})

test('without funds the status is payment_required, and new funds let it order at once', async () => {
  await using spot = await makeSpotMarket(server, { dollars: '1.000000' })
  await spot.offer()
  const { id } = await spot.deploy()
  const { state, code, message } = await spot.status(id)
  assert.deepEqual([state, code], ['error', 'payment_required'])
  assert.match(message, /\$?3\.8/)
  assert.deepEqual(await spot.orders(id), [])
  await server.advance(2 * hour)
  assert.equal((await spot.status(id)).code, 'payment_required')
  assert.deepEqual(await spot.orders(id), [])
  await credit(spot.buyer.id, '100.000000')
  await server.settle()
  assert.equal((await spot.orders(id)).length, 1)
  await server.advance(60)
  assert.deepEqual([(await spot.status(id)).code, await spot.fleet(id)], ['ok', { running: 2 }])
  await assertAuditsPass(server)
})

test('a raised credit limit lets a spot fleet order at once', async () => {
  await using spot = await makeSpotMarket(server, { dollars: '0.000000' })
  await spot.offer()
  const { id } = await spot.deploy()
  assert.equal((await spot.status(id)).code, 'payment_required')
  const body = { credit_limit_dollars: '100.000000' }
  await server.call('put_credit_limit', { params: { account: spot.buyer.id }, body })
  await server.settle()
  assert.notEqual((await spot.status(id)).code, 'payment_required')
  assert.equal((await spot.orders(id)).length, 1)
})

test('an order that a limit refuses is shown in the status and placed when the limit allows it', async () => {
  await using spot = await makeSpotMarket(server)
  await spot.offer()
  await limit(spot.buyer.id, 'open_orders', 0)
  const { id } = await spot.deploy()
  const refused = await spot.status(id)
  assert.deepEqual([refused.state, refused.code], ['error', 'limit_exceeded'])
  assert.match(refused.message, /open_orders/)
  await limit(spot.buyer.id, 'open_orders', 10)
  // A change of the deployment orders again at once, without waiting after the refusal.
  await patch(spot, id, { target_instance_count: 3 })
  await server.advance(120)
  assert.deepEqual([(await spot.status(id)).code, await spot.fleet(id)], ['ok', { running: 3 }])
})

test('a higher target buys more; a lower one cancels resting orders and keeps bought capacity', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer } = spot
  await spot.offer({ nodes: 2 })
  const { id } = await spot.deploy({ target_instance_count: 4 })
  assert.equal((await market.balance(buyer)).held, '4.800000')
  await patch(spot, id, { target_instance_count: 1 })
  await server.settle()
  assert.equal((await market.balance(buyer)).held, '0.000000')
  const orders = await spot.orders(id)
  assert.deepEqual(open(orders), [])
  assert.deepEqual(
    orders.map(({ state, cancel_reason }) => [state, cancel_reason]),
    [['cancelled', 'automation']],
  )
  assert.equal((await market.owned(buyer)).at(-1)?.node_count, 2)
  assert.equal((await spot.get(`${spotPath}/${id}`)).live_instance_count, 1)
  await patch(spot, id, { target_instance_count: 2 })
  await server.settle()
  assert.equal((await spot.orders(id)).length, 1)
  await patch(spot, id, { target_instance_count: 0 })
  await server.advance(2 * hour)
  assert.equal((await spot.orders(id)).length, 1)
  assert.equal((await spot.status(id)).code, 'ok')
  await assertAuditsPass(server)
})

test('nodes that leave a pool by transfer are bought again at once', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer } = spot
  await spot.offer()
  const { id } = await spot.deploy()
  const other = await server.call('create_pool', { token: buyer.token, body: {} })
  const start_at = (await runningMinute(server)) + 600
  const allocation_schedule_delta = [{ start_at, end_at: start_at + 1200, node_count: 1 }]
  const body = { from_pool: buyer.pool, to_pool: other.id, sku: market.sku, allocation_schedule_delta }
  await server.call('create_pool_transfer', { token: buyer.token, body })
  await server.settle()
  assert.deepEqual(
    (await market.owned(buyer)).map(({ node_count }) => node_count),
    [2],
  )
  const [order] = await spot.orders(id)
  assert.deepEqual(order.allocation_schedule_delta, allocation_schedule_delta)
})

test('update_deployment cancels open orders at once if it disables, with the caller as actor', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer } = spot
  await spot.offer({ nodes: 1 })
  const { id } = await spot.deploy()
  await server.advance(120)
  const rights = { deployment: ['read', 'write'], instance: ['create'], order: ['create'] }
  const writer = await makeToken(server, buyer, rights)
  const body = { enabled: false, target_instance_count: 3 }
  const changed = await server.call('update_deployment', { params: { id }, token: writer.token, body })
  assert.deepEqual([changed.enabled, changed.status.state, changed.status.code], [false, 'info', 'ok'])
  assert.equal((await market.balance(buyer)).held, '0.000000')
  const ended = (await spot.orders(id)).filter(({ state }) => state === 'cancelled')
  assert.ok(ended.length >= 1 && ended.every(({ cancel_reason }) => cancel_reason === 'automation'))
  assert.deepEqual(
    await spot.history('&action=order.cancelled'),
    ended.map(() => `order.cancelled ${writer.id}`),
  )
  const count = (await spot.orders(id)).length
  await server.advance(600)
  assert.equal((await spot.orders(id)).length, count)
  assert.deepEqual(await spot.fleet(id), { running: 1, awaiting_allocation: 1 })
  await spot.offer({ nodes: 3 })
  await patch(spot, id, { enabled: true })
  await server.advance(180)
  assert.deepEqual(await spot.fleet(id), { running: 3 })
  await assertAuditsPass(server)
})

test('where its SKU gets a coarser price step, it buys at the step below its maximum price', async () => {
  await using spot = await makeSpotMarket(server)
  const { id } = await spot.deploy()
  const before = await spot.orders(id)
  await server.call('update_sku', {
    params: { id: spot.market.sku },
    body: { price_step_dollars_per_node_hour: '0.7' },
  })
  const refused = await server.attempt('update_deployment', {
    params: { id },
    token: spot.buyer.token,
    body: { [price]: '2.5' },
  })
  assert.deepEqual(refusalOf(refused), [400, 'not_aligned', price])
  await server.advance(900)
  const [newest, ...older] = await spot.orders(id)
  assert.equal(newest?.limit_price_dollars_per_node_hour, '2.100000')
  assert.ok(older.length >= before.length && older.every(({ state }) => state === 'cancelled'))
  await assertAuditsPass(server)
})

test('another maximum price applies at once: no open order exceeds it', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer, seller } = spot
  const { id } = await spot.deploy()
  const changed = await patch(spot, id, { [price]: '1.200000' })
  assert.equal(changed[price], '1.200000')
  const dear = { side: 'sell' as const, start_at: (await runningMinute(server)) + 120, nodes: 2, minutes: 30 }
  const whole = await market.order(seller, { ...dear, price: '1.800000', allow_partial: true })
  assert.equal(whole.state, 'cancelled')
  await server.settle()
  const orders = await spot.orders(id)
  assert.deepEqual(
    orders.map(({ state, limit_price_dollars_per_node_hour }) => [state, limit_price_dollars_per_node_hour]),
    [
      ['standing', '1.200000'],
      ['cancelled', '2.400000'],
    ],
  )
  assert.equal((await market.balance(buyer)).held, '2.400000')
  assert.deepEqual(await spot.history('&target_type=order'), [
    'order.created system',
    'order.cancelled system',
    'order.created system',
  ])
  // Neither the same price nor the same request changes anything.
  await patch(spot, id, { [price]: '1.2', target_instance_count: 2 })
  await server.settle()
  assert.equal((await spot.orders(id)).length, 2)
  await patch(spot, id, { [price]: '1.800000' })
  await server.settle()
  assert.equal((await market.balance(buyer)).held, '3.600000')
  await assertAuditsPass(server)
})

test('a change of all fields cancels resting orders and uses the new template', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, image } = spot
  const { id } = await spot.deploy()
  const template = async () =>
    (await server.call('create_instance_template', { token: buyer.token, body: { image } })).id
  for (const more of [{ [price]: '1.800000' }, { enabled: false }, { enabled: true }]) {
    const instance_template = await template()
    const changed = await patch(spot, id, {
      ...more,
      instance_template,
      target_instance_count: 1,
      name: instance_template,
    })
    assert.equal(changed.instance_template.id, instance_template)
    await server.settle()
  }
  assert.equal(open(await spot.orders(id)).length, 1)
  await server.call('retire_sku', { params: { id: spot.market.sku } })
  const body = { instance_template: await template() }
  const refused = await server.attempt('update_deployment', { params: { id }, token: buyer.token, body })
  assert.deepEqual(refusalOf(refused), [422, 'sku_not_available', 'sku'])
})

test('delete_deployment of a spot fleet cancels orders and ends instances in one transaction', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, market } = spot
  await spot.offer({ nodes: 1 })
  const { id } = await spot.deploy({ name: 'gone' })
  await server.advance(120)
  assert.deepEqual(await spot.fleet(id), { running: 1, awaiting_allocation: 1 })
  const resting = open(await spot.orders(id))
  assert.ok(resting.length > 0)
  const owned = await market.owned(buyer)
  const remover = await makeToken(server, buyer, { deployment: ['delete'] })
  const { cursor } = await spot.get('/preview/v2/events?limit=200')
  const deleted = await server.attempt('delete_deployment', {
    params: { id: `svc:deployment:${buyer.id}:default:gone` },
    token: remover.token,
  })
  assert.deepEqual([deleted.status, deleted.text], [204, ''])
  const { data } = await spot.get(`/preview/v2/events?starting_after=${cursor}`)
  const actor = { type: 'token', id: remover.id }
  assert.deepEqual(
    data.map((event: any) => [event.action, event.actor]),
    [...resting.map(() => ['order.cancelled', actor]), ['instance.terminated', actor], ['instance.terminated', actor]],
  )
  assert.deepEqual(new Set(data.slice(0, resting.length).map(targetOf)), new Set(resting.map((order) => order.id)))
  assert.deepEqual(await spot.fleet(id), { terminated: 2 })
  const orders = await spot.orders(id)
  for (const { id: ended } of resting) {
    const { state, cancel_reason, managed_by } = orders.find((order) => order.id === ended)
    assert.deepEqual([state, cancel_reason, managed_by.id], ['cancelled', 'deployment_deleted', id])
  }
  assert.equal((await market.balance(buyer)).held, '0.000000')
  assert.deepEqual(await market.owned(buyer), owned)
  const again = await server.attempt('delete_deployment', { params: { id }, token: buyer.token })
  assert.equal(again.status, 404)
  await server.advance(hour)
  assert.equal((await spot.orders(id)).length, orders.length)
  assert.equal(
    (await server.call('create_deployment', { token: buyer.token, body: spot.spotBody({ name: 'gone' }) })).name,
    'gone',
  )
  await assertAuditsPass(server)
})

function targetOf(event: { targets: { id: string }[] }): string | undefined {
  return event.targets[0]?.id
}

test('a spot deployment can be deleted while the market is halted or the account has no funds', async () => {
  await using spot = await makeSpotMarket(server, { dollars: '5.000000' })
  const { id } = await spot.deploy()
  await server.call('halt_market', { body: { sku: spot.market.sku } })
  const removed = await server.attempt('delete_deployment', { params: { id }, token: spot.buyer.token })
  await server.call('resume_market', { body: { sku: spot.market.sku } })
  assert.equal(removed.status, 204)
  assert.deepEqual(open(await spot.orders(id)), [])
})

test('of 32 concurrent deletions one is 204 and all others are 404', async () => {
  await using spot = await makeSpotMarket(server)
  await spot.offer({ nodes: 1 })
  const { id } = await spot.deploy()
  await server.advance(120)
  const remove = () => server.attempt('delete_deployment', { params: { id }, token: spot.buyer.token })
  const responses = await Promise.all(Array.from({ length: 32 }, remove))
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [204, ...Array.from({ length: 31 }, () => 404)])
  const ended = await spot.history('&action=instance.terminated')
  assert.equal(ended.length, 2)
  await assertAuditsPass(server)
})

test('a deletion concurrent with steps, changes, offers and a transfer leaves no order or instance', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, seller, market } = spot
  for (let round = 0; round < 8; round++) {
    const { id } = await server.call('create_deployment', { token: buyer.token, body: spot.spotBody() })
    if (round % 2 === 0) await server.settle()
    const change = (body: object) => server.attempt('update_deployment', { params: { id }, token: buyer.token, body })
    const start_at = (await runningMinute(server)) + 60
    const terms = { side: 'sell', start_at, nodes: 1, minutes: 60, allow_partial: true } as const
    const responses = await Promise.all([
      change({ target_instance_count: 3 }),
      market.order(seller, terms),
      server.attempt('delete_deployment', { params: { id }, token: buyer.token }),
      change({ [price]: '1.800000' }),
      market.order(seller, terms),
      change({ enabled: false }),
    ])
    assert.equal(responses[2].status, 204)
    for (const at of [0, 3, 5] as const) assert.ok([200, 404].includes(responses[at].status), `${responses[at].text}`)
    await server.settle()
    assert.deepEqual(open(await spot.orders(id)), [])
    assert.equal((await market.balance(buyer)).held, '0.000000')
    const { running = 0, awaiting_allocation = 0 } = await spot.fleet(id)
    assert.equal(running + awaiting_allocation, 0)
    await assertAuditsPass(server)
  }
})

test('capacity that the owner offers is not bought again before it is sold', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer } = spot
  await spot.offer()
  const { id } = await spot.deploy()
  assert.equal((await spot.orders(id)).length, 1)
  const before = await market.balance(buyer)
  const terms = { start_at: (await runningMinute(server)) + 600, nodes: 2, minutes: 10, price: '6.000000' }
  const offer = await market.order(buyer, { ...terms, side: 'sell', allow_standing: true, allow_partial: true })
  await server.settle()
  assert.equal((await spot.orders(id)).length, 1)
  assert.deepEqual(await market.balance(buyer), before)
  // Two of the four offered nodes belong to the fleet's pool, so a buyer of three gets one from its owner.
  const taken = { ...terms, start_at: terms.start_at + 120, minutes: 5 }
  assert.equal((await market.order(await market.buyer(), { ...taken, nodes: 3 })).state, 'filled')
  assert.equal((await market.read(buyer, offer)).state, 'partially_filled')
  await server.settle()
  const [again, ...rest] = await spot.orders(id)
  assert.deepEqual([rest.length, again.state, again.limit_price_dollars_per_node_hour], [1, 'standing', '2.400000'])
  const window = { start_at: taken.start_at, end_at: taken.start_at + 300, node_count: 1 }
  assert.deepEqual(again.allocation_schedule_delta, [window])
  await assertAuditsPass(server)
})

test('a frozen account buys nothing until it is unfrozen', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer } = spot
  const { id } = await spot.deploy()
  await server.call('freeze_account', { params: { account: buyer.id } })
  await server.settle()
  const frozen = await spot.orders(id)
  assert.deepEqual(
    frozen.map(({ state, cancel_reason }) => [state, cancel_reason]),
    [['cancelled', 'account_frozen']],
  )
  await server.advance(1200)
  assert.equal((await spot.orders(id)).length, 1)
  await assertAuditsPass(server)
  await server.call('unfreeze_account', { params: { account: buyer.id } })
  await server.settle()
  assert.equal(open(await spot.orders(id)).length, 1)
})

test('on a retired SKU a spot deployment buys nothing until the SKU is restored', async () => {
  await using spot = await makeSpotMarket(server)
  const { id } = await spot.deploy()
  await server.call('retire_sku', { params: { id: spot.market.sku } })
  await server.settle()
  assert.deepEqual([(await spot.status(id)).code, open(await spot.orders(id))], ['sku_not_available', []])
  await server.advance(1200)
  assert.equal((await spot.orders(id)).length, 1)
  await server.call('restore_sku', { params: { id: spot.market.sku } })
  await server.settle()
  assert.equal(open(await spot.orders(id)).length, 1)
})

test('a spot deployment waits while the market is halted, and continues afterwards', async () => {
  await using spot = await makeSpotMarket(server)
  const { sku } = spot.market
  await spot.offer()
  await server.call('halt_market', { body: { sku } })
  const { id } = await spot.deploy()
  assert.deepEqual([(await spot.status(id)).code, await spot.orders(id)], ['waiting_for_allocation', []])
  await server.call('resume_market', { body: { sku } })
  await server.advance(120)
  assert.deepEqual(await spot.fleet(id), { running: 2 })
})

test('an order that a caller cancels is placed again', async () => {
  await using spot = await makeSpotMarket(server)
  const { id } = await spot.deploy()
  const [order] = await spot.orders(id)
  assert.equal(await spot.market.cancel(spot.buyer, order), 204)
  await server.advance(60)
  assert.equal(open(await spot.orders(id)).length, 1)
  await assertAuditsPass(server)
})

test('the references of a spot deployment must exist, match and be permitted', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, seller } = spot
  const grant = { account: buyer.id, workspace: buyer.workspace_id, from_pool: seller.pool, sku: spot.market.sku }
  const start_at = (await runningMinute(server)) + 60
  const allocation_schedule = [{ start_at, end_at: start_at + hour, node_count: 1 }]
  const granted = await server.call('create_read_only_pool', { body: { ...grant, allocation_schedule } })
  const steps = { price_step_dollars_per_node_hour: '0.01' }
  const stepped = (await server.call('create_sku', { body: steps })).id
  for (const [change, refusal] of [
    [{ kind: 'burst' }, [400, 'invalid_value', 'kind']],
    [{ [price]: undefined }, [400, 'required', price]],
    [{ [price]: null }, [400, 'required', price]],
    [{ [price]: '2.4', pool: 'pool_absent' }, [422, 'reference_not_found', 'pool']],
    [{ [price]: '2.0000000' }, [400, 'invalid_format', price]],
    [{ [price]: '2.005', sku: stepped }, [400, 'not_aligned', price]],
    [{ [price]: 2.4 }, [400, 'invalid_type', price]],
    [{ [price]: '0.000000' }, [400, 'out_of_range', price]],
    [{ [price]: '2000000.000000' }, [400, 'out_of_range', price]],
    [{ kind: 'generic' }, [422, 'not_applicable', price]],
    [{ kind: undefined }, [422, 'not_applicable', price]],
    [{ pool: granted.id }, [422, 'pool_kind_not_allowed', 'pool']],
    [{ pool: seller.pool }, [422, 'reference_not_found', 'pool']],
    [{ sku: 'sku_absent' }, [422, 'sku_not_available', 'sku']],
    [{ instance_template: 'itmpl_absent' }, [422, 'reference_not_found', 'instance_template']],
    [{ target_instance_count: 10_001 }, [400, 'out_of_range', 'target_instance_count']],
  ] as const) {
    const response = await server.attempt('create_deployment', { token: buyer.token, body: spot.spotBody(change) })
    assert.deepEqual(refusalOf(response), refusal, JSON.stringify(change))
  }
  const { id } = await spot.deploy({ target_instance_count: 0 })
  for (const [body, refusal] of [
    [{ [price]: '0.000000' }, [400, 'out_of_range', price]],
    [{ [price]: null }, [400, 'invalid_type', price]],
    [{ kind: 'generic' }, [400, 'unknown_field', 'kind']],
  ] as const) {
    const response = await server.attempt('update_deployment', { params: { id }, token: buyer.token, body })
    assert.deepEqual(refusalOf(response), refusal, JSON.stringify(body))
  }
  const pool = (await server.call('create_pool', { token: buyer.token, body: {} })).id
  const generic = await server.call('create_deployment', {
    token: buyer.token,
    body: { ...spot.spotBody({ pool, kind: 'generic' }), [price]: undefined },
  })
  const body = { [price]: '1.200000' }
  const response = await server.attempt('update_deployment', { params: { id: generic.id }, token: buyer.token, body })
  assert.deepEqual(refusalOf(response), [422, 'not_applicable', price])
  assert.equal(Object.hasOwn(generic, price), false)
})

test('list_deployments filters by kind', async () => {
  await using spot = await makeSpotMarket(server)
  const pool = (await server.call('create_pool', { token: spot.buyer.token, body: {} })).id
  const { id } = await spot.deploy()
  const body = { ...spot.spotBody({ kind: 'generic', pool }), [price]: undefined }
  const generic = await server.call('create_deployment', { token: spot.buyer.token, body })
  const ids = async (filter: string) => (await spot.get(`${spotPath}${filter}`)).data.map((one: any) => one.id)
  assert.deepEqual(await ids('?kind=spot'), [id])
  assert.deepEqual(await ids('?kind=generic'), [generic.id])
  assert.deepEqual((await ids('')).sort(), [id, generic.id].sort())
})

test('creating a spot deployment also needs order:create', async () => {
  await using spot = await makeSpotMarket(server)
  const beside = { instance_template: ['read'], image: ['read'], pool: ['read'] }
  const rights = { deployment: ['create', 'read'], instance: ['create'], ...beside }
  const half = await makeToken(server, spot.buyer, rights)
  const refused = await server.attempt('create_deployment', { token: half.token, body: spot.spotBody() })
  assert.notEqual(refused.status, 201)
  const seeing = await makeToken(server, spot.buyer, { ...rights, order: ['read'] })
  assert.equal((await server.attempt('create_deployment', { token: seeing.token, body: spot.spotBody() })).status, 403)
  const whole = await makeToken(server, spot.buyer, { ...rights, order: ['create'] })
  assert.equal((await server.attempt('create_deployment', { token: whole.token, body: spot.spotBody() })).status, 201)
})

test('a pool and SKU can have a procurement or a spot deployment, but not both', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, market } = spot
  const prices = { min_sell_price_dollars_per_node_hour: '6.000000', [price]: '1.200000' }
  const terms = { pool: buyer.pool, sku: market.sku, target: 1, managed_window_minutes: 60, ...prices }
  const buy = () => server.attempt('create_procurement', { token: buyer.token, body: terms })
  const send = (body: object) => server.attempt('create_deployment', { token: buyer.token, body })
  const procurement = await buy()
  assert.equal(procurement.status, 201)
  assert.deepEqual(refusalOf(await send(spot.spotBody())), [409, 'automation_conflict', 'pool'])
  const generic = await send({ ...spot.spotBody({ kind: 'generic' }), [price]: undefined })
  assert.equal(generic.status, 201)
  await server.call('delete_deployment', { params: { id: generic.body.id }, token: buyer.token })
  await server.call('delete_procurement', { params: { id: procurement.body.id }, token: buyer.token })
  assert.equal((await send(spot.spotBody())).status, 201)
  assert.deepEqual(refusalOf(await buy()), [409, 'automation_conflict', 'pool'])
  await assertAuditsPass(server)
})

test('a spot deployment excludes other deployments from its pool and SKU', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer } = spot
  const send = (body: object) => server.attempt('create_deployment', { token: buyer.token, body })
  const generic = { ...spot.spotBody({ kind: 'generic' }), [price]: undefined }
  const one = await send(generic)
  const conflict = await send(spot.spotBody())
  assert.deepEqual(refusalOf(conflict).slice(0, 2), [409, 'automation_conflict'])
  assert.match(conflict.body.error.details[0].message, new RegExp(one.body.id))
  await server.call('delete_deployment', { params: { id: one.body.id }, token: buyer.token })
  const alone = await send(spot.spotBody({ enabled: false }))
  assert.equal(alone.status, 201)
  for (const body of [spot.spotBody(), generic]) assert.equal(refusalOf(await send(body))[1], 'automation_conflict')
  const pool = (await server.call('create_pool', { token: buyer.token, body: {} })).id
  assert.equal((await send(spot.spotBody({ pool }))).status, 201)
  await server.call('delete_deployment', { params: { id: alone.body.id }, token: buyer.token })
  for (let round = 0; round < 6; round++) {
    const bodies = Array.from({ length: 8 }, (_, index) => (index % 2 === round % 2 ? spot.spotBody() : generic))
    const responses = await Promise.all(bodies.map(send))
    const made = responses.filter(({ status }) => status === 201).map(({ body }) => body.object)
    for (const response of responses.filter(({ status }) => status !== 201)) {
      assert.equal(refusalOf(response)[1], 'automation_conflict')
    }
    assert.ok(made.length === 1 || made.every((object) => object === 'deployment'), made.join(' '))
    for (const { body } of responses.filter(({ status }) => status === 201)) {
      await server.call('delete_deployment', { params: { id: body.id }, token: buyer.token })
    }
  }
  await assertAuditsPass(server)
})
