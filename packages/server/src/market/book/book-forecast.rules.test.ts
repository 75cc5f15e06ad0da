import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { loadBook, placeOrder } from './book.rules.ts'
import { forecastCounterparties } from './book-forecast.rules.ts'
import type { Order } from './resting-order.rules.ts'

const accounts = ['ann', 'bob', 'cat', 'dan', 'eve'] as const

/** Orders over eight minutes at four prices, so that many of them meet. */
const requests = fc.array(
  fc.record({
    account_id: fc.constantFrom(...accounts),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.integer({ min: 1, max: 4 }),
    start: fc.integer({ min: 0, max: 6 }),
    minutes: fc.integer({ min: 1, max: 4 }),
    nodes: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 30 },
)
type ForecastOrder = (typeof requests extends fc.Arbitrary<infer W> ? W : never)[number]

function orderOf({ account_id, side, price, start, minutes, nodes }: ForecastOrder, seq: number): Order {
  const window = { start_minute: start, end_minute: start + minutes, node_count: nodes }
  return {
    id: `o${seq}`,
    account_id,
    side,
    price_micros: BigInt(price),
    seq,
    ...window,
    allow_standing: true,
    allow_partial: true,
  }
}

test('every order that an incoming order matches is in the forecast', () => {
  fc.assert(
    fc.property(requests, (list) => {
      const book = loadBook<Order>([], { minute: 0, last_seq: 0 })
      for (const [index, params] of list.entries()) {
        const order = orderOf(params, index + 1)
        const likely = forecastCounterparties(book, [order])
        for (const { buy, sell } of placeOrder(book, order).fills) {
          assert.ok(likely.has(order.side === 'buy' ? sell : buy))
        }
      }
    }),
    { numRuns: sized(500) },
  )
})

test('the forecast searches orders of one window together, within their limits', () => {
  const book = loadBook<Order>([], { minute: 0, last_seq: 0 })
  const sell = (account_id: (typeof accounts)[number], price: number, seq: number) =>
    placeOrder(book, orderOf({ account_id, side: 'sell', price, start: 0, minutes: 2, nodes: 1 }, seq))
  sell('ann', 1, 1)
  sell('bob', 2, 2)
  sell('cat', 3, 3)
  const buy = { account_id: 'dan', side: 'buy', price: 2, start: 0, minutes: 2, nodes: 1 } as const
  const first = orderOf(buy, 4)
  const idsMet = (orders: Order[]) => [...forecastCounterparties(book, orders)].map(({ id }) => id)
  assert.deepEqual(idsMet([first]), ['o1'])
  assert.deepEqual(idsMet([first, orderOf(buy, 5)]), ['o1', 'o2'])
  assert.deepEqual(idsMet([first, orderOf(buy, 5), orderOf(buy, 6)]), ['o1', 'o2'])
})
