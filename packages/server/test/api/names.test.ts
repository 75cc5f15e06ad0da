import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeAccountToken } from '../support/access.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const market = await makeMarket(server, { alias: 'named-sku' })
const buyer = await market.buyer()
const stranger = await market.buyer()
const order = await market.order(buyer, { side: 'buy', nodes: 2, allow_standing: true, allow_partial: true })
const { token: own } = await server.call('get_account', { token: buyer.token })
const { id: pool, name } = await server.call('get_pool', { params: { id: buyer.pool }, token: buyer.token })
const ids = [order.id, market.sku, pool, own.id]

async function namesFor(token: string, wanted: readonly string[] = ids) {
  const { data } = await server.call('list_names', { query: { ids: wanted }, token })
  return new Map(data.map(({ id, type, name }) => [id, `${type} ${name}`]))
}

test('list_names: what resources, tokens, SKUs and orders are called', async () => {
  const names = await namesFor(buyer.token)
  assert.equal(names.get(order.id), 'order Buy 2 × named-sku')
  assert.equal(names.get(market.sku), 'sku named-sku')
  assert.equal(names.get(pool), `pool ${name}`)
  assert.match(names.get(own.id) ?? '', /^token ./)
  assert.equal((await namesFor(buyer.token, [])).size, 0)
  assert.equal((await namesFor(buyer.token, [pool, pool])).size, 1)
})

test('what is of another account, may not be seen or does not exist is absent alike', async () => {
  const other = await namesFor(stranger.token, [...ids, 'pool_missing', 'tokn_missing', 'odd_kind'])
  assert.deepEqual([...other.keys()], [market.sku])
  const traders = await makeAccountToken(server, buyer, { order: ['read'] })
  assert.deepEqual([...(await namesFor(traders.token)).keys()].sort(), [order.id, market.sku].sort())
})

test('list_names: webhooks by their URLs, and budgets by their names or amounts', async () => {
  const { token } = buyer
  const url = 'https://hooks.example.com/bourse'
  const webhook = await server.call('create_webhook', { token, body: { url } })
  const gone = await server.call('create_webhook', { token, body: { url } })
  await server.call('delete_webhook', { params: { id: gone.id }, token })
  const body = { period: 'month', amount_dollars: '500.00' } as const
  const named = await server.call('create_budget', { token, body: { ...body, name: 'research' } })
  const plain = await server.call('create_budget', { token, body })
  const wanted = [webhook.id, gone.id, named.id, plain.id]
  const names = {
    [webhook.id]: `webhook ${url}`,
    [named.id]: 'budget research',
    [plain.id]: 'budget $500.00 each month',
  }
  assert.deepEqual(Object.fromEntries(await namesFor(token, wanted)), names)
  assert.equal((await namesFor(stranger.token, wanted)).size, 0)
  const payer = await makeAccountToken(server, buyer, { billing: ['list'] })
  assert.deepEqual([...(await namesFor(payer.token, wanted)).keys()].sort(), [named.id, plain.id].sort())
  const caller = await makeAccountToken(server, buyer, { webhook: ['read'] })
  assert.deepEqual([...(await namesFor(caller.token, wanted)).keys()], [webhook.id])
})

test('more than 200 ids, and what is no id, are refused', async () => {
  const attempt = (query: object) => server.attempt('list_names', { query: query as never, token: buyer.token })
  const many = await attempt({ ids: Array.from({ length: 201 }, (_, at) => `pool_${at}`) })
  assert.equal(many.status, 400)
  assert.equal((await attempt({ ids: ['svc:pool:a:b:c'] })).status, 400)
})
