import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeRole, makeToken } from '../support/access.ts'
import { hour, type Market, makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

/** A market, a seller with four nodes of supply, and a second pool of the seller. */
async function makePools() {
  const market = await makeMarket(server)
  const seller = await market.seller(4)
  const pool = (await server.call('create_pool', { token: seller.token, body: {} })).id as string
  return { market, seller, pool }
}

function bodyOf(market: Market, seller: Party, pool: string, changes: object = {}) {
  const allocation_schedule_delta = [{ start_at: market.start, end_at: market.start + hour, node_count: 3 }]
  return { from_pool: seller.pool, to_pool: pool, sku: market.sku, allocation_schedule_delta, ...changes }
}

test('create_pool_transfer moves at once; get_pool_transfer and list_pool_transfers show the transfer', async () => {
  const { market, seller, pool } = await makePools()
  const own = { token: seller.token }
  const made = await server.call('create_pool_transfer', { ...own, body: bodyOf(market, seller, pool) })
  assert.equal(made.state, 'executed')
  assert.equal(made.executed_at, made.created_at)
  assert.deepEqual([made.from_pool, made.to_pool, made.sku.id], [seller.pool, pool, market.sku])
  const moved = [{ start_at: market.start, end_at: market.start + hour, node_count: 3 }]
  assert.deepEqual(made.allocation_schedule_delta, moved)
  assert.deepEqual(await market.owned(seller, pool), moved)
  assert.equal((await market.owned(seller))[1]?.node_count, 1)
  assert.deepEqual(await server.call('get_pool_transfer', { params: { id: made.id }, ...own }), made)
  const open = bodyOf(market, seller, pool, {
    allocation_schedule_delta: [{ start_at: market.start + 2 * hour, end_at: null, node_count: 1 }],
  })
  const second = await server.call('create_pool_transfer', { ...own, body: open })
  assert.equal(second.allocation_schedule_delta[0].end_at, null)
  const list = async (query: string) => (await server.call('list_pool_transfers', { query, ...own })).data
  assert.deepEqual(await list(''), [second, made])
  assert.deepEqual(await list(`pool=${pool}`), [second, made])
  assert.deepEqual(await list('pool=pool_0000000000000000'), [])
  assert.deepEqual(await list('state=executed'), [second, made])
  assert.deepEqual(await list('state=pending'), [])
  const stranger = await server.account()
  assert.equal(
    (await server.attempt('get_pool_transfer', { params: { id: made.id }, token: stranger.token })).status,
    404,
  )
  assert.deepEqual((await server.call('list_pool_transfers', { token: stranger.token })).data, [])
})

test('an idempotency key creates one transfer', async () => {
  const { market, seller, pool } = await makePools()
  const request = {
    token: seller.token,
    body: bodyOf(market, seller, pool),
    headers: { 'idempotency-key': 'transfer' },
  }
  const responses = await Promise.all([1, 2, 3].map(() => server.attempt('create_pool_transfer', request)))
  assert.deepEqual(new Set(responses.map(({ body }) => body.id)).size, 1)
  assert.equal((await market.owned(seller, pool))[0]?.node_count, 3)
})

test('invalid transfers are refused with their code', async () => {
  const { market, seller, pool } = await makePools()
  const stranger = await market.buyer()
  const { now } = await server.call('get_clock')
  const minute = now - (now % 60)
  const delta = (start_at: number, end_at: number | null, node_count = 1) => ({
    allocation_schedule_delta: [{ start_at, end_at, node_count }],
  })
  const retired = (await server.call('create_sku', { body: {} })).id
  await server.call('retire_sku', { params: { id: retired } })
  const readOnly = await server.call('create_read_only_pool', {
    body: {
      account: seller.id,
      workspace: seller.workspace_id,
      from_pool: seller.pool,
      sku: market.sku,
      allocation_schedule: [{ start_at: market.start, end_at: market.start + hour, node_count: 1 }],
    },
  })
  for (const [status, code, changes] of [
    [422, 'same_pool', { from_pool: pool }],
    [422, 'pool_kind_not_allowed', { to_pool: seller.pool, from_pool: pool }],
    [422, 'pool_kind_not_allowed', { to_pool: readOnly.id }],
    [422, 'pool_kind_not_allowed', { from_pool: readOnly.id }],
    [422, 'reference_not_found', { from_pool: stranger.pool }],
    [422, 'reference_not_found', { to_pool: stranger.pool }],
    [422, 'sku_not_available', { sku: retired }],
    [422, 'in_the_past', delta(minute - 60, market.start)],
    [422, 'insufficient_allocation', delta(market.start, null, 5)],
    [400, 'not_aligned', delta(market.start + 1, null)],
    [400, 'invalid_range', delta(market.start, market.start)],
    [400, 'out_of_range', delta(market.start, market.start + 60, 0)],
  ] as const) {
    const body = bodyOf(market, seller, pool, changes)
    const { status: got, body: response } = await server.attempt('create_pool_transfer', { token: seller.token, body })
    assert.deepEqual([got, response.error.details[0].code], [status, code], JSON.stringify(changes))
  }
})

test('nodes promised by open sells cannot be moved or granted', async () => {
  const { market, seller, pool } = await makePools()
  const ask = { side: 'sell', allow_standing: true, allow_partial: true, nodes: 2 } as const
  const order = await market.order(seller, ask)
  const send = () => server.attempt('create_pool_transfer', { token: seller.token, body: bodyOf(market, seller, pool) })
  assert.equal((await send()).body.error.details[0].code, 'insufficient_allocation')
  const grant = await server.attempt('create_read_only_pool', {
    body: {
      account: seller.id,
      workspace: seller.workspace_id,
      from_pool: seller.pool,
      sku: market.sku,
      allocation_schedule: [{ start_at: market.start, end_at: null, node_count: 3 }],
    },
  })
  assert.equal(grant.body.error.details[0].code, 'insufficient_allocation')
  await market.cancel(seller, order)
  assert.equal((await send()).status, 201)
})

test('create_pool_transfer needs the right in both workspaces', async () => {
  const { market, seller } = await makePools()
  const { token } = seller
  const workspace = (await server.call('create_workspace', { token, body: {} })).id
  const pool = (await server.call('create_pool', { token, body: { workspace } })).id
  const body = bodyOf(market, seller, pool)
  const rights = { pool_transfer: ['create'], pool: ['read'] }
  /** A token that may transfer allocation out of the first workspace, with these rights in the other. */
  const tokenWith = async (actions: Record<string, string[]>) => {
    const made = await makeToken(server, seller, rights)
    const role = await makeRole(server, seller, actions)
    const grant = { principal_type: 'token', principal_id: made.id, role, workspace } as const
    await server.call('create_grant', { token, body: grant })
    return made.token
  }
  const statusWith = async (by: string) => (await server.attempt('create_pool_transfer', { token: by, body })).status
  assert.equal(await statusWith((await makeToken(server, seller, rights)).token), 422)
  assert.equal(await statusWith(await tokenWith({ pool: ['read'] })), 403)
  assert.equal(await statusWith(await tokenWith(rights)), 201)
})

test('create_pool_transfer and delete_pool include the current minute', async () => {
  const { market, seller, pool } = await makePools()
  await server.advance(120)
  await server.call('freeze_clock')
  const { now } = await server.call('get_clock')
  const minute = now - (now % 60)
  const allocation_schedule_delta = [{ start_at: minute, end_at: minute + 60, node_count: 1 }]
  const body = bodyOf(market, seller, pool, { allocation_schedule_delta })
  await server.call('create_pool_transfer', { token: seller.token, body })
  const remove = () => server.attempt('delete_pool', { params: { id: pool }, token: seller.token })
  assert.equal((await remove()).status, 409)
  await server.advance(minute + 60 - now)
  assert.equal((await remove()).status, 204)
  await server.call('resume_clock')
})

test('delete_pool is refused while the pool has open orders, even without allocation', async () => {
  const market = await makeMarket(server)
  const buyer = await market.buyer()
  const order = await market.order(buyer, { allow_standing: true })
  const remove = () => server.attempt('delete_pool', { params: { id: buyer.pool }, token: buyer.token })
  const { status, body } = await remove()
  assert.equal(status, 409)
  assert.match(body.error.details[0].message, new RegExp(order.id))
  await market.cancel(buyer, order)
  const used = async () => (await server.call('get_limit', { params: { name: 'pools' }, token: buyer.token })).used
  assert.equal(await used(), 1)
  assert.equal((await remove()).status, 204)
  assert.equal(await used(), 0)
  assert.equal((await market.read(buyer, order)).pool?.id ?? null, null)
})
