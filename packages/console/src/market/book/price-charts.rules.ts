/** Prices over time as series of charts. Pure. */

import type { OrderbookCurvePoint, PriceBucket } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { Series } from '../../ui/time-series.ts'

/** The spans of one bucket, with how many of them are shown. */
export const intervals = {
  minute: { seconds: 60, count: 180, title: 'By minute, 3 hours' },
  hour: { seconds: hourSeconds, count: 168, title: 'By hour, 7 days' },
  day: { seconds: daySeconds, count: 90, title: 'By day, 90 days' },
} as const
/** The span of a bucket. */
export type Interval = keyof typeof intervals

/** The text of an address as an interval. */
export function intervalOf(text: string): Interval {
  return text in intervals ? (text as Interval) : 'hour'
}

/** The moments that a history covers: up to the end of the current bucket. */
export function historyRange(interval: Interval, now: number): { readonly since: number; readonly until: number } {
  const { seconds, count } = intervals[interval]
  const until = Math.floor(now / seconds) * seconds + seconds
  return { since: until - count * seconds, until }
}

type Charts = {
  readonly times: readonly number[]
  readonly prices: readonly Series[]
  readonly volume: readonly Series[]
}

/** Prices and volume of each bucket of a range; buckets without a trade have none. */
export function historyCharts(
  buckets: readonly PriceBucket[],
  { since, until }: { readonly since: number; readonly until: number },
  seconds: number,
): Charts {
  const byStart = new Map(buckets.map((bucket) => [bucket.start_at, bucket]))
  const times = Array.from({ length: Math.max(0, Math.round((until - since) / seconds)) }, (_, index) => {
    return since + index * seconds
  })
  const pick = (value: (bucket: PriceBucket) => string | number) =>
    times.map((at) => {
      const bucket = byStart.get(at)
      return bucket ? Number(value(bucket)) : null
    })
  return {
    times,
    prices: [
      { name: 'Average', kind: 'line', values: pick((bucket) => bucket.vwap_price_dollars_per_node_hour) },
      { name: 'Low', color: 'quiet', values: pick((bucket) => bucket.low_price_dollars_per_node_hour) },
      { name: 'High', color: 'warn', values: pick((bucket) => bucket.high_price_dollars_per_node_hour) },
    ],
    volume: [{ name: 'Node-hours', kind: 'bars', values: pick((bucket) => bucket.node_minutes / 60) }],
  }
}

/** The prices of a forward curve. */
export function curveCharts(points: readonly OrderbookCurvePoint[]): Pick<Charts, 'times' | 'prices'> {
  const pick = (value: (point: OrderbookCurvePoint) => string | null) =>
    points.map((point) => {
      const price = value(point)
      return price === null ? null : Number(price)
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
