/** The server at a glance: the last run of the audits, and some figures of its metrics. */

import { countText, durationText, untilText } from '@bourse/text/formats/short.ts'
import { Link } from '@tanstack/react-router'
import { useTick } from '../live/clock.ts'
import { useRead } from '../live/queries.ts'
import { ErrorText } from '../ui/error-text.tsx'
import { Facts, Loading } from '../ui/page.tsx'
import { samplesOf, sumOf } from './metrics.rules.ts'

/** Milliseconds between two reads. */
const pace = 15_000

/** The card. Where metrics have a port of their own, they are not here. */
export function Health() {
  const now = useTick()
  const metrics = useRead(['metrics'], readMetrics, { every: pace })
  if (metrics.error) return <ErrorText error={metrics.error} />
  if (!metrics.data) return <Loading />
  const text = metrics.data
  const violated = samplesOf(text, 'bourse_audit_violations').filter(({ value }) => value > 0)
  const runAt = sumOf(text, 'bourse_audit_last_run_timestamp_seconds')
  const lag = sumOf(text, 'nodejs_eventloop_lag_p99_seconds')
  const memory = sumOf(text, 'process_resident_memory_bytes')
  return (
    <div className="stack">
      <section className="card" aria-labelledby="audits">
        <h2 id="audits">Audits of stored data</h2>
        <p>{runAt ? `Last run ${untilText(Math.floor(runAt), now)}.` : 'They have not run since the start.'}</p>
        {violated.length === 0 ? (
          runAt ? (
            <p className="good">Nothing contradicts itself.</p>
          ) : null
        ) : (
          <ul className="bad">
            {violated.map(({ labels, value }) => (
              <li key={labels.audit}>
                {labels.audit}: {value} rows
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
      <Facts
        facts={[
          ['Resting orders', shown(sumOf(text, 'bourse_resting_orders'))],
          ['Order books', shown(sumOf(text, 'bourse_books'))],
          ['Memory', memory === undefined ? '–' : `${countText(Math.round(memory / 2 ** 20))} MiB`],
          ['Delay of the event loop, p99', lag === undefined ? '–' : `${Math.round(lag * 1000)} ms`],
          ['Lag of webhooks', durationText(sumOf(text, 'bourse_webhook_lag_seconds') ?? 0)],
        ]}
      />
      <p>
        <a href="/docs/guides/production">What to watch in production</a>
      </p>
    </div>
  )
}

async function readMetrics(signal: AbortSignal): Promise<string> {
  const response = await fetch('/metrics', { signal })
  if (!response.ok) throw new Error('This server shows its metrics at another port: see BOURSE_METRICS_PORT.')
  return response.text()
}

function shown(value: number | undefined): string {
  return value === undefined ? '–' : countText(value)
}
