import assert from 'node:assert/strict'
import type { Order } from '@bourse/api/market/orders.ts'
import { test } from 'vitest'
import { makeLaunchPad } from '../support/fixtures/fleet.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const admin = '/preview/v2/admin'
const list = async (path: string, token = server.platform_token) => (await server.ok('GET', path, { token })).data
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

const market = await makeMarket(server)
const [seller, buyer] = [await market.seller(), await market.buyer()]
const offer = await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
const taken = await market.order(buyer, {})
const resting = await market.order(buyer, { allow_standing: true, price: '0.100000' })

/** The rows of the operator's list are those of the account's own list, and the account. */
async function assertSame(
  own: string,
  all: string,
  { id, token }: { id: string; token: string },
  asOperator: (row: any) => object = (row) => row,
): Promise<void> {
  const rows = await list(own, token)
  assert.ok(rows.length > 0, own)
  const separator = all.includes('?') ? '&' : '?'
  const shown = await list(`${admin}${all}${separator}account=${id}`)
  assert.deepEqual(
    shown,
    rows.map((row: object) => ({ ...asOperator(row), account: id })),
    all,
  )
}

test('list_platform_orders: orders are listed as their accounts see them, by the same filters', async () => {
  const marked = (order: Order) => ({ ...order, fills: order.fills.map((fill) => ({ ...fill, related: false })) })
  for (const query of ['', '?state=filled', '?side=buy', `?sku=${market.sku}`, '?sort_by=created_at']) {
    await assertSame(`/v2/orders${query}`, `/orders${query}`, buyer, marked)
  }
  const all = idsOf(await list(`${admin}/orders?limit=200`))
  for (const { id } of [offer, taken, resting]) assert.ok(all.includes(id))
  assert.deepEqual(idsOf(await list(`${admin}/orders?id=${offer.id}`)), [offer.id])
  assert.deepEqual(idsOf(await list(`${admin}/orders?pool=${buyer.pool}&state=standing`)), [resting.id])
  assert.deepEqual(await list(`${admin}/orders?account=${seller.id}&side=buy`), [])
  assert.deepEqual(await list(`${admin}/orders?account=nobody`), [])
  assert.deepEqual(idsOf(await list(`${admin}/orders?workspace=${seller.workspace_id}`)), [offer.id])
})

test('a cursor of the operator’s list goes on, and works for no other list', async () => {
  const first = await server.call('list_platform_orders', { query: { limit: 1 } })
  const rest = await list(`${admin}/orders?limit=199&starting_after=${first.cursor}`)
  assert.deepEqual([...idsOf(first.data), ...idsOf(rest)], idsOf(await list(`${admin}/orders?limit=200`)))
  for (const path of [`${admin}/orders?account=${buyer.id}&starting_after=`, '/v2/orders?starting_after=']) {
    const refused = await server.request('GET', path + first.cursor)
    assert.deepEqual([refused.status, refused.body.error.details[0].code], [400, 'invalid_cursor'], path)
  }
})

test('list_platform_pools, list_platform_instances: they are listed as their accounts see them', async () => {
  const account = await server.account()
  const pad = await makeLaunchPad(server, account)
  const body = { pool: pad.pool, sku: pad.cold, image: pad.image, name: 'seen' }
  const { id } = await server.call('create_instance', { token: account.token, body })
  await server.settle()
  for (const query of ['', '?kind=market', '?schedule_history_minutes=60']) {
    const rows = await list(`/v2/pools${query}`, account.token)
    const shown = await list(`${admin}/pools?account=${account.id}${query.replace('?', '&')}`)
    assert.deepEqual(
      shown,
      rows.map((row: object) => ({ ...row, account: account.id })),
    )
  }
  for (const query of [
    '',
    '?state=terminated&state=running&state=awaiting_allocation',
    `?pool=${pad.pool}`,
    `?sku=${pad.cold}`,
  ]) {
    const rows = await list(`/v2/instances${query}`, account.token)
    const shown = await list(`${admin}/instances?account=${account.id}${query.replace('?', '&')}`)
    assert.deepEqual(
      shown,
      rows.map((row: object) => ({ ...row, account: account.id })),
    )
  }
  assert.ok(idsOf(await list(`${admin}/instances`)).includes(id))
  assert.ok(idsOf(await list(`${admin}/pools`)).includes(pad.pool))
  assert.deepEqual(idsOf(await list(`${admin}/instances?id=svc:instance:${account.id}:default:seen`)), [id])
  const { state } = await server.call('get_instance', { params: { id }, token: account.token })
  assert.ok(idsOf(await list(`${admin}/instances?state=${state}`)).includes(id))
})

