/** Prices over time: the trades of the past with their volume, and what nodes cost from each hour ahead. */

import type { OrderbookCurvePoint, PriceBucket, Sku } from '@bourse/sdk'
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
import { type PriceUnit, partsOf, unitText } from '../board/board.rules.ts'
import {
  cheapest,
  curveCharts,
  historyCharts,
  historyRange,
  historySpanOf,
  historySpans,
} from './price-charts.rules.ts'

const none: readonly never[] = []
const dollars = (value: number) => `$${value.toFixed(2)}`
const hours = (value: number) => `${Math.round(value * 10) / 10}`
const titles = Object.fromEntries(Object.entries(historySpans).map(([name, { title }]) => [name, title]))

type HistoryProps = { sku: Sku; unit: PriceUnit; now: number; span: string; onSpan: (span: string) => void }

/** Prices of past trades, and how much was traded. */
export function PriceHistory({ sku, unit, now, span: text, onSpan }: HistoryProps) {
  const span = historySpanOf(text)
  const { interval, seconds } = historySpans[span]
  const { since, until } = historyRange(span, now)
  const { data, error } = useRead<readonly PriceBucket[]>(
    ['orderbook', 'history', sku.id, interval, since],
    async (signal) => {
      const query = { sku: sku.id, interval, since, until, limit: 200 }
      return (await client.priceHistory.list(query, { signal })).data
    },
    { every: 10_000, keepsLast: true },
  )
  const parts = partsOf(sku, unit)
  const charts = useMemo(
    () => historyCharts(data ?? none, { since, until }, { seconds, parts }),
    [data, since, until, seconds, parts],
  )
  return (
    <section className="card" aria-label="Price history">
      <div className="row">
        <h2>
          Price history <small className="quiet">{unitText(sku, unit)}</small>
        </h2>
        <Select label="Last" value={span} onChange={onSpan} options={titles} />
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
  sku: Sku
  unit: PriceUnit
  now: number
  length: string
  nodes: string
  onChange: (change: { length?: string; nodes?: string }) => void
}

/** What an order of a length costs from each hour ahead. */
export function ForwardCurve({ sku: { id: sku, ...properties }, unit, now, length, nodes, onChange }: CurveProps) {
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
  const parts = partsOf(properties, unit)
  const charts = useMemo(() => curveCharts(data?.points ?? none, parts), [data, parts])
  return (
    <section className="card" aria-label="Forward curve">
      <div className="row">
        <h2>
          Forward curve <small className="quiet">{unitText(properties, unit)}</small>
        </h2>
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

function Cheapest({
  points: all,
  sku,
  nodes,
}: {
  points: readonly OrderbookCurvePoint[]
  sku: Sku['id']
  nodes: number
}) {
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
