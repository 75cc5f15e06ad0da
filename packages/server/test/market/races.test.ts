import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { createSeededRandom, pick } from '../../src/core/base/random.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import type { Ctx } from '../../src/core/work/ctx.ts'
import { ensureSupplyPool } from '../../src/market/pools/pools.service.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from '../events/replicas.ts'
import { hour, makeMarket, type Party, type TestOrder } from '../support/fixtures/market.ts'
import { sized } from '../support/size.ts'
import { answersBehind } from './lock-races.ts'
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
    server.attempt('create_order', {
      token: buyer.token,
      body: { ...body, ...changes },
      headers: { 'idempotency-key': 'order-1' },
    })
  const responses = await Promise.all(Array.from({ length: 32 }, () => send()))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(responses.map(({ text }) => text)).size, 1)
  assert.equal(responses.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1)
  assert.equal((await market.balance(buyer)).held, '1.200000')
  const reused = await send({ allow_partial: true })
  assert.deepEqual([reused.status, reused.body.error.details[0].code], [422, 'idempotency_key_reused'])
  // A refusal releases its key.
  const dear = { ...body, limit_price_dollars_per_node_hour: '99999.000000' }
  const refused = { token: buyer.token, body: dear, headers: { 'idempotency-key': 'order-2' } }
  assert.equal((await server.attempt('create_order', refused)).status, 402)
  const next = { ...refused, body }
  assert.equal((await server.attempt('create_order', next)).status, 201)
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
  const [seller, buyer] = [await market.seller(8), await market.buyer()]
  const statuses = new Set<number>()
  let amended = 0
  const step = async () => {
    if (open.length > 0 && random.integer(5) === 0) {
      const [{ party, id }] = open.splice(random.integer(open.length), 1) as [{ party: Party; id: string }]
      statuses.add(await market.cancel(party, { id }))
      return
    }
    if (open.length > 0 && random.integer(4) === 0) {
      const [{ party, id }] = open.splice(random.integer(open.length), 1) as [{ party: Party; id: string }]
      const body = random.integer(2) === 0 ? { node_count: 1 + random.integer(4) } : { allow_partial: true }
      const { status, body: made } = await server.attempt('amend_order', { params: { id }, token: party.token, body })
      statuses.add(status)
      if (status === 201) {
        amended += 1
        open.push({ party, id: made.id })
      }
      return
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
    const { status, body } = await server.attempt('create_order', {
      token: party.token,
      body: market.body(party, request),
    })
    statuses.add(status)
    if (status === 201) open.push({ party, id: body.id })
  }
  /** Every outcome, in minutes of the book that no other order covers. */
  const meetAll = async (round: number) => {
    const window = { start_at: market.start + 2 * hour + round * 600, minutes: 10 }
    const rests = { allow_standing: true, allow_partial: true }
    const offer = await market.order(seller, { ...window, side: 'sell', nodes: 2, ...rests })
    const whole = await market.order(buyer, { ...window, nodes: 1 })
    const part = await market.order(buyer, { ...window, nodes: 3, ...rests })
    const none = await market.order(buyer, { ...window, nodes: 1 })
    const states = [offer, whole, part, none].map(({ state }) => state)
    assert.deepEqual(states, ['standing', 'filled', 'partially_filled', 'cancelled'])
    assert.equal(await market.cancel(buyer, part), 204)
  }
  for (let round = 0; round < 12; round++) await Promise.all([meetAll(round), ...Array.from({ length: 24 }, step)])
  await server.settle()
  assert.ok(amended > 0)
  assert.ok(!statuses.has(500), [...statuses].join(' '))
  assert.deepEqual(await violated(inside), [])
  assert.ok((await assertCachesEqual(servers, market.sku)) > 0)
})

test('two concurrent first hosts of a workspace supply one pool', async () => {
  const { id: account_id, workspace_id } = await server.account()
  const place = { account_id, workspace_id: workspace_id as Id<'workspace'> }
  const [first, second] = servers as [Server, Server]
  let early: string | undefined
  const lock = async (ctx: Ctx) => {
    early = await ensureSupplyPool(ctx, place)
  }
  const [late] = await answersBehind(first.runtime, { lock }, () => [
    systemCommand(second.runtime, (ctx) => ensureSupplyPool(ctx, place)),
  ])
  assert.equal(late, early)
})
