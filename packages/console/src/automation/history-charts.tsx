/** Target and actual over time, and the prices of an automation against those of the market. */

import type { Pool, SkuSummary } from '@bourse/sdk'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { useMemo } from 'react'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { type Steps, stepsOf } from '../live/steps.rules.ts'
import { Loaded } from '../ui/loaded.tsx'
import { TimeChart } from '../ui/time-chart.tsx'
import type { Series } from '../ui/time-series.ts'
import { type ChartLine, chartOf, priceSteps } from './automation.rules.ts'

const historyMinutes = 1_440
const priceDays = 7

/** A line with how it is drawn. */
export type NamedLine = ChartLine & Pick<Series, 'name' | 'color'>

type NodesProps = {
  pool: Pick<Pool, 'id'>
  sku: SkuSummary
  target: number
  ahead: number
  lines: readonly NamedLine[]
}

/** What the pool owned and will own of the SKU, from a day ago until some seconds ahead, beside the target of now. */
export function NodesChart({ pool, sku, target, ahead, lines }: NodesProps) {
  const minute = Math.floor(useNow() / 60) * 60
  const history = useRead(
    ['pool', 'history', pool.id],
    () => client.pools.get(pool.id, { schedule_history_minutes: historyMinutes }),
    { every: 10_000 },
  )
  const schedule = history.data?.allocation_schedule.by_sku[sku.id]
  const chart = useMemo(() => {
    const range = { from: minute - historyMinutes * 60, to: minute + ahead }
    const owned: Steps = [[range.from, 0], ...stepsOf(schedule ?? [])]
    const all: NamedLine[] = [
      { name: 'Target now', color: 'quiet', steps: [[range.from, target]] },
      { name: 'Nodes owned', color: 'good', steps: owned },
      ...lines,
    ]
    return drawn(range, all)
  }, [minute, ahead, target, schedule, lines])
  return <Loaded of={history}>{() => <TimeChart name="Nodes: target and actual" {...chart} format={whole} />}</Loaded>
}

type PricesProps = { sku: SkuSummary; highest: string | null | undefined; lowest?: string | undefined }

/** The prices that it pays at most and asks at least, against the hourly averages of the market. */
export function PricesChart({ sku, highest, lowest }: PricesProps) {
  const now = Math.floor(useNow() / hourSeconds) * hourSeconds
  const since = now - priceDays * daySeconds
  const history = useRead(
    ['orderbook', 'history', sku.id, since],
    () => client.priceHistory.list({ sku: sku.id, interval: 'hour', since, limit: 200 }).all({ max: 400 }),
    { every: 60_000 },
  )
  const chart = useMemo(() => {
    const range = { from: since, to: now + hourSeconds }
    const flat = (price: string): Steps => [[range.from, Number(price)]]
    const all: NamedLine[] = [
      { name: 'Market, hourly average', color: 'accent', steps: priceSteps(history.data ?? []) },
    ]
    if (highest) all.push({ name: 'Buys at most at', color: 'warn', steps: flat(highest) })
    if (lowest) all.push({ name: 'Sells at least at', color: 'bad', steps: flat(lowest) })
    return drawn(range, all)
  }, [since, now, history.data, highest, lowest])
  return (
    <Loaded of={history}>
      {({ length }) => (
        <>
          <TimeChart name={`Price of ${sku.alias} a node-hour`} {...chart} format={dollars} />
          {length > 0 ? null : (
            <p className="quiet small">
              Nothing of this SKU was traded in {priceDays} days, so the market has no line here.
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

function drawn(range: { from: number; to: number }, lines: readonly NamedLine[]) {
  const { times, values } = chartOf(range, lines)
  const series = lines.map(({ name, color }, index): Series => {
    return { name, kind: 'steps', ...(color ? { color } : {}), values: values[index] ?? [] }
  })
  return { times, series }
}

function whole(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}

function dollars(value: number): string {
  return `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`
}
