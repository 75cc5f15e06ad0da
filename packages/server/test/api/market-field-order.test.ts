import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import { misplacedFields } from '../support/field-order.ts'
import { makeMarket } from '../support/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

type Call = { readonly path: string; readonly token?: string; readonly body?: object }

/** Fails unless the answer to a call has its fields in the order of the contract. Gives the answer. */
async function assertInOrder(name: OperationName, { path, ...sent }: Call): Promise<any> {
  const operation = endpoints.find((endpoint) => endpoint.name === name)
  assert.ok(operation)
  const answer = await server.ok(operation.method, path, sent)
  assert.deepEqual(misplacedFields(answer, operation.response), [], name)
  return answer
}

/** A SKU with every property, written in the reverse order of the contract. */
async function makeFullSku(): Promise<{ id: string }> {
  const values = '/preview/v2/admin/sku_properties'
  for (const property of ['region', 'availability_zone', 'accelerator', 'form_factor', 'infiniband_fabric']) {
    const path = `${values}/${property}/values/full`
    await assertInOrder('put_sku_property_value', { path, body: { display_name: 'Full' } })
  }
  const body = {
    supports_public_ipv4: true,
    local_storage_bytes: 2 ** 41,
    memory_bytes: 2 ** 40,
    num_vcpus: 192,
    num_accelerators: 8,
    infiniband_fabric: 'full',
    rdma_type: 'infiniband',
    form_factor: 'full',
    accelerator: 'full',
    availability_zone: 'full',
    region: 'full',
  }
  return assertInOrder('create_sku', { path: '/preview/v2/admin/skus', body })
}

test('SKUs, their properties and their overrides have the fields of the contract in its order', async () => {
  const account = await server.account()
  const { id } = await makeFullSku()
  const path = `/preview/v2/admin/accounts/${account.id}/sku_overrides`
  const body = { num_vcpus: 96, accelerator: 'full' }
  await assertInOrder('update_sku', { path: `/preview/v2/admin/skus/${id}`, body: { fee_bps: 10 } })
  await assertInOrder('put_sku_override', { path: `${path}/${id}`, body })
  await assertInOrder('list_sku_overrides', { path })
  await assertInOrder('list_sku_properties', { path: '/v2/skus/property_catalog' })
  await assertInOrder('get_sku', { path: `/v2/skus/${id}`, token: account.token })
  // The page begins with its cursor, so that its rows can come from a cache that all accounts share.
  const page = await server.ok('GET', '/v2/skus', { token: account.token })
  assert.deepEqual(Object.keys(page), ['object', 'cursor', 'data', 'has_more'])
  const { response } = endpoints.find(({ name }) => name === 'get_sku') ?? {}
  assert.deepEqual(
    page.data.flatMap((sku: object) => misplacedFields(sku, response)),
    [],
  )
})

test('pools, orders, transfers, the order book and money have the fields of the contract in its order', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(8), await market.buyer()]
  const resting = { allow_standing: true, allow_partial: true } as const
  const post = (party: typeof buyer, order: Parameters<typeof market.body>[1]) =>
    assertInOrder('create_order', { path: '/v2/orders', token: party.token, body: market.body(party, order) })
  const [ask, bid] = [
    await post(seller, { ...resting, side: 'sell', nodes: 4 }),
    await post(buyer, { ...resting, nodes: 1, price: '0.600000' }),
  ]
  const bought = await post(buyer, { nodes: 2 })
  const { token } = buyer
  const window = `start_at=${market.start}&end_at=${market.start + 3600}`
  const only = `requirements=id:${market.sku}`
  const orderbook = '/preview/v2/orderbook'
  const range = `range_start_at=${market.start}&range_end_at=${market.start + 3600}`
  const target = (await server.ok('POST', '/v2/pools', { token: seller.token, body: { tags: { team: 'blue' } } })).id
  const schedule = [{ start_at: market.start, end_at: market.start + 3600, node_count: 1 }]
  const move = { from_pool: seller.pool, to_pool: target, sku: market.sku, allocation_schedule_delta: schedule }
  const moved = await assertInOrder('create_pool_transfer', {
    path: '/preview/v2/pool_transfers',
    token: seller.token,
    body: move,
  })
  const notice = { start_at: market.start, end_at: market.start + 3600, maintenance_type: 'info' }
  await assertInOrder('create_maintenance_window', {
    path: '/preview/v2/admin/maintenance_windows',
    body: { ...notice, title: 'Switches', description: 'Switches are replaced.' },
  })
  const asked = { side: 'buy', start_at: market.start, duration_seconds: 3600, node_count: 1 }
  for (const body of [
    { ...asked, sku: market.sku },
    { ...asked, sku: market.sku, node_count: 1000 },
  ]) {
    await assertInOrder('create_order_estimate', { path: '/preview/v2/order_estimates', token, body })
  }
  const reads: [OperationName, string, string?][] = [
    ['list_pools', '/v2/pools', token],
    ['get_pool', `/v2/pools/${target}`, seller.token],
    ['list_orders', '/v2/orders', token],
    ['get_order', `/v2/orders/${bid.id}`, token],
    ['list_order_fills', `/v2/orders/${bought.id}/fills`, token],
    ['explain_order', `/preview/v2/explain/orders/${ask.id}`, seller.token],
    ['explain_order', `/preview/v2/explain/orders/${bid.id}`, token],
    ['explain_order', `/preview/v2/explain/orders/${bought.id}`, token],
    ['list_pool_transfers', '/preview/v2/pool_transfers', seller.token],
    ['get_pool_transfer', `/preview/v2/pool_transfers/${moved.id}`, seller.token],
    ['get_orderbook_quote', `${orderbook}/quote?${window}&${only}`, token],
    ['get_orderbook_depth', `${orderbook}/depth?${window}&${only}`, token],
    ['list_orderbook_windows', `${orderbook}/windows?${range}&${only}`, token],
    ['list_orderbook_fills', `${orderbook}/fills?${window}&${only}`, token],
    ['list_price_history', `${orderbook}/price_history?${only}`, token],
    ['list_sku_availability', '/v2/skus/availability', token],
    ['get_sku_availability', `/v2/skus/${market.sku}/availability`, token],
    ['list_maintenance_windows', '/preview/v2/admin/maintenance_windows'],
    ['get_balance', '/preview/v2/billing/balance', token],
    ['list_holds', '/preview/v2/billing/holds', token],
    ['list_transactions', '/preview/v2/billing/transactions', token],
    ['list_account_transactions', `/preview/v2/admin/accounts/${buyer.id}/transactions`],
  ]
  for (const [name, path, caller] of reads) {
    const answer = await assertInOrder(name, caller === undefined ? { path } : { path, token: caller })
    if (Array.isArray(answer.data)) assert.notEqual(answer.data.length, 0, `${name} shows nothing`)
  }
  await assertInOrder('halt_market', { path: '/preview/v2/admin/market/halt', body: { sku: market.sku } })
})
