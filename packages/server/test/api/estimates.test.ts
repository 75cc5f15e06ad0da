/** Estimates of spot deployments and procurements, and what orders of an estimate cost when they are placed. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeToken } from '../support/access.ts'
import { makeSpotMarket, type SpotMarket, spotPath } from '../support/fixtures/spot.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
// The window of an automation begins at the next minute, so a minute that passes would change what is estimated.
await server.call('freeze_clock')
const procurements = '/preview/v2/procurements'
const newSpot = '/preview/v2/deployment_estimates'
const newProcurement = '/preview/v2/procurement_estimates'
const buyPrice = 'max_buy_price_dollars_per_node_hour'
const sellPrice = 'min_sell_price_dollars_per_node_hour'

function post({ buyer }: SpotMarket, path: string, body: object) {
  return server.ok('POST', path, { token: buyer.token, body })
}

async function refusalOf({ buyer }: SpotMarket, path: string, body: object): Promise<[number, string]> {
  const response = await server.request('POST', path, { token: buyer.token, body })
  return [response.status, response.body.error?.details?.[0].code ?? response.body.error?.type]
}

function procurementBody({ buyer, market }: SpotMarket, more: object = {}) {
  const prices = { [buyPrice]: '2.400000', [sellPrice]: '5.000000' }
  return { pool: buyer.pool, sku: market.sku, target: 3, managed_window_minutes: 120, ...prices, ...more }
}

const budget = (spot: SpotMarket, amount_dollars: string) =>
  post(spot, '/preview/v2/billing/budgets', { name: 'tight', period: 'day', amount_dollars, hard_stop: true })

test('create_deployment_estimate shows what the creation then buys, and changes nothing', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, market } = spot
  await spot.offer({ nodes: 2 })
  await spot.offer({ nodes: 2, price: '1.800000' })
  const body = spot.spotBody({ target_instance_count: 3 })
  const found = await post(spot, newSpot, body)
  assert.deepEqual([found.object, found.enabled, found.can_trade_more], ['automation_estimate', true, true])
  assert.deepEqual([found.target_node_count, found.end_at - found.start_at], [3, 3600])
  const { offers, ...buy } = found.buy
  assert.deepEqual(buy, {
    order_count: 1,
    node_minutes: 180,
    traded_node_minutes: 180,
    offer_count: 2,
    total_dollars: '4.200000',
    average_price_dollars_per_node_hour: '1.400000',
    fee_dollars: '0.000000',
    worst_case_dollars: '7.200000',
  })
  const priced = offers.map((offer: any) => [
    offer.price_dollars_per_node_hour,
    offer.node_minutes,
    offer.total_dollars,
  ])
  assert.deepEqual(priced, [
    ['1.200000', 120, '2.400000'],
    ['1.800000', 60, '1.800000'],
  ])
  assert.deepEqual([found.worst_case_dollars_per_hour, found.worst_case_dollars_per_day], ['7.200000', '172.800000'])
  assert.deepEqual([found.available_dollars, found.available_after_dollars], ['1000.000000', '995.800000'])
  assert.deepEqual([found.refusal, found.reason], [null, null])
  assert.deepEqual((await spot.get(spotPath)).data, [])
  assert.deepEqual((await spot.get('/v2/orders?include_managed=true')).data, [])
  assert.equal((await market.balance(buyer)).available, '1000.000000')
  await spot.deploy({ target_instance_count: 3 })
  assert.equal((await market.balance(buyer)).available, found.available_after_dollars)
})

test('create_deployment_estimate says why nothing would be bought', async () => {
  await using spot = await makeSpotMarket(server, { dollars: '5.000000' })
  const reasonOf = async (more: object) => {
    const { reason, refusal, buy } = await post(spot, newSpot, spot.spotBody(more))
    assert.equal(buy.traded_node_minutes, 0)
    return [reason.code, refusal?.code ?? null]
  }
  assert.deepEqual(await reasonOf({}), ['no_offer_at_price', null])
  await spot.offer()
  assert.deepEqual(await reasonOf({ enabled: false }), ['disabled', null])
  assert.deepEqual(await reasonOf({ [buyPrice]: '1.190000' }), ['no_offer_at_price', null])
  assert.deepEqual(await reasonOf({ target_instance_count: 0 }), ['nothing_missing', null])
  assert.deepEqual(await reasonOf({ target_instance_count: 3 }), ['refused', 'payment_required'])
  const generic = { kind: 'generic', [buyPrice]: undefined }
  assert.deepEqual(await reasonOf(generic), ['never_buys', null])
  await budget(spot, '4.000000')
  assert.deepEqual(await reasonOf({}), ['refused', 'budget_exceeded'])
  await server.call('halt_market', { body: { sku: spot.market.sku, message: 'Repair.' } })
  assert.deepEqual(await reasonOf({}), ['market_halted', 'unavailable'])
})

test('create_deployment_estimate refuses what the creation refuses', async () => {
  await using spot = await makeSpotMarket(server, { sku: { price_step_dollars_per_node_hour: '0.100000' } })
  const { seller } = spot
  const refused = (more: object) => refusalOf(spot, newSpot, spot.spotBody(more))
  assert.deepEqual(await refused({ [buyPrice]: '1.250000' }), [400, 'not_aligned'])
  assert.deepEqual(await refused({ [buyPrice]: undefined }), [400, 'required'])
  assert.deepEqual(await refused({ pool: 'pool_missing' }), [422, 'reference_not_found'])
  assert.deepEqual(await refused({ pool: seller.pool }), [422, 'reference_not_found'])
  assert.deepEqual(await refused({ sku: 'sku_missing' }), [422, 'sku_not_available'])
  assert.deepEqual(await refused({ instance_template: 'itmpl_missing' }), [422, 'reference_not_found'])
  assert.deepEqual(await refused({ kind: 'generic' }), [422, 'not_applicable'])
  const bySeller = { ...spot, buyer: seller }
  assert.deepEqual(await refusalOf(bySeller, newSpot, spot.spotBody({ pool: seller.pool })), [
    422,
    'pool_kind_not_allowed',
  ])
  const workspace = (await post(spot, '/v2/workspaces', { name: 'elsewhere' })).id
  const pool = (await post(spot, '/v2/pools', { workspace })).id
  assert.deepEqual(await refused({ pool }), [422, 'workspace_mismatch'])
  await spot.deploy()
  assert.deepEqual(await refused({}), [409, 'automation_conflict'])
  assert.deepEqual(await refused({ kind: 'generic', [buyPrice]: undefined }), [409, 'automation_conflict'])
})

test('create_deployment_update_estimate estimates the difference that a change makes', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, market } = spot
  await spot.offer()
  const { id } = await spot.deploy()
  const change = (body: object) => post(spot, `${spotPath}/${id}/estimate`, body)
  const same = await change({})
  assert.deepEqual([same.can_trade_more, same.reason.code, same.buy.order_count], [false, 'nothing_missing', 0])
  const more = await change({ target_instance_count: 3 })
  assert.deepEqual([more.can_trade_more, more.buy.total_dollars], [true, '1.200000'])
  assert.deepEqual([(await change({ enabled: false })).reason.code], ['disabled'])
  await server.call('update_deployment', { params: { id }, token: buyer.token, body: { target_instance_count: 3 } })
  await server.settle()
  assert.equal((await market.balance(buyer)).available, more.available_after_dollars)
  // Beyond the four nodes of the seller, the rest waits; at another price its hold is released first.
  await server.call('update_deployment', { params: { id }, token: buyer.token, body: { target_instance_count: 6 } })
  await server.settle()
  const held = await change({ [buyPrice]: '1.200000' })
  assert.deepEqual([held.can_trade_more, held.reason.code], [false, 'no_offer_at_price'])
  await server.call('update_deployment', { params: { id }, token: buyer.token, body: { [buyPrice]: '1.200000' } })
  await server.settle()
  assert.equal((await market.balance(buyer)).available, held.available_after_dollars)
  const stopped = await change({ enabled: false })
  assert.equal(stopped.available_after_dollars, (await market.balance(buyer)).total)
  const refused = (body: object, ref = id) => refusalOf(spot, `${spotPath}/${ref}/estimate`, body)
  assert.deepEqual(await refused({}, 'depl_missing'), [404, 'not_found'])
  assert.deepEqual(await refused({ instance_template: 'itmpl_missing' }), [422, 'reference_not_found'])
  assert.deepEqual(await refused({ [buyPrice]: '0' }), [400, 'out_of_range'])
  const generic = { kind: 'generic', [buyPrice]: undefined, pool: (await post(spot, '/v2/pools', {})).id }
  const { id: other } = await post(spot, spotPath, spot.spotBody(generic))
  assert.deepEqual(await refused({ [buyPrice]: '1' }, other), [422, 'not_applicable'])
  assert.equal((await post(spot, `${spotPath}/${other}/estimate`, { target_instance_count: 3 })).can_trade_more, false)
})

test('create_procurement_estimate and create_procurement_update_estimate show what the step then buys', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer, market } = spot
  await spot.offer({ nodes: 2 })
  const found = await post(spot, newProcurement, procurementBody(spot))
  assert.deepEqual([found.buy.node_minutes, found.buy.traded_node_minutes, found.reason], [360, 240, null])
  assert.deepEqual([found.buy.total_dollars, found.buy.worst_case_dollars], ['4.800000', '14.400000'])
  assert.deepEqual([found.worst_case_dollars_per_hour, found.worst_case_dollars_of_window], ['7.200000', '14.400000'])
  // Two of three nodes are bought. The hold of the third one stays.
  assert.equal(found.available_after_dollars, '990.400000')
  await post(spot, procurements, procurementBody(spot))
  await server.settle()
  assert.equal((await market.balance(buyer)).available, found.available_after_dollars)
  const [{ id }] = (await spot.get(procurements)).data
  const change = (body: object) => post(spot, `${procurements}/${id}/estimate`, body)
  assert.deepEqual(
    [(await change({ name: 'other' })).can_trade_more, (await change({})).can_trade_more],
    [false, false],
  )
  const less = await change({ target: 1 })
  assert.deepEqual([less.can_trade_more, less.sell.node_minutes, less.sell.fee_dollars], [true, 120, '0.000000'])
  const followed = await change({ target: 'node_count' })
  assert.deepEqual([followed.target_node_count, followed.worst_case_dollars_per_hour], [0, '0.000000'])
  await server.call('update_procurement', { params: { id }, token: buyer.token, body: { target: 1 } })
  await server.settle()
  assert.equal((await market.balance(buyer)).available, less.available_after_dollars)
  const refused = (path: string, body: object) => refusalOf(spot, path, body)
  assert.deepEqual(await refused(newProcurement, procurementBody(spot)), [409, 'automation_conflict'])
  assert.deepEqual(await refused(newProcurement, procurementBody(spot, { sku: 'sku_missing' })), [
    422,
    'sku_not_available',
  ])
  assert.deepEqual(await refused(newProcurement, procurementBody(spot, { pool: 'pool_missing' })), [
    422,
    'reference_not_found',
  ])
  assert.deepEqual(await refused(`${procurements}/${id}/estimate`, { sku: 'sku_missing' }), [422, 'sku_not_available'])
  assert.deepEqual(await refused(`${procurements}/proc_missing/estimate`, {}), [404, 'not_found'])
})

test('estimates of sells show the proceeds less the fee', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, seller, buyer } = spot
  const terms = { pool: seller.pool, sku: market.sku, target: 3, managed_window_minutes: 60, [sellPrice]: '1.000000' }
  const bySeller = { ...spot, buyer: seller }
  const rests = { side: 'buy', nodes: 1, minutes: 600, price: '2.000000', allow_standing: true, allow_partial: true }
  const { now } = await server.call('get_clock')
  await market.order(buyer, { ...rests, start_at: now - (now % 60) } as never)
  const found = await post(bySeller, newProcurement, terms)
  assert.deepEqual([found.sell.total_dollars, found.sell.fee_dollars], ['2.000000', '0.020000'])
  assert.deepEqual([found.max_buy_price_dollars_per_node_hour, found.worst_case_dollars_per_hour], [null, '0.000000'])
  await post(bySeller, procurements, terms)
  await server.settle()
  assert.equal((await market.balance(seller)).available, found.available_after_dollars)
  const { id } = (await server.call('list_procurements', { token: seller.token })).data[0]
  const refused = (path: string, body: object) => refusalOf(bySeller, path, body)
  assert.deepEqual(await refused(newProcurement, { ...terms, [buyPrice]: '1' }), [422, 'not_applicable'])
  assert.deepEqual(await refused(`${procurements}/${id}/estimate`, { [buyPrice]: '1' }), [422, 'not_applicable'])
})

test('estimates of changes refuse what the changes refuse', async () => {
  await using spot = await makeSpotMarket(server, { sku: { price_step_dollars_per_node_hour: '0.100000' } })
  const { buyer, market } = spot
  const { id } = await spot.deploy({ enabled: false })
  const pool = (await post(spot, '/v2/pools', {})).id
  const { id: kept } = await post(spot, procurements, procurementBody(spot, { pool, enabled: false }))
  const other = (await server.call('create_sku', { body: {} })).id
  await post(spot, procurements, procurementBody(spot, { pool, sku: other, enabled: false }))
  const ofSpot = (body: object) => refusalOf(spot, `${spotPath}/${id}/estimate`, body)
  const ofProcurement = (body: object) => refusalOf(spot, `${procurements}/${kept}/estimate`, body)
  assert.deepEqual(await ofSpot({ [buyPrice]: '1.250000' }), [400, 'not_aligned'])
  const workspace = (await post(spot, '/v2/workspaces', { name: 'apart' })).id
  const image = (await post(spot, '/sandbox/images', { name: 'apart', workspace })).id
  const template = (await post(spot, '/preview/v2/instance_templates', { image, workspace })).id
  assert.deepEqual(await ofSpot({ instance_template: template }), [422, 'workspace_mismatch'])
  assert.deepEqual(await ofProcurement({ [buyPrice]: '1.250000' }), [400, 'not_aligned'])
  assert.deepEqual(await ofProcurement({ sku: other }), [409, 'automation_conflict'])
  const aligned = procurementBody(spot, { [sellPrice]: '1.250000', pool: (await post(spot, '/v2/pools', {})).id })
  assert.deepEqual(await refusalOf(spot, newProcurement, aligned), [400, 'not_aligned'])
  const grant = { account: buyer.id, workspace: buyer.workspace_id, from_pool: spot.seller.pool, sku: market.sku }
  const { now } = await server.call('get_clock')
  const start_at = now - (now % 60) + 3600
  const allocation_schedule = [{ start_at, end_at: start_at + 3600, node_count: 1 }]
  const lent = await server.call('create_read_only_pool', { body: { ...grant, allocation_schedule } })
  const fixed = procurementBody(spot, { pool: lent.id })
  assert.deepEqual(await refusalOf(spot, newProcurement, fixed), [422, 'pool_kind_not_allowed'])
  assert.deepEqual(await refusalOf(spot, '/preview/v2/order_estimates', orderAt(spot, '1.250000', start_at)), [
    400,
    'not_aligned',
  ])
})

function orderAt({ market, buyer }: SpotMarket, limit_price_dollars_per_node_hour: string, start_at: number) {
  const window = { start_at, duration_seconds: 3600, node_count: 1 }
  return { side: 'buy', sku: market.sku, pool: buyer.pool, ...window, limit_price_dollars_per_node_hour }
}

test('an estimate on a SKU that was never traded knows that the market is halted', async () => {
  await using spot = await makeSpotMarket(server)
  const sku = (await server.call('create_sku', { body: {} })).id
  const reasonOf = async () => (await post(spot, newProcurement, procurementBody(spot, { sku }))).reason.code
  assert.equal(await reasonOf(), 'no_offer_at_price')
  await server.call('halt_market', { body: {} })
  assert.equal(await reasonOf(), 'market_halted')
  await server.call('resume_market', { body: {} })
})

test('estimates hide the balance from callers without billing:read', async () => {
  await using spot = await makeSpotMarket(server)
  const { buyer } = spot
  await spot.offer()
  const actions = { pool: ['*'], procurement: ['*'], order: ['*'] }
  const { token } = await makeToken(server, buyer, actions)
  const found = await server.call('create_procurement_estimate', { token, body: procurementBody(spot) })
  assert.deepEqual([found.available_dollars, found.available_after_dollars], [null, null])
  assert.equal(found.buy.traded_node_minutes, 360)
})

test('create_order_estimate at a limit shows the part that trades, the hold and the refusal of the order', async () => {
  await using spot = await makeSpotMarket(server)
  const { market, buyer } = spot
  const offered = await spot.offer({ nodes: 2 })
  const [{ start_at }] = offered.allocation_schedule_delta ?? offered.body.allocation_schedule_delta
  const asked = {
    side: 'buy' as const,
    sku: market.sku,
    pool: buyer.pool,
    start_at,
    duration_seconds: 3600,
    node_count: 3,
  }
  const estimate = (more: object) => post(spot, '/preview/v2/order_estimates', { ...asked, ...more })
  const limit = (price: string) => ({ limit_price_dollars_per_node_hour: price })
  assert.equal((await estimate(limit('2'))).reason, 'no_offer_at_price')
  assert.equal((await estimate({ ...limit('1'), allow_partial: true })).reason, 'no_offer_at_price')
  const part = await estimate({ ...limit('2'), allow_partial: true })
  assert.deepEqual([part.node_minutes, part.traded_node_minutes, part.worst_case_dollars], [180, 120, '6.000000'])
  assert.deepEqual([part.available_dollars, part.available_after_dollars], ['1000.000000', '997.600000'])
  const rests = await estimate({ ...limit('1'), allow_standing: true })
  assert.deepEqual([rests.type, rests.traded_node_minutes, rests.worst_case_dollars], ['quoted', 0, '3.000000'])
  assert.deepEqual([rests.average_price_dollars_per_node_hour, rests.available_after_dollars], [null, '997.000000'])
  const both = await estimate({ ...limit('2'), allow_standing: true, allow_partial: true })
  assert.equal(both.available_after_dollars, '995.600000')
  const any = await estimate({ allow_partial: true })
  assert.equal(any.post_order_body.limit_price_dollars_per_node_hour, '1.200000')
  const dear = await estimate({ ...limit('100000'), allow_partial: true })
  assert.deepEqual([dear.refusal.code, dear.traded_node_minutes], ['payment_required', 120])
  await budget(spot, '5.000000')
  assert.equal((await estimate({ ...limit('2'), allow_partial: true })).refusal.code, 'budget_exceeded')
  const { token } = await makeToken(server, buyer, { pool: ['*'] })
  const body = { ...asked, ...limit('2'), allow_partial: true } as const
  const unseen = await server.call('create_order_estimate', { token, body })
  assert.deepEqual([unseen.refusal.code, unseen.available_dollars], ['forbidden', null])
  const order = await server.call('create_order', { token: buyer.token, body: any.post_order_body })
  assert.deepEqual([order.state, order.fills.length], ['cancelled', 1])
  assert.deepEqual(await refusalOf(spot, '/preview/v2/order_estimates', { ...asked, ...limit('0') }), [
    400,
    'out_of_range',
  ])
})
