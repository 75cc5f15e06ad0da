import assert from 'node:assert/strict'
import { test } from 'vitest'
import { orderEventsOf } from './order-events.rules.ts'
import { type BookOrder, type Effects, noEffects, type StoredState, type Trade } from './trading.rules.ts'

const none = { ended: 0, trades: 0 }

function orderOf(id: string, state: StoredState): BookOrder {
  return { id, record: { id, state } } as unknown as BookOrder
}

function tradeOf(fill_id: string, buy: BookOrder, sell: BookOrder): Trade {
  return { fill_id, buy, sell } as unknown as Trade
}

function named(effects: Effects, before = none): string[] {
  return orderEventsOf(effects, before).map(
    ({ action, order, trade }) => `${action.slice('order.'.length)} ${order.id}${trade ? ` ${trade.fill_id}` : ''}`,
  )
}

test('a trade that does not complete an order makes order.partially_filled, the one that does order.filled', () => {
  const [buy, first, second] = [orderOf('buy', 'filled'), orderOf('one', 'filled'), orderOf('two', 'partially_filled')]
  const effects = noEffects()
  effects.placed.set('buy', buy)
  effects.trades.push(tradeOf('f1', buy, first), tradeOf('f2', buy, second))
  effects.ended.push(first, buy)
  assert.deepEqual(named(effects), [
    'created buy',
    'partially_filled buy f1',
    'partially_filled two f2',
    'filled one f1',
    'filled buy f2',
  ])
})

test('an order that ends without being filled keeps an event for each of its trades', () => {
  const [buy, sell] = [orderOf('buy', 'cancelled'), orderOf('sell', 'filled')]
  const effects = noEffects()
  effects.placed.set('buy', buy)
  effects.trades.push(tradeOf('f1', buy, sell))
  effects.ended.push(sell, buy)
  assert.deepEqual(named(effects), ['created buy', 'partially_filled buy f1', 'filled sell f1', 'cancelled buy'])
})

test('what happened before the placements comes before them', () => {
  const [old, rest, fresh] = [orderOf('old', 'cancelled'), orderOf('rest', 'filled'), orderOf('fresh', 'filled')]
  const [buy, sell] = [orderOf('buy', 'filled'), orderOf('sell', 'partially_filled')]
  const effects = noEffects()
  effects.placed.set('fresh', fresh)
  effects.trades.push(tradeOf('f1', buy, rest), tradeOf('f2', rest, sell), tradeOf('f3', fresh, sell))
  effects.ended.push(old, buy, rest, fresh)
  assert.deepEqual(named(effects, { ended: 3, trades: 2 }), [
    'partially_filled rest f1',
    'partially_filled sell f2',
    'cancelled old',
    'filled buy f1',
    'filled rest f2',
    'created fresh',
    'partially_filled sell f3',
    'filled fresh f3',
  ])
})
