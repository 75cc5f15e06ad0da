/**
 * The page `/metrics`: what this process measures of itself, and figures about the database, which all scrapes of some
 * seconds share. Without the database the page has everything else. The list for operators, with what each means, is
 * docs/metrics.md. No series names an account or another thing that customers can add.
 */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { atMostEvery } from '../core/base/at-most-every.ts'
import { monotonicMilliseconds } from '../core/base/clock.ts'
import { type Family, printFamilies, type Sample } from '../core/base/exposition.ts'
import { workerFamilies } from '../core/base/joined-pages.ts'
import { once } from '../core/base/once.ts'
import { version } from '../core/base/version.ts'
import { createRequestTimes } from '../core/http/request-times.ts'
import type { Certificates } from '../core/tls/certificates.ts'
import type { FairQueue } from '../core/work/fair-queue.ts'
import { type Figure, type FigureGroup, readFigures } from '../core/work/figures.ts'
import type { ReconcilerLoop, ReconcilerStatus } from '../core/work/reconciler.ts'
import type { Runtime } from '../core/work/runtime.ts'

/** The figures about the database are read at most this often. */
const figuresMilliseconds = 15_000

/** The metrics of one process. */
export type Metrics = {
  observe(operation: string, status: number, milliseconds: number): void
  /** Says how to ask whether the process is ready, as `/readyz` does. The page shows it. */
  provideReadiness(isReady: (runtime: Runtime) => Promise<boolean>): void
  text(): Promise<string>
}

/** The metrics of all processes of a replica, where it has several. */
export type MetricsOfAll = {
  /** Joins the page of this process with those of the others. */
  join(page: string): Promise<string>
  /** Says how to read the page of this process, where another one is asked. */
  provide(read: () => Promise<string>): void
}

/** What the metrics measure. */
type MeasuredServer = {
  readonly runtime: Runtime
  readonly loop: ReconcilerLoop
  readonly turns: Readonly<Record<'commands' | 'queries', FairQueue>>
  /** The kinds of all reconcilers. */
  readonly kinds: readonly string[]
  readonly figures: { readonly frequent: readonly FigureGroup[]; readonly hourly: readonly FigureGroup[] }
  /** Why the last durable write failed, if it did. */
  readonly writeProblem: () => string | undefined
  /** The metrics of the processes beside this one. */
  readonly of_all?: MetricsOfAll | undefined
  /** The certificate of a server that is reached by https. */
  readonly certificates?: Certificates | undefined
  /** Whether key files are not taken, where they are followed. */
  readonly are_keys_rejected?: (() => boolean) | undefined
  /** Whether an injected fault of the sandbox makes the database unavailable. */
  readonly isDatabaseDown?: (() => boolean) | undefined
  /** The monotonic clock in milliseconds. */
  readonly now?: () => number
}

type FigureReading = { readonly figures: readonly Figure[] | undefined; readonly seconds: number }
type Printed = readonly [Family, readonly Sample[]]

/**
 * Metrics of the library that the page leaves out: gauges whose names end like those of counters, and figures of the
 * event loop that are no numbers where two scrapes follow each other closely.
 */
const unfit = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_min_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
]

// Shared by all servers of one process: they share its memory and its event loop too.
const processRegistry = once(() => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of unfit) registry.removeSingleMetric(name)
  const name = 'nodejs_array_buffers_bytes'
  const help = 'Memory of ArrayBuffers and Buffers, which external memory includes.'
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(process.memoryUsage().arrayBuffers)
    },
  })
  return registry
})

/** Creates the metrics of a server. */
export function openMetrics(measured: MeasuredServer): Metrics {
  const { runtime, figures, isDatabaseDown, of_all, now = monotonicMilliseconds } = measured
  const times = createRequestTimes()
  const read = atMostEvery(figuresMilliseconds, () => readTimed(runtime, figures.frequent, now), now)
  let isReady: ((runtime: Runtime) => Promise<boolean>) | undefined
  const ownText = async () => {
    const readiness = isReady ? [readinessSample(await isReady(runtime))] : []
    const samples = printFamilies([...readiness, ...processSamples(measured)])
    return `${times.text()}${samples}${await processRegistry().metrics()}`
  }
  of_all?.provide(ownText)
  return {
    observe: times.observe,
    provideReadiness: (ask) => {
      isReady = ask
    },
    text: async () => {
      // First, so that the page counts a reading that fails.
      const known = isDatabaseDown?.() ? { figures: undefined, seconds: 0 } : await read()
      const own = await ownText()
      const all = of_all ? await of_all.join(own) : `${own}${printFamilies(withoutWorkers)}`
      return `${all}${printFamilies(databaseSamples(measured, known))}`
    },
  }
}

