import assert from 'node:assert/strict'
import { test } from 'vitest'
import { assertAuditsPass } from '../support/audit.ts'
import type { CallBody } from '../support/calls.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { refusalOf } from '../support/resources.ts'
import { startTestServer } from '../support/server.ts'
import { loadWorld } from '../support/worlds.ts'

const server = await startTestServer()
const path = '/sandbox/makers'
const hour = 3_600
const price = (text: string) => Number(text)

async function minute(): Promise<number> {
  const { now } = await server.call('get_clock')
  return now - (now % 60)
}

/** A new SKU with a market maker whose offers rest. */
async function openMarket(base: string, node_count = 16): Promise<string> {
  const { id } = await server.call('create_sku', { body: { num_vcpus: 8 } })
  const body = { sku: id, base_price_dollars_per_node_hour: base, node_count } as const
  const maker = await server.call('create_market_maker', { body })
  assert.deepEqual(
    [maker.object, maker.sku.id, maker.enabled, maker.node_count],
    ['market_maker', id, true, node_count],
  )
  await server.advance(60)
  return id
}

async function readDepth(sku: string, hours = 2) {
  const start_at = await minute()
  const query = `start_at=${start_at}&end_at=${start_at + hours * hour}&requirements=id:${sku}`
  return server.call('get_orderbook_depth', { query })
}

async function trade(token: string, body: CallBody<'create_order'>) {
  return server.call('create_order', { token, body })
}

test('create_market_maker creates the first maker of a world with hosts of two sizes', async () => {
  const sku = await openMarket('1.000000', 11)
  const { data } = await server.call('list_hosts', { query: { sku: [sku] } })
  assert.deepEqual(data.map(({ slots }) => slots).sort(), [3, 8])
})

test('create_market_maker places orders on both sides of a book; list_market_makers shows the maker', async () => {
  const sku = await openMarket('2.000000')
  const { bids, asks } = await readDepth(sku)
  assert.deepEqual([bids.length, asks.length], [3, 3])
  const best = [bids[0], asks[0]].map((level) => price(level.price_dollars_per_node_hour))
  assert.ok((best[0] as number) < (best[1] as number))
  assert.ok(best.every((one) => one > 1 && one < 3))
  const { data } = await server.call('list_market_makers')
  const maker = data.find((one: { sku: { id: string } }) => one.sku.id === sku)
  const fair = price(maker.fair_price_dollars_per_node_hour)
  assert.ok((best[0] as number) < fair && fair < (best[1] as number))
  assert.equal(maker.base_price_dollars_per_node_hour, '2.000000')
  await assertAuditsPass(server)
})

test('nodes bought from a maker are real capacity and can be sold back', async () => {
  const sku = await openMarket('2.000000')
  const { id, token } = await server.account()
  await grantCredit(server, id, '100.000000')
  const pool = (await server.call('create_pool', { token, body: {} })).id
  const start_at = await minute()
  const window = { start_at, end_at: start_at + 2 * hour, node_count: 3 }
  const body = { pool, sku, allocation_schedule_delta: [window] }
  const bought = await trade(token, { ...body, side: 'buy', limit_price_dollars_per_node_hour: '3.000000' })
  assert.equal(bought.state, 'filled')
  const image = (await server.call('create_ready_image', { token, body: { name: 'any' } })).id
  const instance = await server.call('create_instance', { token, body: { pool, sku, image } })
  await server.settle()
  assert.equal((await server.call('get_instance', { params: { id: instance.id }, token })).state, 'running')
  const later = { ...window, start_at: start_at + hour, node_count: 2 }
  const sale = { ...body, allocation_schedule_delta: [later], side: 'sell' } as const
  const sold = await trade(token, { ...sale, limit_price_dollars_per_node_hour: '1.000000' })
  assert.equal(sold.state, 'filled')
  const { available_dollars, held_dollars } = await server.call('get_balance', { token })
  assert.equal(held_dollars, '0.000000')
  assert.ok(price(available_dollars) < 100 - 6 && price(available_dollars) > 80)
  await assertAuditsPass(server)
})

test('a filled offer of a maker is placed again while it has nodes', async () => {
  const sku = await openMarket('2.000000')
  const { id, token } = await server.account()
  await grantCredit(server, id, '1000.000000')
  const pool = (await server.call('create_pool', { token, body: {} })).id
  // All three offers rest with 2, 3 and 4 of the 16 nodes. In a minute the simulated trader takes 2 nodes at most.
  const [offered, owns] = [9, 16]
  for (let turn = 0; turn < 2; turn++) {
    const start_at = await minute()
    const window = { start_at, end_at: start_at + hour, node_count: offered }
    const body = { pool, sku, side: 'buy', allow_partial: true, allocation_schedule_delta: [window] } as const
    await trade(token, { ...body, limit_price_dollars_per_node_hour: '3.000000' })
    await server.advance(60)
  }
  const owned = await server.call('get_pool', { params: { id: pool }, token })
  const most = Math.max(...owned.allocation_schedule.total.map((step) => step.node_count))
  assert.ok(most > offered && most <= owns, `${most} of ${owns} nodes`)
  await assertAuditsPass(server)
})

