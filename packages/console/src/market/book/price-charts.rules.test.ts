import assert from 'node:assert/strict'
import type { OrderbookCurvePoint, PriceBucket } from '@bourse/sdk'
import { test } from 'vitest'
import {
  cheapest,
  curveCharts,
  historyCharts,
  historyRange,
  historySpanOf,
  historySpans,
} from './price-charts.rules.ts'

test('a history ends with the current bucket, and has as many as one request gives', () => {
  for (const interval of ['3h', '1d', '7d', '30d'] as const) {
    const { since, until } = historyRange(interval, 1_800_000_123)
    const { seconds, count } = historySpans[interval]
    assert.ok(until > 1_800_000_123 && until - 1_800_000_123 <= seconds)
    assert.deepEqual([since % seconds, (until - since) / seconds], [0, count])
    assert.ok(count <= 200)
  }
  assert.deepEqual(['30d', 'year', ''].map(historySpanOf), ['30d', '7d', '7d'])
})

test('a bucket without a trade is a gap, and what is before the first trade is left out', () => {
  const bucket = {
    start_at: 60,
    vwap_price_dollars_per_node_hour: '2.000000',
    low_price_dollars_per_node_hour: '1.000000',
    high_price_dollars_per_node_hour: '3.000000',
    node_minutes: 90,
  } as PriceBucket
  const { times, prices, volume } = historyCharts([bucket], { since: -600, until: 180 }, { seconds: 60 })
  assert.deepEqual(times, [0, 60, 120])
  assert.deepEqual(
    prices.map(({ values }) => values[1]),
    [2, 1, 3],
  )
  assert.deepEqual(volume[0]?.values, [null, 1.5, null])
})

test('a curve names its cheapest window, the first of equals', () => {
  const point = (start_at: number, price: string | null) =>
    ({
      start_at,
      average_price_dollars_per_node_hour: price,
      best_ask_dollars_per_node_hour: null,
      best_bid_dollars_per_node_hour: price,
    }) as OrderbookCurvePoint
  const points = [point(0, null), point(1, '3.0'), point(2, '2.0'), point(3, '2.0')]
  assert.equal(cheapest(points)?.start_at, 2)
  assert.equal(cheapest([point(0, null)]), undefined)
  assert.deepEqual(
    curveCharts(points).prices.map(({ values }) => values[1]),
    [3, null, 3],
  )
})
