import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { createSeededRandom, pick } from '../../src/core/base/random.ts'
import { waitFor } from '../../src/core/base/wait.ts'
import { statement } from '../../src/core/db/db.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { ensureSupplyPool } from '../../src/market/pools/pools.service.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from '../events/replicas.ts'
import { makeMarket, type Party, type TestOrder } from '../support/market.ts'
import { sized } from '../support/size.ts'
import { assertCachesEqual, inTurn, violated } from './trading.ts'

const lastNodeRounds = sized(200)
const replicas = await startReplicas(3)
const { servers } = replicas
const [inside] = servers as [Server]
const server = inTurn(replicas)

test('of 64 buyers for the last nodes, as many succeed as there are nodes, whatever their windows', async () => {
  const random = createSeededRandom('last node')
  const shapes: readonly [string, (index: number) => { from: number; minutes: number }][] = [
    ['one and the same', () => ({ from: 0, minutes: 60 })],
    ['touching', (index) => ({ from: (index % 6) * 10, minutes: 10 })],
    ['nested', (index) => ({ from: index % 20, minutes: 60 - 2 * (index % 20) })],
    ['one minute', () => ({ from: 30, minutes: 1 })],
  ]
  const market = await makeMarket(server, {})
  const buyers = await Promise.all(Array.from({ length: 16 }, () => market.buyer()))
  const seller = await market.seller(1)
  for (let round = 0; round < lastNodeRounds; round++) {
    const [name, shape] = pick(random, shapes)
    const start_at = market.start + round * 7200
    const offer = { side: 'sell', nodes: 1, start_at, allow_standing: true, allow_partial: true } as const
    await market.order(seller, offer)
    const requests = Array.from({ length: 64 }, (_, index) => {
      const { from, minutes } = shape(index)
      return { side: 'buy' as const, nodes: 1, start_at: start_at + from * 60, minutes }
    })
    const taken = await Promise.all(
      requests.map((request, index) => market.order(buyers[index % 16] as Party, request)),
    )
    const sold = new Map<number, number>()
    for (const [index, { state }] of taken.entries()) {
      if (state !== 'filled') continue
      const { start_at: from, minutes } = requests[index] as { start_at: number; minutes: number }
      for (let minute = 0; minute < minutes; minute++) {
        const at = from + minute * 60
        sold.set(at, (sold.get(at) ?? 0) + 1)
      }
    }
    assert.ok(
      [...sold.values()].every((count) => count === 1),
      `${name}, round ${round}`,
    )
    assert.ok(sold.size > 0, `${name}, round ${round}`)
    if (name === 'touching') assert.equal(sold.size, 60)
  }
  assert.deepEqual(await violated(inside), [])
})

test('32 concurrent retries with one key create one order, and another body under the key is refused', async () => {
  const market = await makeMarket(server, {})
  const buyer = await market.buyer()
  const body = market.body(buyer, { allow_standing: true, nodes: 1 })
  const send = (changes: object = {}) =>
    server.request('POST', '/v2/orders', {
      ...{ token: buyer.token, body: { ...body, ...changes } },
      headers: { 'idempotency-key': 'order-1' },
    })
  const answers = await Promise.all(Array.from({ length: 32 }, () => send()))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
  assert.equal((await market.balance(buyer)).held, '1.200000')
  const reused = await send({ allow_partial: true })
  assert.deepEqual([reused.status, reused.body.error.details[0].code], [422, 'idempotency_key_reused'])
  // A refusal releases its key.
  const dear = { ...body, limit_price_dollars_per_node_hour: '99999.000000' }
  const refused = { token: buyer.token, body: dear, headers: { 'idempotency-key': 'order-2' } }
  assert.equal((await server.request('POST', '/v2/orders', refused)).status, 402)
  const next = { ...refused, body }
  assert.equal((await server.request('POST', '/v2/orders', next)).status, 201)
})

test('of a concurrent cancel and fill of one order, exactly one succeeds', async () => {
  const market = await makeMarket(server, {})
  const [seller, buyer] = [await market.seller(1), await market.buyer()]
  for (let round = 0; round < 20; round++) {
    const request = { nodes: 1, minutes: 1, start_at: market.start + round * 60 }
    const offer = await market.order(seller, { ...request, side: 'sell', allow_standing: true })
    const [status, taken] = await Promise.all([market.cancel(seller, offer), market.order(buyer, request)])
    const { state } = await market.read(seller, offer)
    assert.equal(state, taken.state === 'filled' ? 'filled' : 'cancelled')
    assert.equal(status, state === 'filled' ? 409 : 204)
  }
})

test('three servers trade on one book: no invariant is violated, and each cache equals a reload', async () => {
  const market = await makeMarket(server, { fee_bps: 77, flat_fee_dollars_per_node_hour: '0.000600' })
  const random = createSeededRandom('three servers')
  const parties: Party[] = []
  for (let i = 0; i < 4; i++) parties.push(await market.seller(8), await market.buyer('50.000000'))
  const open: { party: Party; id: string }[] = []
  const seen = new Map<string, number>()
  const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const step = async () => {
    if (open.length > 0 && random.integer(5) === 0) {
      const [{ party, id }] = open.splice(random.integer(open.length), 1) as [{ party: Party; id: string }]
      return note(`cancel ${await market.cancel(party, { id })}`)
    }
    const index = random.integer(parties.length)
    const party = parties[index] as Party
    const request: TestOrder = {
      side: index % 2 === 0 ? 'sell' : 'buy',
      start_at: market.start + random.integer(4) * 600,
      nodes: 1 + random.integer(4),
      minutes: 10 * (1 + random.integer(3)),
      price: `${1 + random.integer(3)}.200000`,
      allow_standing: random.integer(4) > 0,
      allow_partial: random.integer(3) > 0,
    }
    const { status, body } = await server.request('POST', '/v2/orders', {
      token: party.token,
      body: market.body(party, request),
    })
    note(status === 201 ? body.state : String(status))
    if (status === 201) open.push({ party, id: body.id })
  }
  for (let round = 0; round < 12; round++) await Promise.all(Array.from({ length: 24 }, step))
  await server.settle()
  for (const state of ['standing', 'filled', 'partially_filled', 'cancelled', 'cancel 204']) {
    assert.ok((seen.get(state) ?? 0) > 0, `${state} did not occur: ${JSON.stringify([...seen])}`)
  }
  assert.equal(seen.get('500'), undefined)
  assert.deepEqual(await violated(inside), [])
  assert.ok((await assertCachesEqual(servers, market.sku)) > 0)
})

test('two concurrent first hosts of a workspace supply one pool', async () => {
  const { id: account_id, workspace_id } = await server.account()
  const place = { account_id, workspace_id: workspace_id as Id<'workspace'> }
  const [first, second] = servers as [Server, Server]
  const made = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const early = systemCommand(first.runtime, async (ctx) => {
    const pool = await ensureSupplyPool(ctx, place)
    made.resolve()
    await mayCommit.promise
    return pool
  })
  await made.promise
  const late = systemCommand(second.runtime, (ctx) => ensureSupplyPool(ctx, place))
  assert.ok(await waitFor(isAnyBlocked, { every_milliseconds: 2, at_most_milliseconds: 2_000 }))
  mayCommit.resolve()
  assert.equal(await late, await early)
})

async function isAnyBlocked(): Promise<boolean> {
  const waiting = 'select pid from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0'
  return (await inside.runtime.database.reader.rows(statement(null, waiting))).length > 0
}