test('update_market_maker disables and enables a maker and changes its price', async () => {
  const sku = await openMarket('2.000000')
  const change = async (body: object) => {
    const changed = await server.call('update_market_maker', { params: { sku }, body })
    await server.settle()
    return changed
  }
  assert.equal((await change({ enabled: false })).enabled, false)
  const none = await readDepth(sku)
  assert.deepEqual([none.bids, none.asks], [[], []])
  await server.advance(300)
  assert.deepEqual((await readDepth(sku)).bids, [])
  await change({ enabled: true })
  const [before] = (await readDepth(sku)).asks
  await change({ base_price_dollars_per_node_hour: '4.000000' })
  const [after] = (await readDepth(sku)).asks
  const ratio = price(after.price_dollars_per_node_hour) / price(before.price_dollars_per_node_hour)
  assert.ok(ratio > 1.9 && ratio < 2.1, `${ratio}`)
})

test('create_market_maker and update_market_maker refuse invalid values', async () => {
  const sku = await openMarket('1.000000', 1)
  const base_price_dollars_per_node_hour = '1.000000'
  const body = { num_vcpus: 8, operator_hosts_only: true }
  const { id: unsupplied } = await server.call('create_sku', { body })
  for (const [method, at, body, refusal] of [
    ['POST', path, { sku, base_price_dollars_per_node_hour }, [409, 'invalid_state', 'sku']],
    ['POST', path, { sku: 'sku_none', base_price_dollars_per_node_hour }, [422, 'sku_not_available', 'sku']],
    ['POST', path, { sku: unsupplied, base_price_dollars_per_node_hour }, [422, 'operator_hosts_only', 'sku']],
    [
      'POST',
      path,
      { sku: 'sku_none', base_price_dollars_per_node_hour: '0.0' },
      [400, 'out_of_range', 'base_price_dollars_per_node_hour'],
    ],
    ['PATCH', `${path}/sku_none`, { enabled: true }, [404, 'not_found', undefined]],
    [
      'PATCH',
      `${path}/${sku}`,
      { base_price_dollars_per_node_hour: '1.0000000' },
      [400, 'invalid_format', 'base_price_dollars_per_node_hour'],
    ],
  ] as const) {
    assert.deepEqual(refusalOf(await server.request(method, at, { body })), refusal, `${method} ${at}`)
  }
})

test('concurrently created makers share their accounts', async () => {
  const skus = await Promise.all(
    [1, 2, 3].map(async () => (await server.call('create_sku', { body: { num_vcpus: 8 } })).id),
  )
  const twice = [...skus, ...skus].map((sku) => {
    return server.attempt('create_market_maker', {
      body: { sku, base_price_dollars_per_node_hour: '1.0', node_count: 1 },
    })
  })
  const statuses = (await Promise.all(twice)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, 201, 201, 409, 409, 409])
  await assertAuditsPass(server)
})

test('the first world has a market with past prices, offers and funds', async () => {
  const { ids, tokens } = await loadWorld(server, 'quickstart')
  const token = tokens.acme as string
  const { data } = await server.call('list_price_history', { query: { sku: ids.sku }, token })
  assert.ok(data.length >= 11, `${data.length} hours`)
  const { bids, asks } = await readDepth(ids.sku as string)
  assert.deepEqual([bids.length, asks.length], [3, 3])
  const start_at = await minute()
  const window = { start_at, end_at: start_at + hour, node_count: 2 }
  const [pool, sku] = [ids.pool_market as string, ids.sku as string]
  const body = { pool, sku, side: 'buy', allocation_schedule_delta: [window] } as const
  const order = await trade(token, { ...body, limit_price_dollars_per_node_hour: '30.000000' })
  assert.equal(order.state, 'filled')
  await assertAuditsPass(server)
})

test('the market continues over minutes, and after an advance by a day', async () => {
  const { ids } = await loadWorld(server, 'quickstart')
  const fills = async () => {
    const start_at = (await minute()) - 30 * 86_400
    const query = `start_at=${start_at}&end_at=${start_at + 90 * 86_400}&since_at=${start_at + 86_400}`
    return (await server.call('list_orderbook_fills', { query: `${query}&limit=200` })).data.length as number
  }
  const before = await fills()
  for (let minutes = 0; minutes < 10; minutes++) await server.advance(60)
  const after = await fills()
  assert.ok(after > before, `${before}, then ${after}`)
  const { settled } = await server.call('advance_clock', { body: { seconds: 86_400 } })
  assert.equal(settled, true)
  assert.ok((await fills()) >= after + 10)
  assert.ok((await readDepth(ids.sku as string)).asks.length >= 3)
  await assertAuditsPass(server)
})
