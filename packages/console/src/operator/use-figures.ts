/** The metrics of the server, and what they were since the console was opened. */
import { useRead } from '../live/queries.ts'
import { figuresOf, type MetricFigures } from './metrics.rules.ts'
import { keepFigures } from './metrics-history.ts'

/** Milliseconds between two reads. */
const pace = 15_000

type ReadMetrics = { readonly text: string; readonly history: readonly MetricFigures[] }

/** Reads them at their own pace. Where metrics have a port of their own, there are none. */
export function useFigures() {
  return useRead(['metrics'], readMetrics, { every: pace })
}

async function readMetrics(signal: AbortSignal): Promise<ReadMetrics> {
  const response = await fetch('/metrics', { signal })
  if (!response.ok) throw new Error('This server shows its metrics at another port: see BOURSE_METRICS_PORT.')
  const text = await response.text()
  return { text, history: keepFigures(figuresOf(text, Math.floor(Date.now() / 1000))) }
}
