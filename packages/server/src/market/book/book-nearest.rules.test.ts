import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { randomStream } from '../../../test/market/book-commands.ts'
import { openBookFixture, placeAll } from '../../../test/market/book-fixtures.ts'
import { createComparedBooks, emptyTally, step } from '../../../test/market/book-reference.ts'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom, pick } from '../../core/base/random.ts'
import { alternativesOf, searchMinutes } from './book-nearest.rules.ts'
import { type EstimateRequest, estimateOf } from './book-views.rules.ts'

test('what is said to be free would be filled now, and no larger number that partial offers allow is left out', () => {
  const random = createSeededRandom('alternatives')
  const seen = { free: 0, windows: 0 }
  for (let index = 0; index < sized(800); index += 1) {
    const stream = randomStream(random, 60)
    const duplicates = createComparedBooks(stream.start_minute, emptyTally())
    for (const command of stream.commands) step(duplicates, command)
    const { book } = duplicates
    const from = book.minute + random.integer(10)
    const window = { from, to: from + 1 + random.integer(8) }
    const side = pick(random, ['buy', 'sell'] as const)
    const request: EstimateRequest = { side, window, node_count: 1 + random.integer(12), account_id: undefined }
    if (estimateOf(book, request)) continue
    const { free_node_count, windows } = alternativesOf(book, request)
    assert.ok(free_node_count < request.node_count)
    if (free_node_count > 0) assert.ok(estimateOf(book, { ...request, node_count: free_node_count }))
    const { buy, sell } = book.sides
    const isPlain = buy.whole.size + sell.whole.size === 0
    if (isPlain) assert.equal(estimateOf(book, { ...request, node_count: free_node_count + 1 }), undefined)
    for (const found of windows) {
      assert.equal(found.to - found.from, window.to - window.from)
      assert.ok(found.from >= book.minute && found.to <= window.to + searchMinutes)
      assert.ok(estimateOf(book, { ...request, window: found }))
    }
    seen.free += free_node_count > 0 ? 1 : 0
    seen.windows += windows.length
  }
  assert.ok(seen.free > 0 && seen.windows > 0, JSON.stringify(seen))
})

describe('what is free instead of', () => {
  /** The free nodes and the windows as `from-to`, for an order of bob in a book of these orders. */
  function freeFor([node_count, from, to]: readonly [number, number, number], ...lines: readonly string[]) {
    const fixture = openBookFixture()
    placeAll(fixture, lines)
    const request: EstimateRequest = { side: 'buy', window: { from, to }, node_count, account_id: 'bob' }
    const { free_node_count, windows } = alternativesOf(fixture.book, request)
    return [free_node_count, ...windows.map((window) => `${window.from}-${window.to}`)]
  }

  test('a window: the nodes that are free in each of its minutes', () => {
    assert.deepEqual(freeFor([6, 5, 15], 'a ann sell 2x[5,15) @9', 'b ann sell 3x[5,10) @1'), [2])
    assert.deepEqual(freeFor([6, 5, 15], 'a ann sell 5x[0,7) @9', 'b ann sell 1x[7,20) @1'), [1])
    assert.deepEqual(freeFor([6, 5, 15], 'a ann sell 5x[6,20) @9'), [0])
    assert.deepEqual(freeFor([6, 5, 15], 'a ann sell 5x[0,14) @9'), [0])
    assert.deepEqual(freeFor([6, 5, 15], 'a bob sell 5x[0,20) @9'), [0])
    assert.deepEqual(freeFor([6, 5, 15]), [0])
  })

  test('a window: the first and the last of each stretch of the same length', () => {
    assert.deepEqual(freeFor([2, 0, 10], 'a ann sell 2x[20,50) @9'), [0, '20-30', '40-50'])
    assert.deepEqual(freeFor([2, 0, 10], 'a ann sell 2x[20,30) @9'), [0, '20-30'])
    assert.deepEqual(freeFor([2, 0, 10], 'a ann sell 2x[20,29) @9', 'b ann sell 1x[29,40) @9'), [0])
    assert.deepEqual(freeFor([2, 0, 10], 'a ann sell 2x[20,25) @9', 'b ann sell 3x[25,30) @1'), [0, '20-30'])
    assert.deepEqual(freeFor([2, 0, 10], 'a bob sell 2x[20,50) @9'), [0])
  })

  test('a window: the three nearest, before and after it', () => {
    const lines = [
      'a ann sell 1x[0,2) @9',
      'b ann sell 1x[20,22) @9',
      'c ann sell 1x[41,43) @9',
      'd ann sell 1x[61,63) @9',
    ]
    assert.deepEqual(freeFor([1, 30, 32], ...lines), [0, '0-2', '20-22', '41-43'])
    assert.deepEqual(freeFor([1, 32, 34], ...lines), [0, '20-22', '41-43', '61-63'])
    assert.deepEqual(freeFor([1, 0, 2], ...lines.slice(1)), [0, '20-22', '41-43', '61-63'])
  })

  test('a window: those within two weeks of its end', () => {
    const end = 10 + searchMinutes
    assert.deepEqual(freeFor([1, 0, 10], `a ann sell 1x[${end - 10},${end + 90}) @9`), [0, `${end - 10}-${end}`])
    assert.deepEqual(freeFor([1, 0, 10], `a ann sell 1x[${end - 9},${end + 90}) @9`), [0])
  })
})