function readinessSample(isReady: boolean): Printed {
  return plain('gauge', 'bourse_ready', 'Whether /readyz responds with 200.', isReady ? 1 : 0)
}

/** A single process has no workers: the families have no series. */
const withoutWorkers = Object.values(workerFamilies).map((family): Printed => [family, []])

/** Never fails: a page without the figures is what shows that the database is away. */
async function readTimed(runtime: Runtime, groups: readonly FigureGroup[], now: () => number): Promise<FigureReading> {
  const began = now()
  const seconds = () => (now() - began) / 1000
  try {
    const figures = await readFigures(runtime.database, groups)
    return { figures, seconds: seconds() }
  } catch (error) {
    runtime.services.failures.record((error as { cause?: unknown }).cause ?? error)
    return { figures: undefined, seconds: seconds() }
  }
}

const plain = (type: Family['type'], name: string, help: string, value: number): Printed => [
  { type, name, help },
  [{ value }],
]

function labelled(
  { type, name, help }: Pick<Family, 'type' | 'name' | 'help'>,
  label: string,
  samples: Iterable<readonly [string, number]>,
): Printed {
  return [{ type, name, help, label }, [...samples].map(([value, count]) => ({ label: value, value: count }))]
}

/** What the process knows by itself. */
function processSamples(measured: MeasuredServer): Printed[] {
  const { runtime, writeProblem } = measured
  const { services, database } = runtime
  return [
    labelled({ type: 'gauge', name: 'bourse_build_info', help: 'The running version; always 1.' }, 'version', [
      [version, 1],
    ]),
    ...loadSamples(measured),
    labelled(
      { type: 'counter', name: 'bourse_unavailable_total', help: 'Work that the database could not do, by cause.' },
      'cause',
      services.failures.counts,
    ),
    plain(
      'counter',
      'bourse_audit_entries_lost_total',
      'Audit entries of refused requests that were lost: the queue was full.',
      services.audit_queue.counts.lost,
    ),
    plain(
      'gauge',
      'bourse_durable_write_up',
      'Whether the last durable write succeeded, which is tried every five seconds.',
      writeProblem() === undefined ? 1 : 0,
    ),
    ...stepSamples(measured),
    labelled(
      {
        type: 'counter',
        name: 'bourse_book_reads_total',
        help: 'Uses of an order book: as it was cached, brought up to date, or loaded whole.',
      },
      'result',
      Object.entries(services.book_reads),
    ),
    labelled(
      { type: 'counter', name: 'bourse_webhook_attempts_total', help: 'Attempts to deliver to webhooks, by outcome.' },
      'outcome',
      Object.entries(services.webhook_counts),
    ),
    labelled(
      {
        type: 'gauge',
        name: 'bourse_webhook_lag_seconds',
        help: 'Age of the oldest new event that a webhook of the process has not been sent, by state of the receiver.',
      },
      'receiver',
      Object.entries(services.webhook_measures.lags()),
    ),
    labelled(
      {
        type: 'counter',
        name: 'bourse_trace_spans_total',
        help: 'Spans that reached the collector, and dropped ones.',
      },
      'outcome',
      Object.entries(runtime.tracing?.counts() ?? { exported: 0, dropped: 0 }),
    ),
    plain('gauge', 'bourse_streams', 'Open event streams of the process.', services.streams.total()),
    ...certificateSamples(measured),
    keySample(measured),
    plain('gauge', 'bourse_books_cached', 'Order books in the memory of the process.', services.books.current.size),
    plain(
      'counter',
      'bourse_history_replacements_total',
      'How often the process dropped what it remembered, because the database was restarted or has a new history.',
      database.history.epoch(),
    ),
  ]
}

