import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { procurementDue } from '../../src/automation/procurements.service.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { emptyDueChanges, scheduleDue, sendDueChanges } from '../../src/core/work/due.ts'
import type { Server } from '../../src/server.ts'
import { startReplicas } from '../events/replicas.ts'
import { type Market, makeMarket, type Party } from '../support/fixtures/market.ts'
import { type BriefOrder, procurementsOn } from '../support/fixtures/procurements.ts'
import { assertCachesEqual, inTurn, violated } from './trading.ts'

const replicas = await startReplicas(3)
const { servers } = replicas
const [inside] = servers as [Server]
const server = inTurn(replicas)
const path = '/preview/v2/procurements'

test('procurements reach their targets under concurrent updates, sales and deletions on three servers', async () => {
  await server.call('freeze_clock')
  const market = await makeMarket(server, {})
  const procurements = procurementsOn(server, market)
  const random = createSeededRandom('procurements')
  const sellers = [await market.seller(6), await market.seller(6)]
  await server.advance(120)
  const { now } = await server.call('get_clock')
  const running = now - (now % 60)
  const automations: { party: Party; id: string }[] = []
  for (let i = 0; i < 4; i++) {
    const party = await market.buyer()
    automations.push({ party, id: (await procurements.make(party, { target: 1 })).id })
  }
  const seen = new Set<string>()
  const send = async (what: string, { token }: Party, method: string, to: string, body?: object) => {
    const response = await server.request(method, to, { token, body })
    seen.add(`${what} ${response.status}`)
    return response
  }
  const step = async () => {
    const procurement = automations[random.integer(automations.length)] as (typeof automations)[number]
    const { party } = procurement
    const own = `${path}/${procurement.id}`
    switch (random.integer(6)) {
      case 0:
        return send('change', party, 'PATCH', own, { target: random.integer(4) })
      case 1:
        return send('switch', party, 'PATCH', own, { enabled: random.integer(3) > 0 })
      case 2: {
        const [order] = await procurements.managed(party, procurement)
        return order && send('cancel', party, 'DELETE', `/v2/orders/${order.id}`)
      }
      case 3: {
        if ((await send('delete', party, 'DELETE', own)).status !== 204) return
        const { status, body } = await send('create', party, 'POST', path, procurements.bodyOf(party.pool))
        if (status === 201) procurement.id = body.id
        return
      }
      default: {
        const seller = sellers[random.integer(2)] as Party
        const window = { start_at: running + 60 * random.integer(30), minutes: 10, nodes: 1 + random.integer(2) }
        const offer = market.body(seller, { ...window, side: 'sell', price: '1.200000', allow_partial: true })
        return send('offer', seller, 'POST', '/v2/orders', offer)
      }
    }
  }
  const steady = await makeSteady(market, procurements)
  for (let round = 0; round < 10; round++) await Promise.all([steady(), ...Array.from({ length: 16 }, step)])
  const expected = /^(change|switch|cancel|delete|create|offer) (200|201|204|404|409|422)$/
  for (const what of seen) assert.match(what, expected)
  await server.settle()
  assert.deepEqual(await violated(inside), [])
  assert.ok((await assertCachesEqual(servers, market.sku)) > 0)
  for (const { party, id } of automations) {
    // All orders are placed again, so that none is partly filled.
    await procurements.change(party, { id }, { target: 0, enabled: true })
    await procurements.change(party, { id }, { target: 2 })
    assertKept(await market.owned(party), await procurements.open(party, { id }), running)
  }
  assert.deepEqual(await violated(inside), [])
})

/**
 * Makes a procurement whose price no offer meets and that nobody else changes. Returns a function that changes it in
 * every way, each time with success, ten times at most.
 */
async function makeSteady(market: Market, procurements: ReturnType<typeof procurementsOn>) {
  const cheap = { max_buy_price_dollars_per_node_hour: '0.600000' }
  const [party, supplier] = [await market.buyer(), await market.seller(10)]
  let { id } = await procurements.make(party, cheap)
  return async () => {
    const order = await eventually('the procurement orders what it lacks', async () => {
      return (await procurements.managed(party, { id }))[0]
    })
    const { now } = await server.call('get_clock')
    const offer = { start_at: now - (now % 60) + 60, minutes: 10, nodes: 1, side: 'sell', price: '1.200000' } as const
    const { token } = party
    const made = [
      await server.attempt('cancel_order', { params: { id: order.id }, token }),
      await server.attempt('update_procurement', { params: { id }, token, body: { target: 3 } }),
      await server.attempt('update_procurement', { params: { id }, token, body: { enabled: false } }),
      await server.attempt('delete_procurement', { params: { id }, token }),
      await server.attempt('create_procurement', { token, body: procurements.bodyOf(party.pool, cheap) }),
      await server.attempt('create_order', { token: supplier.token, body: market.body(supplier, offer) }),
    ] as const
    assert.deepEqual(
      made.map(({ status }) => status),
      [204, 200, 200, 204, 201, 201],
    )
    id = made[4].body.id
  }
}

test('settle waits for a procurement that another transaction has locked, also under a frozen clock', async () => {
  await server.call('freeze_clock')
  const market = await makeMarket(server, {})
  const procurements = procurementsOn(server, market)
  const party = await market.buyer()
  const { id } = await procurements.make(party, { target: 0 })
  const { reader } = inside.runtime.database
  const other = new pg.Client({ ...replicas.target })
  await other.connect()
  try {
    await other.query('begin')
    await other.query('select id from procurements where id = $1 for update', [id])
    const requests = emptyDueChanges()
    scheduleDue(requests, procurementDue, id, 0)
    await Promise.all(sendDueChanges(reader, requests))
    const settle = (timeout_seconds: number) => server.call('settle', { body: { timeout_seconds } })
    assert.equal((await settle(1)).settled, false)
    await other.query('rollback')
    assert.equal((await settle(60)).settled, true)
  } finally {
    await other.end()
  }
})

type Owned = Awaited<ReturnType<Awaited<ReturnType<typeof makeMarket>>['owned']>>

/** Asserts that each minute of the window has two nodes, including ordered and offered ones. */
function assertKept(owned: Owned, open: readonly BriefOrder[], running: number): void {
  for (let minute = 1; minute <= 60; minute++) {
    const at = running + minute * 60
    const own = owned.find(({ start_at, end_at }) => start_at <= at && at < (end_at ?? Number.POSITIVE_INFINITY))
    assert.equal((own?.node_count ?? 0) + ordered(open, minute), 2, `minute ${minute}`)
  }
}

/** The nodes that unfilled open orders add to a minute. */
function ordered(open: readonly BriefOrder[], minute: number): number {
  const [order] = open.filter(([, , from, to]) => from <= minute && minute < to)
  return order === undefined ? 0 : order[0] === 'buy' ? order[1] : -order[1]
}
