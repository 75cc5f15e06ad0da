import assert from 'node:assert/strict'
import { test } from 'vitest'
import { randomStream } from '../../../test/market/book-commands.ts'
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
