/** The server at a glance: the last run of the audits, and some figures of its metrics with their past. */

import { countText, durationText, sizeText, untilText } from '@bourse/text/formats/short.ts'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTick } from '../live/clock.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { TimeChart } from '../ui/time-chart.tsx'
import type { Series } from '../ui/time-series.ts'
import { type AuditResult, auditsOf, type MetricFigures, requestRates } from './metrics.rules.ts'
import { useFigures } from './use-figures.ts'

/** The card. Where metrics have a port of their own, they are not here. */
export function Health() {
  const metrics = useFigures()
  if (!metrics.data) return metrics.error ? <ErrorText error={metrics.error} /> : <Loading />
  return (
    <div className="stack">
      <Audits found={auditsOf(metrics.data.text)} />
      <Figures history={metrics.data.history} />
      <p className="quiet">
        The server keeps its newest figures only: the charts begin when this console was opened. Prometheus keeps all of
        them. <a href="/docs/guides/production">What to watch in production</a>
      </p>
    </div>
  )
}

/** Whether stored data contradicts itself: grey until the audits have looked. */
export function AuditBadge({ found: { run_at, violations } }: { found: AuditResult }) {
  if (run_at === undefined) return <Badge word="not run yet" tone="none" />
  return violations.length === 0 ? (
    <Badge word="nothing contradicts itself" tone="good" />
  ) : (
    <Badge word={`${violations.length} violated`} tone="bad" />
  )
}

function Audits({ found }: { found: AuditResult }) {
  const now = useTick()
  const { run_at, violations } = found
  return (
    <section className="card" aria-labelledby="audits">
      <h2 id="audits">
        Audits of stored data <AuditBadge found={found} />
      </h2>
      <p className="quiet">
        {run_at === undefined ? 'They have not run since the start.' : `Last run ${untilText(run_at, now)}.`}
      </p>
      {violations.length === 0 ? null : (
        <ul className="bad">
          {violations.map(({ audit, rows }) => (
            <li key={audit}>
              {audit}: {rows} rows
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link to="/events" search={{ action: 'audit.violated' }}>
          Violations of the last seven days
        </Link>
        ; <code>bourse doctor</code> runs all of them now.
      </p>
    </section>
  )
}

type Figure = {
  readonly name: string
  readonly values: (history: readonly MetricFigures[]) => readonly (number | null | undefined)[]
  readonly format: (value: number) => string
}

const lengthText = (seconds: number) => {
  return seconds < 10 ? `${countText(Math.round(seconds * 1_000))} ms` : durationText(seconds)
}

const figures: readonly Figure[] = [
  {
    name: 'Requests a second',
    values: requestRates,
    format: (rate) => (rate < 10 ? rate.toFixed(1) : countText(Math.round(rate))),
  },
  { name: 'Resting orders', values: (all) => all.map(({ orders }) => orders), format: countText },
  { name: 'Instances that wait', values: (all) => all.map(({ waiting }) => waiting), format: countText },
  {
    name: 'Delay of the event loop, 99 of 100',
    values: (all) => all.map(({ loop_delay }) => loop_delay),
    format: lengthText,
  },
  { name: 'Lag of webhooks', values: (all) => all.map(({ webhook_lag }) => webhook_lag), format: lengthText },
  { name: 'Memory', values: (all) => all.map(({ memory }) => memory), format: (bytes) => sizeText(Math.round(bytes)) },
]

function Figures({ history }: { history: readonly MetricFigures[] }) {
  const times = useMemo(() => history.map(({ at }) => at), [history])
  return (
    <div className="grid">
      {figures.map((figure) => (
        <FigureChart key={figure.name} figure={figure} times={times} history={history} />
      ))}
    </div>
  )
}

type FigureChartProps = { figure: Figure; times: readonly number[]; history: readonly MetricFigures[] }

function FigureChart({ figure: { name, values, format }, times, history }: FigureChartProps) {
  const series = useMemo((): readonly Series[] => {
    return [{ name: 'Newest', values: values(history).map((value) => value ?? null) }]
  }, [values, history])
  const known = series[0]?.values.filter((value) => value !== null) ?? []
  // One figure is no line yet.
  if (known.length < 2) {
    return (
      <section className="card" aria-label={name}>
        <h2>{name}</h2>
        <p>
          {known[0] === undefined ? '–' : <b>{format(known[0])}</b>}{' '}
          <span className="quiet">The line begins with the second figure, within 15 s.</span>
        </p>
      </section>
    )
  }
  return (
    <section className="card">
      <TimeChart name={name} times={times} series={series} format={format} height={130} />
    </section>
  )
}
