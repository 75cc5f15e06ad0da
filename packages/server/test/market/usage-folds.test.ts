/** The folds of usage: reads give the same before, between and after them, and audits find what they must not lose. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { usageAudits } from '../../src/accounting/usage/usage.audit.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import type { Server } from '../../src/server.ts'
import { makeCapacity } from '../support/fixtures/capacity.ts'
import { hour, makeMarket, type Party } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'
import { foldUsage } from './folds.ts'

const server = await startTestServer()
const { runtime } = server.inside as Server
const { database } = runtime
const day = 86_400

function usageOf({ token }: { token: string }, around: number, query: string) {
  const start = around - (around % day)
  return server.call('list_usage', { query: `limit=200&from=${start - day}&to=${start + 3 * day}&${query}`, token })
}

/** All usage of some parties, in the finest form. */
async function readAll(parties: readonly Party[], around: number) {
  const rows: unknown[] = []
  for (const party of parties) {
    rows.push(await usageOf(party, around, 'granularity=hour&group_by=pool&group_by=sku'))
    rows.push(await usageOf(party, around, 'granularity=day&group_by=workspace'))
  }
  return rows
}

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, usageAudits)
  return findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name)
}

const market = await makeMarket(server)
const [seller, buyer, other] = [await market.seller(8), await market.buyer(), await market.buyer()]
const standing = { allow_standing: true, allow_partial: true }

async function trade(from: Party, to: Party, params: object) {
  await market.order(from, { side: 'sell', ...standing, ...params })
  assert.equal((await market.order(to, { side: 'buy', ...params })).state, 'filled')
}

test('usage is the same however much of it is folded', async () => {
  const parties = [seller, buyer, other]
  const spare = (await server.call('create_pool', { token: buyer.token, body: {} })).id as string
  const steps = [
    () => trade(seller, buyer, { nodes: 3, minutes: 90, price: '1.234500' }),
    () => trade(seller, buyer, { nodes: 2, minutes: 7 * 24 * 60, price: '2.000100' }),
    () => trade(buyer, other, { nodes: 1, minutes: 45, price: '3.000000' }),
    () => {
      const delta = [{ start_at: market.start + 600, end_at: market.start + 3 * hour, node_count: 2 }]
      const body = { from_pool: buyer.pool, to_pool: spare, sku: market.sku, allocation_schedule_delta: delta }
      return server.call('create_pool_transfer', { token: buyer.token, body })
    },
    () => trade({ ...buyer, pool: spare }, other, { nodes: 1, minutes: 10, start_at: market.start + 1200 }),
    () => trade(seller, other, { nodes: 1, minutes: 60, price: '0.600000' }),
  ]
  for (const [index, step] of steps.entries()) {
    await step()
    const read = await readAll(parties, market.start)
    // Every other step stays for the next fold, so that folds take one move and several.
    if (index % 2 === 0) await foldUsage(runtime)
    assert.deepEqual(await readAll(parties, market.start), read)
    assert.deepEqual(await violated(), [])
  }
  await server.advance(3 * day)
  const read = await readAll(parties, market.start)
  await foldUsage(runtime)
  assert.deepEqual(await readAll(parties, market.start), read)
  await foldUsage(runtime)
  assert.deepEqual(await readAll(parties, market.start), read)
})

test('a long purchase is counted as its days come', async () => {
  const [from, to] = [await market.seller(1), await market.buyer('5000.000000')]
  const { now } = await server.call('get_clock')
  const start_at = now - (now % hour) + 2 * hour
  await trade(from, to, { nodes: 1, minutes: 30 * 24 * 60, start_at, price: '1.000020' })
  for (let week = 0; week < 5; week++) {
    const before = await usageOf(to, now + week * 7 * day, 'granularity=hour')
    await foldUsage(runtime)
    assert.deepEqual(await usageOf(to, now + week * 7 * day, 'granularity=hour'), before)
    assert.deepEqual(await violated(), [])
    await server.advance(7 * day)
  }
  const first = now - (now % day)
  const { data } = await server.call('list_usage', {
    query: { from: first, to: first + 40 * day, limit: 200 },
    token: to.token,
  })
  const micros = data.reduce((all: number, row: any) => all + Number(row.effective_cost_dollars.replace('.', '')), 0)
  assert.equal(micros, Number(data[0].bought_dollars.replace('.', '')))
})

test('instances that ran are counted once', async () => {
  const account = await server.account()
  const { sku, pool, image } = await makeCapacity(server, account, { hosts: 1, slots: 2, nodes: 2 })
  const { now } = await server.call('get_clock')
  await server.call('create_instance', { token: account.token, body: { pool, sku, image } })
  await server.advance(600)
  const used = async () => {
    const { data } = await usageOf(account, now, 'granularity=hour')
    return data.reduce((all: number, row: any) => all + row.used_node_minutes, 0)
  }
  const before = await used()
  assert.ok(before >= 10)
  await foldUsage(runtime)
  assert.ok((await used()) - before <= 1)
})

const greatest = (column: string) => `where ${column} = (select max(${column}) from usage_hours)`

/** The names of the audits that find a corruption, the corruption, and its repair. */
const corruptions: readonly (readonly [names: string, harm: string, mend: string])[] = [
  [
    'money.lots money.spread',
    'update cost_lots set cost_micros = cost_micros + 1 where id = (select min(id) from cost_lots)',
    'update cost_lots set cost_micros = cost_micros - 1 where id = (select min(id) from cost_lots)',
  ],
  [
    'money.lots',
    'update cost_lots set sold_micros = sold_micros + 1 where id = (select max(id) from cost_lots)',
    'update cost_lots set sold_micros = sold_micros - 1 where id = (select max(id) from cost_lots)',
  ],
  [
    'money.usage',
    `update usage_hours set bought_micros = bought_micros + 1 ${greatest('bought_micros')}`,
    `update usage_hours set bought_micros = bought_micros - 1 ${greatest('bought_micros')}`,
  ],
  [
    'money.spread',
    `update usage_hours set cost_micros = cost_micros + 1 ${greatest('cost_micros')}`,
    `update usage_hours set cost_micros = cost_micros - 1 ${greatest('cost_micros')}`,
  ],
]

test('each corruption of usage is found by its audits', async () => {
  await foldUsage(runtime)
  assert.deepEqual(await violated(), [])
  for (const [names, harm, mend] of corruptions) {
    const sent = statement<never>(null, harm)
    assert.ok((await database.reader.run(sent)) > 0, harm)
    assert.deepEqual((await violated()).sort().join(' '), names, harm)
    await database.reader.run(statement<never>(null, mend))
    assert.deepEqual(await violated(), [])
  }
})
