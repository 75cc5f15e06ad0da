/** Figures of the server's metrics, which are text in the format of Prometheus. Pure. */

/** One sample: its labels and its value. */
export type MetricSample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** The samples of a metric, in their order. */
export function samplesOf(text: string, name: string): MetricSample[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line)
    if (!match || match[1] !== name) return []
    return [{ labels: labelsOf(match[2] ?? ''), value: Number(match[3]) }]
  })
}

/** The sum of the samples of a metric; undefined where it has none. */
export function sumOf(text: string, name: string): number | undefined {
  const samples = samplesOf(text, name)
  return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0)
}

/** Figures of one moment, by their names; undefined where the server has none. */
export type MetricFigures = {
  /** Unix seconds of this machine's clock. */
  readonly at: number
  readonly orders: number | undefined
  readonly waiting: number | undefined
  readonly memory: number | undefined
  readonly loop_delay: number | undefined
  readonly webhook_lag: number | undefined
  /** Requests since the server began. */
  readonly requests: number | undefined
}

/** The figures that pages show. */
export function figuresOf(text: string, at: number): MetricFigures {
  return {
    at,
    orders: sumOf(text, 'bourse_resting_orders'),
    waiting: sumOf(text, 'bourse_instances_waiting'),
    memory: sumOf(text, 'process_resident_memory_bytes'),
    loop_delay: sumOf(text, 'nodejs_eventloop_lag_p99_seconds'),
    webhook_lag: sumOf(text, 'bourse_webhook_lag_seconds'),
    requests: sumOf(text, 'bourse_http_request_seconds_count'),
  }
}

/** So many are kept: an hour at four a minute. */
const keptMax = 240

/** History with newer figures at its end. */
export function withFigures(history: readonly MetricFigures[], figures: MetricFigures): readonly MetricFigures[] {
  return [...history.filter(({ at }) => at < figures.at), figures].slice(-keptMax)
}

/** Requests a second between each two moments; null at the first one, and where the server began anew. */
export function requestRates(history: readonly MetricFigures[]): readonly (number | null)[] {
  return history.map(({ at, requests }, index) => {
    const before = history[index - 1]
    if (requests === undefined || before?.requests === undefined || requests < before.requests) return null
    return (requests - before.requests) / (at - before.at)
  })
}

/** What the audits of stored data have found. */
export type AuditResult = {
  /** When they ran last, in Unix seconds; undefined: not since the server began. */
  readonly run_at: number | undefined
  readonly violations: readonly { readonly audit: string; readonly rows: number }[]
}

/** The last run of the audits. The figure is zero until they have run. */
export function auditsOf(text: string): AuditResult {
  const runAt = sumOf(text, 'bourse_audit_last_run_timestamp_seconds')
  const violated = samplesOf(text, 'bourse_audit_violations').filter(({ value }) => value > 0)
  return {
    run_at: runAt ? Math.floor(runAt) : undefined,
    violations: violated.map(({ labels, value }) => ({ audit: labels.audit ?? '', rows: value })),
  }
}

function labelsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]))
}
