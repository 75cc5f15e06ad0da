import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { randomStream } from '../../../test/market/book-commands.ts'
import { createComparedBooks, emptyTally, step } from '../../../test/market/book-reference.ts'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom, pick, type Random } from '../../core/base/random.ts'
import { placeOrder, rowsOf } from '../book/book.rules.ts'
import type { Book } from '../book/book-state.rules.ts'
import type { Order } from '../book/resting-order.rules.ts'
import { fillFee, fillValue, holdFor } from '../schedule/prices.rules.ts'
import { nodeMinutes } from '../schedule/schedule.rules.ts'
import {
  balanceChange,
  type ForecastRequest,
  forecastOrder,
  levelsOf,
  sumForecasts,
  tradeOf,
} from './trade-forecasts.rules.ts'

/** A quick run has too few books to see each case. */
const books = sized(600)
/** Fees and prices that are never a whole number of micro-dollars a minute. */
const fees = { hourly_fee_micros: 601n, fee_bps: 333 }

function eachRequest(visit: (book: Book<Order>, request: ForecastRequest) => void): void {
  const random = createSeededRandom('forecasts')
  for (let index = 0; index < books; index += 1) {
    const stream = randomStream(random, 60)
    const compared = createComparedBooks(stream.start_minute, emptyTally())
    for (const command of stream.commands) {
      // The prices of the stream are too low for fees.
      const isPlace = command.kind === 'place'
      step(compared, isPlace ? { ...command, price: command.price * 1_000_003 } : command)
    }
    // Orders on a halted book are refused before they are forecast.
    if (!compared.book.halted) visit(compared.book, requestOn(compared.book, random))
  }
}

function requestOn(book: Book<Order>, random: Random): ForecastRequest {
  const start_minute = book.minute + random.integer(10)
  const end_minute = start_minute + 1 + random.integer(12)
  const node_count = 1 + random.integer(6)
  const prices = rowsOf(book).map(({ order }) => order.price_micros)
  const price_micros = prices.length === 0 ? 7_000_021n : pick(random, prices)
  const value_micros = holdFor(price_micros, BigInt(node_count * (end_minute - start_minute)))
  const side = pick(random, ['buy', 'sell'] as const)
  return {
    account_id: 'a0',
    order: { side, start_minute, end_minute, node_count, price_micros, value_micros },
    allow_standing: random.integer(2) === 0,
    allow_partial: random.integer(2) === 0,
  }
}

function placed(book: Book<Order>, { order, account_id, allow_partial, allow_standing }: ForecastRequest) {
  const { value_micros: _, ...terms } = order
  const own = { ...terms, id: 'own', account_id, allow_partial, allow_standing, seq: book.last_seq + 1 }
  const { fills } = placeOrder(book, own)
  return fills.filter(({ buy, sell }) => buy.id === 'own' || sell.id === 'own')
}

describe('the forecast of an order on random books', () => {
  test('is what the order then trades, to the micro-dollar', () => {
    let [traded, rested, charged] = [0, 0, 0]
    eachRequest((book, request) => {
      // A resting all-or-nothing order may take up the rest of the new one after it rests.
      if (rowsOf(book).some(({ order }) => !order.allow_partial)) return
      const forecast = forecastOrder(tradeOf(book, request), fees, request)
      const fills = placed(book, request)
      const worth = fills.map(({ price_micros, schedule }) => fillValue(price_micros, nodeMinutes(schedule)))
      const paid = fills.map(({ price_micros, schedule }) => {
        return fillFee(fees, fillValue(price_micros, nodeMinutes(schedule)), nodeMinutes(schedule))
      })
      assert.equal(forecast.trade?.value_micros ?? 0n, sum(worth))
      assert.equal(forecast.fee_micros, request.order.side === 'sell' ? sum(paid) : 0n)
      assert.equal(forecast.resting_node_minutes, nodeMinutes(book.orders.get('own')?.remaining ?? []))
      if (fills.length > 0) traded += 1
      if (forecast.resting_node_minutes > 0n) rested += 1
      if (forecast.fee_micros > 0n) charged += 1
    })
    const isEachSeen = traded > 0 && rested > 0 && charged > 0
    assert.ok(isEachSeen || books < 600, `${traded} traded, ${rested} rested, ${charged} charged`)
  })

  test('has a worst case that is the hold of a buy, and that no trade exceeds', () => {
    eachRequest((book, request) => {
      const forecast = forecastOrder(tradeOf(book, request), fees, request)
      const { side, worst_case_micros, resting_micros, trade } = forecast
      assert.equal(worst_case_micros, side === 'buy' ? request.order.value_micros : 0n)
      const cost = sum(placed(book, request).map((fill) => fillValue(fill.price_micros, nodeMinutes(fill.schedule))))
      if (side === 'buy') {
        assert.ok(cost <= worst_case_micros, `${cost} > ${worst_case_micros}`)
        assert.ok((trade?.value_micros ?? 0n) + resting_micros <= worst_case_micros)
        assert.ok(-balanceChange(forecast) <= worst_case_micros)
      } else assert.ok(balanceChange(forecast) >= 0n)
    })
  })

  test('adds up to its price levels, best first', () => {
    eachRequest((book, request) => {
      const forecast = forecastOrder(tradeOf(book, request), fees, request)
      const { side } = forecast
      const total = sumForecasts(side, [forecast])
      assert.equal(sum(total.levels.map(({ value_micros }) => value_micros)), total.value_micros)
      assert.equal(sum(total.levels.map(({ node_minutes }) => node_minutes)), total.traded_node_minutes)
      const prices = total.levels.map(({ price_micros }) => price_micros)
      const sorted = prices.toSorted((a, b) => (a < b === (side === 'buy') ? -1 : 1))
      assert.deepEqual([prices, new Set(prices).size], [sorted, prices.length])
      assert.deepEqual(sumForecasts(side === 'buy' ? 'sell' : 'buy', [forecast]).order_count, 0)
    })
  })
})

