import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { randomStream } from '../../../test/market/book-commands.ts'
import { openBookFixture, place, placeAll, printed } from '../../../test/market/book-fixtures.ts'
import { createComparedBooks, emptyTally, step } from '../../../test/market/book-reference.ts'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom, pick, type Random } from '../../core/base/random.ts'
import { fillCut, fillValue } from '../schedule/prices.rules.ts'
import { at, nodeMinutes, type Schedule } from '../schedule/schedule.rules.ts'
import { placeOrder, rowsOf, type StandingRow } from './book.rules.ts'
import { explainResting } from './book-explain.rules.ts'
import type { Book } from './book-state.rules.ts'
import {
  availabilityOf,
  bestPrices,
  type DeliveryWindow,
  depthOf,
  estimateOf,
  type PriceLevel,
  restingCounts,
  windowsOf,
} from './book-views.rules.ts'
import type { MinuteWindow } from './matching.rules.ts'
import type { Order, Side } from './resting-order.rules.ts'

/** Books after random commands, with a query window. */
function eachRandomBook(books: number, visit: (book: Book<Order>, window: MinuteWindow, random: Random) => void): void {
  const random = createSeededRandom('views')
  for (let index = 0; index < sized(books); index += 1) {
    const stream = randomStream(random, 60)
    const duplicates = createComparedBooks(stream.start_minute, emptyTally())
    for (const command of stream.commands) step(duplicates, command)
    const from = duplicates.book.minute + random.integer(10)
    visit(duplicates.book, { from, to: from + 1 + random.integer(12) }, random)
  }
}

/** Counts some orders in each minute of a window. */
function counts(rows: readonly StandingRow<Order>[], window: MinuteWindow): number[] {
  return minutesOf(window).map((minute) => rows.reduce((total, { remaining }) => total + at(remaining, minute), 0))
}

function countsOf(schedule: Schedule, window: MinuteWindow): number[] {
  return minutesOf(window).map((minute) => at(schedule, minute))
}

function minutesOf({ from, to }: MinuteWindow): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function plainLevels(book: Book<Order>, side: Side, window: MinuteWindow): [bigint, number[]][] {
  const rows = rowsOf(book).filter(({ order }) => order.side === side)
  const prices = [...new Set(rows.map(({ order }) => order.price_micros))]
  const rising = prices.sort((a, b) => (a < b ? -1 : 1))
  return (side === 'sell' ? rising : rising.reverse())
    .map((price): [bigint, number[]] => [
      price,
      counts(
        rows.filter((row) => row.order.price_micros === price),
        window,
      ),
    ])
    .filter(([, nodes]) => nodes.some((count) => count > 0))
}

function shown(levels: readonly PriceLevel[], window: MinuteWindow): [bigint, number[]][] {
  return levels.map(({ price_micros, schedule }) => [price_micros, countsOf(schedule, window)])
}

