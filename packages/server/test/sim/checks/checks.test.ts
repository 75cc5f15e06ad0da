import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom } from '../../../src/core/base/random.ts'
import type { Order } from '../../../src/market/book/resting-order.rules.ts'
import * as naive from '../../market/naive-book.ts'
import { openEventMemory } from './event-memory.ts'
import { wrongActorsOf } from './filled-orders.ts'
import { wrongInLedger } from './operator-ledger.ts'
import { cutAt } from './spans.ts'

test('an event that differs from an earlier read is a violation, another cursor is not', () => {
  const memory = openEventMemory()
  const event = { id: 'evt_1', action: 'order.filled', actor: { type: 'system' }, cursor: 'evtc_a' }
  assert.equal(memory.observe(event), undefined)
  assert.equal(memory.observe({ ...event, cursor: 'evtc_b' }), undefined)
  assert.match(memory.observe({ ...event, actor: { type: 'token' } } as typeof event) ?? '', /^events\.frozen: /)
})

test('the actor of a fill is the sender if the order was filled when placed, otherwise the system', () => {
  const [atOnce, rested] = ['ordr_1', 'ordr_2']
  const by = (id: string, actor_token_id: string | null) => ({ id, created_by_token_id: 'tokn_1', actor_token_id })
  const verify = (...orders: ReturnType<typeof by>[]) => wrongActorsOf(orders, new Set([atOnce]))
  assert.deepEqual(verify(by(atOnce, 'tokn_1'), by(rested, null)), [])
  assert.equal(verify(by(atOnce, null), by(atOnce, 'tokn_2'), by(rested, 'tokn_1')).length, 3)
})

test('a span represents all minutes between two cuts, and nothing begins within one', () => {
  const years = 1_576_800
  const spans = cutAt([years, 10, 0, 20, 10])
  assert.deepEqual(
    [...spans.of([0, 4, 10, 0, 20, 1, years, 0])],
    [
      [0, 4],
      [2, 1],
    ],
  )
  assert.equal(spans.print(spans.of([10, 2, years, 0])), `10-20: 2, 20-${years}: 2`)
  assert.throws(() => spans.of([0, 1, 15, 0]), /not cut at the minute 15/)
})

test('a naive book of spans has the same fills, ends and remainders as one of minutes', () => {
  const random = createSeededRandom('spans')
  let fills = 0
  for (let round = 0; round < 200; round++) {
    const orders = Array.from({ length: 12 }, (_, seq): Order => {
      const start_minute = random.integer(20)
      return {
        id: `order-${seq}`,
        account_id: `account-${random.integer(3)}`,
        seq,
        start_minute,
        end_minute: start_minute + 1 + random.integer(20),
        side: random.integer(2) === 0 ? 'buy' : 'sell',
        price_micros: BigInt(random.integer(3)),
        node_count: 1 + random.integer(4),
        allow_standing: true,
        allow_partial: random.integer(4) > 0,
      }
    })
    const later = 1 + random.integer(20)
    const cuts = [0, later, ...orders.flatMap(({ start_minute, end_minute }) => [start_minute, end_minute])]
    const everyMinute = Array.from({ length: 41 }, (_, minute) => minute)
    const [wide, narrow] = [cuts, everyMinute].map((minutes) => trade(orders, later, minutes))
    assert.deepEqual(wide, narrow)
    fills += wide?.fills.length ?? 0
  }
  assert.ok(fills > 500, `only ${fills} fills`)
})

/** The outcome of a naive book whose time is cut at these minutes. */
function trade(orders: readonly Order[], later: number, minutes: readonly number[]) {
  const spans = cutAt(minutes)
  const inOrder = [...new Set(minutes)].sort((a, b) => a - b)
  const spread = (counts: naive.Minutes) =>
    [...counts].flatMap(([place, count]) => {
      const [from, until] = [inOrder[place] as number, inOrder[place + 1] as number]
      return Array.from({ length: until - from }, (_, n) => `${from + n}: ${count}`)
    })
  const book = naive.emptyNaiveBook<Order>(spans.at(0))
  const outcomes = orders.map((order) => {
    const [start_minute, end_minute] = [spans.at(order.start_minute), spans.at(order.end_minute)]
    return naive.placeNaively(book, { ...order, start_minute, end_minute })
  })
  outcomes.push(naive.passTimeNaively(book, spans.at(later)))
  return {
    fills: outcomes.flatMap(({ fills }) =>
      fills.map(({ buy, sell, price_micros, minutes }) => [buy.id, sell.id, price_micros, ...spread(minutes).sort()]),
    ),
    ended: outcomes.map(({ ended }) => [...ended]),
    resting: book.resting.map(({ order, left, lapsed }) => [order.id, lapsed, ...spread(left).sort()]),
  }
}

test("money.operator compares the operator's export with the ledger, and each cause with zero", () => {
  const line = (account: string | null, book: string, amount: string, fill: string) =>
    `{"account":${JSON.stringify(account)},"book":"${book}","amount_dollars":${amount},"fill":"${fill}"}\n`
  const trade = line('a', 'account', '-2.000000', 'f') + line('b', 'account', '1.500000', 'f')
  const owners = new Map([
    ['a', -2_000_000n],
    ['b', 1_500_000n],
    ['fees', 500_000n],
  ])
  assert.deepEqual(wrongInLedger(trade + line(null, 'fees', '0.500000', 'f'), { owners }), [])
  assert.deepEqual(wrongInLedger(trade, { owners }), [
    'money.operator: f adds up to -500000',
    'money.operator: fees got 500000, the export says 0',
  ])
})
