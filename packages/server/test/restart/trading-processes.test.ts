import assert from 'node:assert/strict'
import { pause } from '@bourse/text/time/pause.ts'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { app } from '../../src/app.ts'
import { createSeededRandom, pick } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { makeMarket, type Party } from '../support/fixtures/market.ts'
import { startProcesses, type TradingReplicas } from './trading/replicas.ts'

const processes = 3
const workersEach = 8
const ordersPerRound = 60

/** Counts orders that one transaction wrote together. Ledger rows never change, so their xmin names the transaction. */
const countGroups = statement<{ groups: number; largest: number }>(
  null,
  `select count(*) filter (where orders > 1) as groups, max(orders) as largest from (
     select count(distinct cause_id) as orders from ledger where cause_kind = 'admission' group by xmin::text
   ) every`,
)
const lockBook = statement<{ sku_id: string }>(null, 'select sku_id from books where sku_id = $1 for no key update')
const countOrders = statement<{ orders: number; fills: number }>(
  null,
  'select (select count(*) from orders) as orders, (select count(*) from fills) as fills',
)

type ReplicaKill = {
  readonly replicas: TradingReplicas
  readonly victim: number
  readonly sku: string
  readonly areWaiting: () => true
  /** Called at the moment of the kill. */
  readonly onKilled: () => void
}

/** Kills a process while the calls of all workers wait for the lock of the book. What waits is written together. */
async function killAtWork({ replicas, victim, sku, areWaiting, onKilled }: ReplicaKill): Promise<void> {
  await replicas.database.asOwner(async (db) => {
    await db.run(statement(null, 'begin'))
    await db.rows(lockBook, [sku])
    await eventually('the calls of all workers are in progress', areWaiting)
    const restarted = replicas.restart(victim)
    onKilled()
    await db.run(statement(null, 'rollback'))
    await restarted
  })
}

test('three processes trade on one book, each is killed once, and no order is lost or duplicated', async () => {
  await using replicas = await startProcesses(processes)
  const market = await makeMarket(replicas.server(0), { fee_bps: 25 })
  const random = createSeededRandom('three processes')
  const parties: { party: Party; side: 'buy' | 'sell' }[] = []
  for (let index = 0; index < 4; index++) {
    parties.push({ party: await market.seller(40), side: 'sell' }, { party: await market.buyer(), side: 'buy' })
  }
  const acknowledged = new Map<string, Acknowledged>()
  const wrong: string[] = []
  let keys = 0
  let goal = 0
  let unanswered = 0
  let inFlight = 0
  let kills = 0

  /** Sends one order to any process until it gets a response. */
  async function place(index: number): Promise<void> {
    const { party, side } = pick(random, parties)
    const request = { side, nodes: 1 + random.integer(3), start_at: market.start + random.integer(3) * 3600 }
    const price = pick(random, ['1.200000', '1.260000', '1.320000'])
    const body = market.body(party, { ...request, price, allow_standing: true, allow_partial: random.integer(4) > 0 })
    const key = `key-${++keys}`
    for (let at = index; wrong.length === 0; at++) {
      const sent = { token: party.token, body, headers: { 'idempotency-key': key } }
      inFlight += 1
      const response = await replicas
        .server(at % processes)
        .attempt('create_order', sent)
        .catch(() => undefined)
      inFlight -= 1
      if (response?.status === 201) return void acknowledged.set(key, { id: response.body.id, token: party.token })
      if (response?.status === 422) return
      if (response === undefined) unanswered += 1
      else if (response.status !== 503 && response.status !== 409) return void wrong.push(response.text)
      await pause(20)
    }
  }

  for (let victim = 0; victim < processes; victim++) {
    goal += ordersPerRound
    const workers = Array.from({ length: processes * workersEach }, async (_, worker) => {
      // Without its server a worker would retry without end.
      while ((acknowledged.size < goal || kills === victim) && wrong.length === 0) await place(worker % processes)
    })
    await eventually('half of the orders of the round are acknowledged', () => {
      assert.ok(acknowledged.size >= goal - ordersPerRound / 2 || wrong.length > 0, `${acknowledged.size} are`)
      return true
    })
    const areWaiting = () => {
      assert.ok(inFlight === workers.length || wrong.length > 0, `${inFlight} calls are in progress`)
      return true as const
    }
    const onKilled = () => void kills++
    const kill = killAtWork({ replicas, victim, sku: market.sku, areWaiting, onKilled })
    await kill.catch((error) => wrong.push(String(error)))
    await Promise.all(workers)
  }
  assert.deepEqual(wrong, [])
  assert.ok(unanswered > 0, 'no call was in progress when a process was killed')
  await assertWhole(replicas, [...acknowledged.values()])
})

type Acknowledged = { readonly id: string; readonly token: string }

/** Asserts that exactly these orders exist, that some were written together, and that no audit finds anything. */
async function assertWhole(
  { database, server }: TradingReplicas,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const { orders, fills } = (await database.reader.row(countOrders)) as { orders: number; fills: number }
  assert.equal(new Set(acknowledged.map(({ id }) => id)).size, acknowledged.length)
  assert.equal(orders, acknowledged.length)
  assert.ok(fills > 0)
  const read = acknowledged.map(async ({ id, token }) => {
    const { status, body } = await server(0).attempt('get_order', { params: { id }, token })
    assert.deepEqual([status, body.id], [200, id])
  })
  await Promise.all(read)
  const { groups, largest } = (await database.reader.row(countGroups)) as { groups: number; largest: number }
  assert.ok(groups > 0 && largest > 2, `${groups} transactions wrote several orders, ${largest} at most`)
  const findings = await runAudit(database, app.audits)
  assert.deepEqual(
    findings.filter(({ rows }) => rows.length > 0),
    [],
  )
}