describe('views of random books equal a plain count of their orders', () => {
  test('depth: sums by price, cut to the window, the best levels first', () => {
    eachRandomBook(400, (book, window, random) => {
      const levels = 1 + random.integer(4)
      const { bids, asks } = depthOf(book, window, levels)
      assert.deepEqual(shown(bids, window), plainLevels(book, 'buy', window).slice(0, levels))
      assert.deepEqual(shown(asks, window), plainLevels(book, 'sell', window).slice(0, levels))
      assert.deepEqual(bestPrices(book, window), { buy: bids[0]?.price_micros, sell: asks[0]?.price_micros })
    })
  })

  test('counts: all resting orders of each side', () => {
    eachRandomBook(400, (book) => {
      const of = (side: Side) => rowsOf(book).filter(({ order }) => order.side === side).length
      assert.deepEqual(restingCounts(book), { buy: of('buy'), sell: of('sell') })
    })
  })

  test('availability: resting sells without those of one account', () => {
    eachRandomBook(400, (book, window) => {
      const rows = rowsOf(book).filter(({ order }) => order.side === 'sell' && order.account_id !== 'a0')
      assert.deepEqual(countsOf(availabilityOf(book, window, 'a0'), window), counts(rows, window))
    })
  })

  test('windows: each rectangle in range once, in order, page by page, with all orders that overlap it', () => {
    eachRandomBook(400, (book, { from }, random) => {
      const range = { from, to: from + 30 }
      const rows = rowsOf(book)
      const rectangles = rows.map(({ order }) => [Math.max(order.start_minute, book.minute), order.end_minute] as const)
      const inside = rectangles.filter(([start, end]) => start >= range.from && end <= range.to)
      const distinct = new Set(inside.sort(([a, b], [c, d]) => a - c || b - d).map(String))
      const pages: DeliveryWindow[] = []
      for (let page = windowsOf(book, range, { limit: 3 }); page.length > 0; ) {
        pages.push(...page)
        page = windowsOf(book, range, { limit: 3, after: page.at(-1) })
      }
      assert.deepEqual(
        pages.map(({ from, to }) => `${from},${to}`),
        [...distinct],
      )
      const window = pages[random.integer(Math.max(1, pages.length))]
      if (window === undefined) return
      const overlapping = rows.filter((row) => counts([row], window).some((count) => count > 0))
      const of = (side: Side) => overlapping.filter(({ order }) => order.side === side).length
      assert.deepEqual([window.bid_order_count, window.ask_order_count], [of('buy'), of('sell')])
      const quote = depthOf(book, window, 1)
      assert.deepEqual([window.best_bid, window.best_ask], [quote.bids[0], quote.asks[0]])
    })
  })

  test('estimate: an order that is posted as estimated gets exactly the estimated fills at once', () => {
    let quoted = 0
    eachRandomBook(900, (book, window, random) => {
      if (book.halted) return
      const side = pick(random, ['buy', 'sell'] as const)
      const node_count = 1 + random.integer(3)
      const estimate = estimateOf(book, { side, window, node_count, account_id: 'a0' })
      const order = {
        id: 'estimated',
        account_id: 'a0',
        side,
        price_micros: estimate?.worst_price_micros ?? (side === 'buy' ? 1_000n : 0n),
        seq: book.last_seq + 1,
        start_minute: window.from,
        end_minute: window.to,
        node_count,
        allow_standing: false,
        allow_partial: false,
      }
      const { fills, changes } = placeOrder(book, order)
      const own = fills.filter(({ buy, sell }) => buy === order || sell === order)
      assert.equal(changes[0]?.state, estimate === undefined ? 'cancelled' : 'filled')
      if (estimate === undefined) return
      quoted += 1
      const paid = own.reduce((value, fill) => value + fillValue(fill.price_micros, nodeMinutes(fill.schedule)), 0n)
      assert.equal(paid, estimate.value_micros)
      const cut = own.reduce((sum, fill) => sum + fillCut(fill.price_micros, nodeMinutes(fill.schedule)), 0n)
      assert.equal(cut, estimate.cut_sixtieths)
      assert.equal(estimate.node_minutes, BigInt(node_count * (window.to - window.from)))
      assert.deepEqual(
        own.map(({ price_micros, schedule }) => ({ price_micros, schedule })),
        estimate.fills,
      )
    })
    assert.ok(quoted >= sized(60), `only ${quoted} estimates were quoted`)
  })
})

test('an estimate takes nothing beyond its limit price, on either side', () => {
  const fixture = openBookFixture()
  const asks = ['s1 ann sell 1x[0,10) @5', 's2 ann sell 1x[0,10) @9']
  placeAll(fixture, [...asks, 'b1 bob buy 1x[0,10) @4', 'b2 bob buy 1x[0,10) @2'])
  const traded = (side: Side, limit_micros: bigint) => {
    const window = { from: 0, to: 10 }
    const request = { side, window, node_count: 2, account_id: undefined, limit_micros, allow_partial: true }
    return estimateOf(fixture.book, request)?.node_minutes
  }
  assert.deepEqual([traded('buy', 9n), traded('buy', 8n), traded('buy', 4n)], [20n, 10n, undefined])
  assert.deepEqual([traded('sell', 2n), traded('sell', 3n), traded('sell', 5n)], [20n, 10n, undefined])
})

