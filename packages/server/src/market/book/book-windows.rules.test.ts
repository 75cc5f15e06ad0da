import assert from 'node:assert/strict'
import { test } from 'vitest'
import { randomStream } from '../../../test/market/book-commands.ts'
import { openBookFixture, placeAll } from '../../../test/market/book-fixtures.ts'
import { createComparedBooks, emptyTally, step } from '../../../test/market/book-reference.ts'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom } from '../../core/base/random.ts'
import { at } from '../schedule/schedule.rules.ts'
import { availabilityOf, bestPrices, estimateOf } from './book-views.rules.ts'
import { bestPricesIn, estimatesIn, firstReaches, offeredIn, windowsFrom } from './book-windows.rules.ts'

test('readings of many windows of random books are those of each window alone', () => {
  const random = createSeededRandom('windows')
  const seen = { priced: 0, offered: 0, missing: 0 }
  for (let index = 0; index < sized(300); index += 1) {
    const stream = randomStream(random, 60)
    const duplicates = createComparedBooks(stream.start_minute, emptyTally())
    for (const command of stream.commands) step(duplicates, command)
    const { book } = duplicates
    const spacing = { step: 1 + random.integer(6), length: 1 + random.integer(9) }
    const windows = windowsFrom(book.minute + random.integer(6), { count: random.integer(9), ...spacing })
    const best = windows.map((window) => bestPrices(book, window))
    assert.deepEqual(
      bestPricesIn(book, 'buy', windows),
      best.map(({ buy }) => buy),
    )
    assert.deepEqual(
      bestPricesIn(book, 'sell', windows),
      best.map(({ sell }) => sell),
    )
    const offered = offeredIn(book, windows, 'a0')
    const plain = windows.map((window) => {
      const schedule = availabilityOf(book, window, 'a0')
      const minutes = Array.from({ length: window.to - window.from }, (_, minute) => window.from + minute)
      return Math.min(...minutes.map((minute) => at(schedule, minute)))
    })
    assert.deepEqual(offered, plain)
    const node_count = 1 + random.integer(4)
    const estimates = estimatesIn(book, windows, { node_count, account_id: 'a0', offered })
    const alone = windows.map((window) => estimateOf(book, { side: 'buy', window, node_count, account_id: 'a0' }))
    assert.deepEqual(estimates, alone)
    seen.priced += estimates.filter((estimate) => estimate !== undefined).length
    seen.missing += estimates.filter((estimate) => estimate === undefined).length
    seen.offered += offered.filter((nodes) => nodes > 0).length
  }
  assert.ok(seen.priced > 0 && seen.missing > 0 && seen.offered > 0, JSON.stringify(seen))
})

test('each window gets the first reach that overlaps it, and no more are read than needed', () => {
  const windows = windowsFrom(10, { count: 4, step: 5, length: 8 })
  const read: string[] = []
  function* reaches() {
    for (const [from, to, value] of [
      [0, 10, 'before'],
      [17, 18, 'first'],
      [33, 40, 'after'],
      [10, 19, 'second'],
      [5, 99, 'third'],
      [0, 99, 'unread'],
    ] as const) {
      read.push(value)
      yield { from, to, value }
    }
  }
  assert.deepEqual(firstReaches(windows, reaches()), ['first', 'first', 'third', 'third'])
  assert.deepEqual(read, ['before', 'first', 'after', 'second', 'third'])
})

test('an offer that ends when a window starts, or starts when it ends, is not in it', () => {
  const fixture = openBookFixture()
  placeAll(fixture, ['s1 ann sell 2x[0,10) @5', 's2 ann sell 3x[20,30) @6', 'b1 bob buy 1x[8,12) @2'])
  const windows = windowsFrom(0, { count: 3, step: 10, length: 10 })
  assert.deepEqual(bestPricesIn(fixture.book, 'sell', windows), [5n, undefined, 6n])
  assert.deepEqual(bestPricesIn(fixture.book, 'buy', windows), [2n, 2n, undefined])
  assert.deepEqual(offeredIn(fixture.book, windows, 'cat'), [2, 0, 3])
  assert.deepEqual(offeredIn(fixture.book, windows, 'ann'), [0, 0, 0])
})
