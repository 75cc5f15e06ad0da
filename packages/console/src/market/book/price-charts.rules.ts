/** Prices over time as series of charts. Pure. */

import type { OrderbookCurvePoint, PriceBucket } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { Series } from '../../ui/time-series.ts'

/** How far back a history goes, and the length of its buckets. */
export const historySpans = {
  '3h': { interval: 'minute', seconds: 60, count: 180, title: '3 h' },
  '1d': { interval: 'hour', seconds: hourSeconds, count: 24, title: '1 d' },
  '7d': { interval: 'hour', seconds: hourSeconds, count: 168, title: '7 d' },
  '30d': { interval: 'day', seconds: daySeconds, count: 30, title: '30 d' },
} as const
/** How far back a history goes. */
export type HistorySpan = keyof typeof historySpans

/** The text of an address as a span. */
export function historySpanOf(text: string): HistorySpan {
  return text in historySpans ? (text as HistorySpan) : '7d'
}

/** The moments that a history covers: up to the end of the current bucket. */
export function historyRange(span: HistorySpan, now: number): { readonly since: number; readonly until: number } {
  const { seconds, count } = historySpans[span]
  const until = Math.floor(now / seconds) * seconds + seconds
  return { since: until - count * seconds, until }
}

type Charts = {
  readonly times: readonly number[]
  readonly prices: readonly Series[]
  readonly volume: readonly Series[]
}

/**
 * Prices and volume of each bucket of a range, from the bucket before the first trade on; those without a trade have
 * none. Prices are divided by the parts of a node.
 */
export function historyCharts(
  buckets: readonly PriceBucket[],
  { since: from, until }: { readonly since: number; readonly until: number },
  { seconds, parts = 1 }: { seconds: number; parts?: number },
): Charts {
  const since = Math.max(from, (buckets[0]?.start_at ?? from) - seconds)
  const byStart = new Map(buckets.map((bucket) => [bucket.start_at, bucket]))
  const times = Array.from({ length: Math.max(0, Math.round((until - since) / seconds)) }, (_, index) => {
    return since + index * seconds
  })
  const pick = (value: (bucket: PriceBucket) => number) =>
    times.map((at) => {
      const bucket = byStart.get(at)
      return bucket ? value(bucket) : null
    })
  return {
    times,
    prices: [
      {
        name: 'Average',
        kind: 'line',
        values: pick((bucket) => Number(bucket.vwap_price_dollars_per_node_hour) / parts),
      },
      { name: 'Low', color: 'quiet', values: pick((bucket) => Number(bucket.low_price_dollars_per_node_hour) / parts) },
      {
        name: 'High',
        color: 'warn',
        values: pick((bucket) => Number(bucket.high_price_dollars_per_node_hour) / parts),
      },
    ],
    volume: [{ name: 'Node-hours', kind: 'bars', values: pick((bucket) => bucket.node_minutes / 60) }],
  }
}

/** The prices of a forward curve. */
export function curveCharts(points: readonly OrderbookCurvePoint[], parts = 1): Pick<Charts, 'times' | 'prices'> {
  const pick = (value: (point: OrderbookCurvePoint) => string | null) =>
    points.map((point) => {
      const price = value(point)
      return price === null ? null : Number(price) / parts
    })
  return {
    times: points.map(({ start_at }) => start_at),
    prices: [
      { name: 'Price of the order', kind: 'steps', values: pick((one) => one.average_price_dollars_per_node_hour) },
      { name: 'Best ask', kind: 'steps', color: 'bad', values: pick((one) => one.best_ask_dollars_per_node_hour) },
      { name: 'Best bid', kind: 'steps', color: 'good', values: pick((one) => one.best_bid_dollars_per_node_hour) },
    ],
  }
}

/** The cheapest point of a curve; undefined where no window can be had. */
export function cheapest(points: readonly OrderbookCurvePoint[]): OrderbookCurvePoint | undefined {
  const priceOf = ({ average_price_dollars_per_node_hour: price }: OrderbookCurvePoint) => Number(price)
  return points
    .filter(({ average_price_dollars_per_node_hour: price }) => price !== null)
    .reduce<OrderbookCurvePoint | undefined>(
      (best, one) => (best && priceOf(best) <= priceOf(one) ? best : one),
      undefined,
    )
}