test('price levels hide the single orders of others', () => {
  const fills = [
    { price_micros: 1_000_001n, schedule: [0, 1, 1, 0] },
    { price_micros: 1_000_001n, schedule: [0, 2, 1, 0] },
  ]
  const [level, ...others] = levelsOf('buy', fills)
  assert.deepEqual([others, level?.schedule, level?.node_minutes], [[], [0, 3, 1, 0], 3n])
  // Each fill is rounded down by itself.
  assert.equal(level?.value_micros, 16_666n + 33_333n)
})

describe('one order', () => {
  const fills = [
    { price_micros: 3_000_000n, schedule: [0, 2, 60, 0] },
    { price_micros: 2_000_000n, schedule: [0, 1, 60, 0] },
  ]
  const rest = { unmet_node_minutes: 0n, worst_price_micros: 3_000_000n, cut_sixtieths: 30n }
  const trade = { ...rest, value_micros: 8_000_000n, node_minutes: 180n, fills }
  const of = (side: 'buy' | 'sell', allow_standing: boolean): ForecastRequest => ({
    account_id: 'a0',
    order: {
      side,
      start_minute: 0,
      end_minute: 60,
      node_count: 5,
      price_micros: 3_000_000n,
      value_micros: 15_000_000n,
    },
    allow_standing,
    allow_partial: true,
  })
  const buy = forecastOrder(trade, fees, of('buy', true))
  const sell = forecastOrder(trade, fees, of('sell', true))

  test('holds money for what rests of a buy, and none for a sell', () => {
    assert.deepEqual([buy.resting_node_minutes, buy.resting_micros], [120n, 6_000_000n])
    assert.deepEqual([sell.resting_node_minutes, sell.resting_micros], [120n, 0n])
    const atOnce = forecastOrder(trade, fees, of('buy', false))
    assert.deepEqual([atOnce.resting_node_minutes, atOnce.resting_micros], [0n, 0n])
    assert.equal(forecastOrder(undefined, fees, of('buy', true)).resting_micros, 15_000_000n)
  })

  test('takes from the balance what a buy pays and holds, and gives it what a sell earns less its fee', () => {
    assert.equal(balanceChange(buy), -8_000_000n - 6_000_000n)
    assert.ok(sell.fee_micros > 0n)
    assert.equal(balanceChange(sell), 8_000_000n - sell.fee_micros)
    assert.equal(balanceChange(forecastOrder(undefined, fees, of('sell', true))), 0n)
  })

  test('is counted on its own side only, and its levels begin with the best price', () => {
    const buys = sumForecasts('buy', [buy, sell, buy])
    assert.deepEqual([buys.order_count, buys.value_micros, buys.cut_sixtieths], [2, 16_000_000n, 60n])
    const prices = (side: 'buy' | 'sell') => levelsOf(side, fills).map(({ price_micros }) => price_micros)
    assert.deepEqual(prices('buy'), [2_000_000n, 3_000_000n])
    assert.deepEqual(prices('sell'), [3_000_000n, 2_000_000n])
  })
})

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}
