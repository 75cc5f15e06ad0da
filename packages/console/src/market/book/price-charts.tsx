/** Prices over time: the trades of the past with their volume, and what nodes cost from each hour ahead. */

import type { OrderbookCurvePoint, PriceBucket, SkuId } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { TimeChart } from '../../ui/time-chart.tsx'
import { Moment, Money } from '../../ui/values.tsx'
import { cheapest, curveCharts, historyCharts, historyRange, intervalOf, intervals } from './price-charts.rules.ts'

const none: readonly never[] = []
const dollars = (value: number) => `$${value.toFixed(2)}`
const hours = (value: number) => `${Math.round(value * 10) / 10}`
const titles = Object.fromEntries(Object.entries(intervals).map(([name, { title }]) => [name, title]))

type HistoryProps = { sku: SkuId; now: number; interval: string; onInterval: (interval: string) => void }

/** Prices of past trades, and how much was traded. */
export function PriceHistory({ sku, now, interval: text, onInterval }: HistoryProps) {
  const interval = intervalOf(text)
  const { since, until } = historyRange(interval, now)
  const { data, error } = useRead<readonly PriceBucket[]>(
    ['orderbook', 'history', sku, interval, since],
    async (signal) => {
      const query = { sku, interval, since, until, limit: 200 }
      return (await client.priceHistory.list(query, { signal })).data
    },
    { every: 10_000, keepsLast: true },
  )
  const charts = useMemo(
    () => historyCharts(data ?? none, { since, until }, intervals[interval].seconds),
    [data, since, until, interval],
  )
  return (
    <section className="card" aria-label="Price history">
      <div className="row">
        <h2>Price history</h2>
        <Select label="Interval" value={interval} onChange={onInterval} options={titles} />
      </div>
      <ErrorText error={error} />
      {!data ? (
        error ? null : (
          <Loading />
        )
      ) : data.length === 0 ? (
        <p className="quiet">Nothing was traded in this time.</p>
      ) : (
        <>
          <TimeChart name="Prices of trades" times={charts.times} series={charts.prices} format={dollars} />
          <TimeChart name="Volume" times={charts.times} series={charts.volume} format={hours} height={120} />
        </>
      )}
    </section>
  )
}

/** Lengths of the windows of a curve, in minutes. */
const lengths = { 60: '1 hour', 120: '2 hours', 240: '4 hours', 480: '8 hours', 1440: '1 day', 10080: '7 days' }
const points = 48

type CurveProps = {
  sku: SkuId
  now: number
  length: string
  nodes: string
  onChange: (change: { length?: string; nodes?: string }) => void
}

/** What an order of a length costs from each hour ahead. */
export function ForwardCurve({ sku, now, length, nodes, onChange }: CurveProps) {
  const length_minutes = length in lengths ? Number(length) : 60
  const node_count = Math.min(10_000, Math.max(1, Math.floor(Number(nodes)) || 1))
  const from = Math.ceil(now / hourSeconds) * hourSeconds
  const { data, error } = useRead(
    ['orderbook', 'curve', sku, from, length_minutes, node_count],
    (signal) => {
      const query = { sku, from, to: from + points * hourSeconds, length_minutes, node_count }
      return client.orderbookCurve.get(query, { signal })
    },
    { every: 15_000, keepsLast: true },
  )
  const charts = useMemo(() => curveCharts(data?.points ?? none), [data])
  return (
    <section className="card" aria-label="Forward curve">
      <div className="row">
        <h2>Forward curve</h2>
        <Select
          label="Length"
          value={String(length_minutes)}
          onChange={(value) => onChange({ length: value })}
          options={lengths}
        />
        <Select
          label="Nodes"
          value={String(node_count)}
          onChange={(value) => onChange({ nodes: value })}
          options={nodeOptions(node_count)}
        />
      </div>
      <ErrorText error={error} />
      {data ? (
        <>
          <TimeChart name="Prices by start" times={charts.times} series={charts.prices} format={dollars} />
          <Cheapest points={data.points} sku={sku} nodes={node_count} />
        </>
      ) : error ? null : (
        <Loading />
      )}
    </section>
  )
}

function nodeOptions(chosen: number): Readonly<Record<string, string>> {
  const counts = [...new Set([1, 2, 4, 8, 16, 32, 64, chosen])].toSorted((a, b) => a - b)
  return Object.fromEntries(counts.map((count) => [count, String(count)]))
}

function Cheapest({ points: all, sku, nodes }: { points: readonly OrderbookCurvePoint[]; sku: SkuId; nodes: number }) {
  const best = cheapest(all)
  if (!best) return <p className="quiet">So many nodes cannot be had for this length in the next two days.</p>
  const search = { side: 'buy', sku, nodes: String(nodes), start: String(best.start_at), end: String(best.end_at) }
  return (
    <p>
      Cheapest from <Moment at={best.start_at} />: <Money dollars={best.average_price_dollars_per_node_hour} /> a
      node-hour.{' '}
      <Link to="/ticket" search={search}>
        Order it
      </Link>
    </p>
  )
}
