import assert from 'node:assert/strict'
import type { Usage } from '@bourse/api/billing/usage.ts'
import { test } from 'vitest'
import type { CallQuery } from '../support/calls.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { hour, makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const day = 86_400

function dayOf(time: number): number {
  return time - (time % day)
}

/** The usage of all days around a time. */
async function usageOf(
  { token }: { token: string },
  around: number,
  { query = {}, days = 2 }: { query?: Partial<CallQuery<'list_usage'>>; days?: number } = {},
): Promise<Usage[]> {
  const [from, to] = [dayOf(around) - day, dayOf(around) + days * day]
  return (await server.call('list_usage', { query: { from, to, ...query }, token })).data
}

function sumOf(rows: readonly Usage[]) {
  const micros = (text: string) => Number(text.replace('.', ''))
  const total = (pick: (row: Usage) => number) => rows.reduce((all, row) => all + pick(row), 0)
  return {
    allocated: total((row) => row.allocated_node_minutes),
    used: total((row) => row.used_node_minutes),
    bought: total((row) => micros(row.bought_dollars)),
    sold: total((row) => micros(row.sold_dollars)),
    cost: total((row) => micros(row.effective_cost_dollars)),
  }
}

async function trade(market: Awaited<ReturnType<typeof makeMarket>>, seller: Party, buyer: Party, params: object) {
  await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true, ...params })
  const bought = await market.order(buyer, { side: 'buy', ...params })
  assert.equal(bought.state, 'filled')
}

test('list_usage counts a purchase it is filled, and its cost in the hours that it bought', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await trade(market, seller, buyer, { nodes: 2, minutes: 90, price: '1.200000' })
  const rows = await usageOf(buyer, market.start)
  assert.deepEqual(sumOf(rows), { allocated: 180, used: 0, bought: 3_600_000, sold: 0, cost: 3_600_000 })
  const hourly = await usageOf(buyer, market.start, { query: { granularity: 'hour' } })
  const costs = hourly.filter(({ allocated_node_minutes }) => allocated_node_minutes > 0)
  assert.deepEqual(
    costs.map((row) => [row.period_start, row.period_end, row.allocated_node_minutes, row.effective_cost_dollars]),
    [
      [market.start, market.start + hour, 120, '2.400000'],
      [market.start + hour, market.start + 2 * hour, 60, '1.200000'],
    ],
  )
  // The seller's fee of one per cent is not part of its proceeds. What its hosts supply has no cost.
  const sold = sumOf(await usageOf(seller, market.start))
  assert.deepEqual([sold.sold, sold.bought, sold.cost], [3_564_000, 0, 0])
})

test('a minute that is sold on leaves the effective cost, the oldest purchase first', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer, other] = [await market.seller(4), await market.buyer(), await market.buyer()]
  await trade(market, seller, buyer, { nodes: 1, minutes: 60, price: '1.200000' })
  await trade(market, seller, buyer, { nodes: 1, minutes: 60, price: '2.400000' })
  await trade(market, buyer, other, { nodes: 1, minutes: 30, price: '6.000000' })
  const rows = await usageOf(buyer, market.start)
  // Half of the first purchase, $0.60, is gone; its proceeds are sold_dollars.
  const kept = { allocated: 90, used: 0, bought: 3_600_000, sold: 3_000_000, cost: 3_000_000 }
  assert.deepEqual(sumOf(rows), kept)
  await trade(market, buyer, other, { nodes: 1, minutes: 60, price: '6.000000' })
  assert.deepEqual(sumOf(await usageOf(buyer, market.start)), {
    ...kept,
    allocated: 30,
    sold: 9_000_000,
    cost: 1_200_000,
  })
})

test('a transfer carries the cost along, to pools of other workspaces and tags', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await trade(market, seller, buyer, { nodes: 2, minutes: 60, price: '1.200000' })
  const own = { token: buyer.token }
  const team = await server.call('create_workspace', { ...own, body: { name: 'team' } })
  const there = await server.call('create_pool', { ...own, body: { workspace: team.id, tags: { cost: 'blue' } } })
  const delta = [{ start_at: market.start, end_at: market.start + hour / 2, node_count: 1 }]
  await server.call('create_pool_transfer', {
    ...own,
    body: { from_pool: buyer.pool, to_pool: there.id, sku: market.sku, allocation_schedule_delta: delta },
  })
  const read = (group: string) => usageOf(buyer, market.start, { query: { group_by: [group] } })
  const byTag = (await read('tag:cost')).filter(({ allocated_node_minutes }) => allocated_node_minutes > 0)
  assert.deepEqual(
    byTag.map(({ group, allocated_node_minutes, effective_cost_dollars }) => ({
      group,
      allocated_node_minutes,
      effective_cost_dollars,
    })),
    [
      { group: { 'tag:cost': 'blue' }, allocated_node_minutes: 30, effective_cost_dollars: '0.600000' },
      { group: { 'tag:cost': null }, allocated_node_minutes: 90, effective_cost_dollars: '1.800000' },
    ],
  )
  const byWorkspace = (await read('workspace')).filter(({ allocated_node_minutes }) => allocated_node_minutes > 0)
  assert.deepEqual(
    new Map(byWorkspace.map(({ group, allocated_node_minutes }) => [group.workspace, allocated_node_minutes])),
    new Map([
      [buyer.workspace_id, 90],
      [team.id, 30],
    ]),
  )
})