/** Without a certificate the families have no series. */
function certificateSamples({ certificates }: MeasuredServer): Printed[] {
  const gauge = (name: string, help: string, read: (of: Certificates) => number): Printed => [
    { type: 'gauge', name, help },
    certificates ? [{ value: read(certificates) }] : [],
  ]
  return [
    gauge(
      'bourse_tls_certificate_expires_timestamp_seconds',
      'When the certificate in use, or the first certificate of its chain, expires.',
      (of) => of.current().expires_at,
    ),
    gauge('bourse_tls_certificate_rejected', 'Whether the files hold a certificate or key that is not taken.', (of) =>
      of.problem() ? 1 : 0,
    ),
  ]
}

/** Where no files are followed, as in a sandbox, the family has no series. */
function keySample({ are_keys_rejected }: MeasuredServer): Printed {
  const name = 'bourse_keys_rejected'
  const help = 'Whether the key files hold keys that are not taken.'
  return [{ type: 'gauge', name, help }, are_keys_rejected ? [{ value: are_keys_rejected() ? 1 : 0 }] : []]
}

function loadSamples({ runtime, turns }: MeasuredServer): Printed[] {
  const { total, idle, waiting, reads, given, waited_milliseconds, round_trips } = runtime.database.load()
  const connections = 'Connections for transactions.'
  const loads = Object.entries(turns).map(([kind, queue]) => [kind, queue.load()] as const)
  return [
    labelled({ type: 'gauge', name: 'bourse_database_connections', help: connections }, 'state', [
      ['in_use', total - idle],
      ['idle', idle],
    ]),
    plain('gauge', 'bourse_database_transactions_waiting', 'Transactions that wait for a connection.', waiting),
    plain('counter', 'bourse_database_transactions_total', 'Transactions that got a connection.', given),
    plain(
      'counter',
      'bourse_database_connection_wait_seconds_total',
      'How long transactions waited for their connections.',
      waited_milliseconds / 1000,
    ),
    plain(
      'counter',
      'bourse_database_round_trips_total',
      'How often statements were sent on a connection that had received all responses.',
      round_trips,
    ),
    labelled(
      {
        type: 'gauge',
        name: 'bourse_database_reads',
        help: 'Statements of account reads: running, and waiting for a connection.',
      },
      'state',
      Object.entries(reads),
    ),
    labelled(
      { type: 'gauge', name: 'bourse_turns_taken', help: 'Requests that use the database.' },
      'kind',
      loads.map(([kind, { running }]) => [kind, running] as const),
    ),
    labelled(
      { type: 'gauge', name: 'bourse_turns_waiting', help: 'Requests that wait for a turn at the database.' },
      'kind',
      loads.map(([kind, load]) => [kind, load.waiting] as const),
    ),
    labelled(
      {
        type: 'counter',
        name: 'bourse_turn_wait_seconds_total',
        help: 'How long requests waited for a turn at the database.',
      },
      'kind',
      loads.map(([kind, load]) => [kind, load.waited_milliseconds / 1000] as const),
    ),
  ]
}

function stepSamples({ loop, kinds }: MeasuredServer): Printed[] {
  const counter = (name: string, help: string, read: (status: ReconcilerStatus) => number): Printed => [
    { type: 'counter', name, help, label: 'kind', shown: kinds, rest: 'other' },
    [...loop.status()].map(([kind, status]) => ({ label: kind, value: read(status) })),
  ]
  return [
    counter('bourse_reconciler_steps_total', 'Steps of this process.', ({ runs }) => runs),
    counter(
      'bourse_reconciler_failed_steps_total',
      'Steps of this process that failed, and are tried again.',
      ({ failures }) => failures,
    ),
    counter(
      'bourse_reconciler_step_seconds_total',
      'Time of all steps of this process.',
      ({ total_ms }) => total_ms / 1000,
    ),
  ]
}

/** The figures about the database, and whether and how long they were read. */
function databaseSamples({ figures }: MeasuredServer, reading: FigureReading): Printed[] {
  const isUp = reading.figures !== undefined
  const known = [
    plain('gauge', 'bourse_database_up', 'Whether the last reading of the figures succeeded.', isUp ? 1 : 0),
    plain('gauge', 'bourse_database_reading_seconds', 'Time of the last reading of the figures.', reading.seconds),
  ]
  if (!isUp) return known
  const byFamily = Map.groupBy(reading.figures, ({ family }) => family)
  const families = [...figures.frequent, ...figures.hourly].flatMap((group) => group.families)
  return [...known, ...families.map((family): Printed => [family, byFamily.get(family.name) ?? []])]
}