describe('an explanation', () => {
  const want = 'b1 bob buy 2x[0,10) @7'
  const cases: [string, string[], string, { reasons: string[]; nearest?: string; open: bigint; fillable: bigint }][] = [
    ['of an empty other side', [], want, { reasons: ['no_opposite_orders'], open: 20n, fillable: 0n }],
    [
      'of a price that is too far away',
      ['s1 ann sell 2x[0,10) @9', 's2 ann sell 1x[0,10) @9', 's3 ann sell 1x[0,10) @11'],
      want,
      { reasons: ['price_gap'], nearest: '3x[0,10) @9 +2', open: 20n, fillable: 0n },
    ],
    [
      'of minutes that nobody offers',
      ['s1 ann sell 2x[0,4) @5'],
      `${want} whole`,
      { reasons: ['window_not_covered'], open: 20n, fillable: 8n },
    ],
    [
      'of too few nodes',
      ['s1 ann sell 1x[0,10) @5'],
      `${want} whole`,
      { reasons: ['not_enough_nodes'], open: 20n, fillable: 10n },
    ],
    [
      'of all-or-nothing orders that would have to be taken whole',
      ['s1 ann sell 3x[0,10) @5 whole'],
      want,
      { reasons: ['blocked_by_all_or_nothing'], open: 20n, fillable: 0n },
    ],
    [
      'of own orders, which do not count',
      ['s1 bob sell 2x[0,10) @5'],
      want,
      { reasons: ['own_orders_skipped', 'no_opposite_orders'], open: 20n, fillable: 0n },
    ],
    [
      'of own orders that the limit does not reach, which block nothing',
      ['s1 bob sell 2x[0,10) @9'],
      want,
      { reasons: ['no_opposite_orders'], open: 20n, fillable: 0n },
    ],
    [
      'of more than enough in some minutes and nothing in others',
      ['s1 ann sell 3x[0,5) @5', 's2 ann sell 3x[0,5) @6'],
      `${want} whole`,
      { reasons: ['window_not_covered'], open: 20n, fillable: 10n },
    ],
    [
      'of those that come first',
      ['b2 cat buy 1x[0,5) @7', 'b3 cat buy 1x[0,5) @8', 'b4 cat buy 1x[0,5) @6'],
      want,
      { reasons: ['no_opposite_orders', 'queued_behind'], open: 20n, fillable: 0n },
    ],
  ]
  for (const [what, before, order, expected] of cases) {
    test(what, () => {
      const fixture = openBookFixture()
      placeAll(fixture, before)
      place(fixture, order)
      const explained = explainResting(fixture.book, 'b1')
      assert.ok(explained)
      const { nearest } = explained
      const found = {
        reasons: explained.reasons,
        ...(nearest && { nearest: `${printed(nearest.schedule)} @${nearest.price_micros} +${nearest.gap_micros}` }),
        open: explained.open_node_minutes,
        fillable: explained.fillable_node_minutes,
      }
      assert.deepEqual(found, expected)
    })
  }

  test('counts the orders ahead in the same window', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b2 cat buy 1x[0,5) @7', 'b3 cat buy 1x[8,15) @8', 'b4 cat buy 9x[0,9) @6', want])
    assert.deepEqual(explainResting(fixture.book, 'b1')?.queue_ahead, { order_count: 2, node_minutes: 7n })
  })

  test('counts none behind it, of another window, or with the same price and placed later', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b2 cat buy 1x[0,5) @5', 'b3 cat buy 1x[10,15) @8', want, 'b4 cat buy 9x[0,5) @7'])
    assert.deepEqual(explainResting(fixture.book, 'b1')?.queue_ahead, { order_count: 0, node_minutes: 0n })
  })

  test('shows how far a sell is from the best buy', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b2 cat buy 1x[0,5) @5', 's1 ann sell 1x[0,5) @7'])
    const nearest = explainResting(fixture.book, 's1')?.nearest
    assert.deepEqual([nearest?.price_micros, nearest?.gap_micros], [5n, 2n])
  })

  test('shows the minutes without offers at any price', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['s1 ann sell 1x[2,4) @9', 's2 ann sell 5x[6,20) @12', want])
    assert.equal(printed(explainResting(fixture.book, 'b1')?.uncovered ?? []), '2x[0,2) 2x[4,6)')
  })

  test('is not given for an order that does not rest', () => {
    assert.equal(explainResting(openBookFixture().book, 'b1'), undefined)
  })
})
