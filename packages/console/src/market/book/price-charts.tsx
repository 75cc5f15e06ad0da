/** Prices over time: the trades of the past with their volume, and what nodes cost from each hour ahead. */

import type { OrderbookCurvePoint, PriceBucket, Sku } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { type ReactNode, useMemo } from 'react'
import { client } from '../../live/client.ts'
import { useRead } from '../../live/queries.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { Loading } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { TimeChart } from '../../ui/time-chart.tsx'
import { Moment } from '../../ui/values.tsx'
import { type PriceUnit, partsOf, priceText, unitText } from '../board/board.rules.ts'
import { windowLengths } from '../board/board-address.rules.ts'
import {
  cheapest,
  curveCharts,
  historyCharts,
  historyRange,
  historySpanOf,
  historySpans,
} from './price-charts.rules.ts'
import { type OpenTicket, TradeLink } from './trade-link.tsx'

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
    <section aria-label="Price history">
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
          <TimeChart
            name="Prices of trades"
            times={charts.times}
            series={charts.prices}
            format={dollars}
            height={180}
          />
          <TimeChart name="Volume" times={charts.times} series={charts.volume} format={hours} height={90} />
        </>
      )}
    </section>
  )
}

/** Hours ahead of a curve. */
const points = 48

type CurveProps = {
  sku: Sku
  unit: PriceUnit
  now: number
  length: string
  nodes: number
  onLength: (length: string) => void
  onTrade: OpenTicket
}

/** What an order of a length costs from each hour ahead. */
export function ForwardCurve({
  sku: { id: sku, ...properties },
  unit,
  now,
  nodes,
  onLength,
  onTrade,
  length,
}: CurveProps) {
  const length_minutes = length in windowLengths ? Number(length) : 60
  const from = Math.ceil(now / hourSeconds) * hourSeconds
  const { data, error } = useRead(
    ['orderbook', 'curve', sku, from, length_minutes, nodes],
    (signal) => {
      const query = { sku, from, to: from + points * hourSeconds, length_minutes, node_count: nodes }
      return client.orderbookCurve.get(query, { signal })
    },
    { every: 15_000, keepsLast: true },
  )
  const parts = partsOf(properties, unit)
  const charts = useMemo(() => curveCharts(data?.points ?? none, parts), [data, parts])
  const best = data && cheapest(data.points)
  return (
    <section aria-label="Forward curve">
      <div className="row">
        <h2>
          Forward curve{' '}
          <small className="quiet">
            {unitText(properties, unit)}, {nodes === 1 ? '1 node' : `${nodes} nodes`}
          </small>
        </h2>
        <Select label="Length" value={String(length_minutes)} onChange={onLength} options={windowLengths} />
      </div>
      <ErrorText error={error} />
      {data ? (
        <>
          <TimeChart name="Prices by start" times={charts.times} series={charts.prices} format={dollars} height={180} />
          {best ? (
            <Cheapest best={best} sku={sku} nodes={nodes} onTrade={onTrade}>
              {priceText(best.average_price_dollars_per_node_hour ?? '0', parts)}
              {unitText(properties, unit)}
            </Cheapest>
          ) : (
            <p className="quiet">So many nodes cannot be had for this length in the next two days.</p>
          )}
        </>
      ) : error ? null : (
        <Loading />
      )}
    </section>
  )
}

type CheapestProps = {
  best: OrderbookCurvePoint
  sku: Sku['id']
  nodes: number
  onTrade: OpenTicket
  /** The price. */
  children: ReactNode
}

function Cheapest({ best: { start_at, end_at }, sku, nodes, onTrade, children }: CheapestProps) {
  const draft = { side: 'buy', sku, nodes: String(nodes), start: String(start_at), end: String(end_at) }
  return (
    <p>
      Cheapest from <Moment at={start_at} />: {children}.{' '}
      <TradeLink draft={draft} onTrade={onTrade}>
        Order it
      </TradeLink>
    </p>
  )
}