test('list_platform_skus: all are listed with their fees, also unlisted and, on request, retired ones', async () => {
  const make = (body: object) => server.call('create_sku', { body: { num_vcpus: 4, ...body } })
  const hidden = await make({ listed: false, fee_bps: 125 })
  const retired = await make({})
  await server.call('retire_sku', { params: { id: retired.id } })
  const all = await list(`${admin}/skus?limit=200`)
  assert.deepEqual(
    all.find(({ id }: { id: string }) => id === hidden.id),
    hidden,
  )
  assert.equal(idsOf(all).includes(retired.id), false)
  assert.ok(idsOf(await list(`${admin}/skus?limit=200&include_deleted=true`)).includes(retired.id))
  assert.deepEqual(idsOf(await list(`${admin}/skus?listed=false&id=${hidden.id}&id=${market.sku}`)), [hidden.id])
  const seen = async () => idsOf(await list(`${admin}/skus?account=${buyer.id}&limit=200`)).includes(hidden.id)
  assert.equal(await seen(), false)
  await server.call('put_sku_override', { params: { account: buyer.id, sku: hidden.id }, body: { num_vcpus: 2 } })
  assert.equal(await seen(), true)
})

test('list_platform_usage: usage is summed by account and SKU, as the accounts’ own lists say', async () => {
  const day = 86_400
  const { now } = await server.call('get_clock')
  const from = now - (now % day)
  const window = `from=${from}&to=${from + 2 * day}`
  const [row, ...others] = await list(`${admin}/usage?${window}&account=${buyer.id}`)
  assert.deepEqual(others, [])
  const own = await list(`/preview/v2/billing/usage?${window}&granularity=day&group_by=sku`, buyer.token)
  const sum = (name: string) => own.reduce((total: number, one: any) => total + Number(one[name]), 0)
  for (const name of ['allocated_node_minutes', 'used_node_minutes']) assert.equal(row[name], sum(name), name)
  for (const name of ['bought_dollars', 'sold_dollars', 'effective_cost_dollars']) {
    assert.equal(Number(row[name]).toFixed(6), sum(name).toFixed(6), name)
  }
  const { sku, ...sums } = row.skus[0]
  assert.equal(sku.id, market.sku)
  const { object: _object, account, skus, ...total } = row
  assert.deepEqual([account, skus.length, total], [buyer.id, 1, sums])
  const seen: string[] = []
  let place = ''
  for (;;) {
    const page = await server.call('list_platform_usage', { query: `${window}&limit=1${place}` })
    seen.push(...page.data.map((one) => one.account))
    if (!page.has_more) break
    place = `&starting_after=${page.cursor}`
  }
  assert.ok(seen.includes(buyer.id) && seen.includes(seller.id))
  assert.equal(new Set(seen).size, seen.length)
  for (const [range, code] of [
    [`from=${from + 1}&to=${from + day}`, 'not_aligned'],
    [`from=${from}&to=${from}`, 'invalid_range'],
    [`from=${from}&to=${from + 401 * day}`, 'range_too_long'],
  ]) {
    const refused = await server.attempt('list_platform_usage', { query: range })
    assert.equal(refused.body.error.details[0].code, code)
  }
})

test('only the operator has these lists', async () => {
  for (const path of ['orders', 'pools', 'instances', 'skus', 'usage?from=86400&to=172800']) {
    assert.equal((await server.request('GET', `${admin}/${path}`, { token: buyer.token })).status, 404, path)
  }
})