test('instances use what they run in, up to the running minute', async () => {
  const account = await server.account()
  const { sku, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 2, nodes: 2 })
  const { now } = await server.call('get_clock')
  const body = { name: 'one', pool, sku, image }
  const instance = await server.call('create_instance', { token: account.token, body })
  await server.advance(600)
  const read = () => usageOf(account, now, { query: { group_by: ['sku'], granularity: 'hour' } })
  const shown = await server.call('get_instance', { params: { id: instance.id }, token: account.token })
  assert.equal(shown.state, 'running')
  const used = sumOf(await read()).used
  assert.ok(used >= 10 && used <= 12, `${used} minutes`)
  await server.call('terminate_instance', { params: { id: instance.id }, token: account.token })
  await server.settle()
  const ended = sumOf(await read()).used
  await server.advance(3600)
  assert.equal(sumOf(await read()).used, ended)
})

test('pages follow each other in both directions', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  await trade(market, seller, buyer, { nodes: 1, minutes: 300 })
  const [from, to] = [dayOf(market.start) - day, dayOf(market.start) + 2 * day]
  const page = (query: string) =>
    server.call('list_usage', {
      query: `from=${from}&to=${to}&granularity=hour&group_by=pool&${query}`,
      token: buyer.token,
    })
  const all = (await page('')).data
  assert.ok(all.length >= 5)
  const first = await page('limit=2')
  assert.deepEqual([first.data, first.has_more], [all.slice(0, 2), true])
  const second = await page(`limit=2&starting_after=${first.cursor}`)
  assert.deepEqual(second.data, all.slice(2, 4))
  assert.deepEqual((await page(`limit=2&ending_before=${second.cursor}`)).data, first.data)
  const other = await server.attempt('list_usage', {
    query: { from, to, starting_after: first.cursor },
    token: buyer.token,
  })
  assert.deepEqual([other.status, other.body.error.details[0].code], [400, 'invalid_cursor'])
})

test('an account sees its own usage only, and billing needs its right', async () => {
  const market = await makeMarket(server)
  const [seller, buyer, stranger] = [await market.seller(4), await market.buyer(), await server.account()]
  await trade(market, seller, buyer, { nodes: 1 })
  assert.deepEqual(await usageOf(stranger, market.start), [])
  const made = await server.call('create_token', { token: buyer.token, body: { roles: ['role_operator'] } })
  const { status } = await server.attempt('list_usage', { query: { from: 0, to: day }, token: made.token })
  assert.ok([403, 404].includes(status))
})

test('bad ranges and groups are refused with their field and code', async () => {
  const { token } = await server.account()
  for (const [query, status, code, field] of [
    ['to=86400', 400, 'required', 'from'],
    ['from=0&to=86401', 400, 'not_aligned', 'to'],
    ['from=60&to=3600&granularity=hour', 400, 'not_aligned', 'from'],
    [`from=${day}&to=${40 * day}&granularity=month`, 400, 'not_aligned', 'from'],
    ['from=86400&to=0', 400, 'invalid_range', 'to'],
    ['from=86400&to=86400', 400, 'invalid_range', 'to'],
    [`from=0&to=${401 * day}`, 422, 'range_too_long', 'to'],
    [`from=0&to=${32 * day}&granularity=hour`, 422, 'range_too_long', 'to'],
    ['from=0&to=86400&granularity=minute', 400, 'invalid_value', 'granularity'],
    ['from=0&to=86400&group_by=host', 400, 'invalid_format', 'group_by.0'],
    ['from=0&to=86400&group_by=sku&group_by=sku', 400, 'duplicate_entry', 'group_by.1'],
    ['from=0&to=86400&group_by=sku&group_by=pool&group_by=workspace&group_by=tag:a', 400, 'too_many', 'group_by'],
    [`from=0&to=86400&group_by=tag:${'a'.repeat(129)}`, 400, 'too_long', 'group_by.0'],
  ] as const) {
    const response = await server.attempt('list_usage', { query, token })
    const codes = response.body.error.details.map((detail) => detail.code)
    assert.equal(response.status, status, query)
    assert.ok(codes.includes(code), `${query}: ${codes}`)
    assert.equal(response.body.error.details[0].field, field, query)
  }
  assert.deepEqual((await server.call('list_usage', { query: { from: 0, to: 400 * day }, token })).data, [])
})
