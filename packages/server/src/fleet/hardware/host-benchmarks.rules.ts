// Sums up what operators measured on the hosts of a SKU.

import { type BenchmarkFigure, benchmarkDaysMax, type HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import type { SkuBenchmark } from '@bourse/api/market/skus.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

const DAY_SECONDS = 86_400
/** The most figures of a SKU. */
const figuresShown = 32

/** The time from which on measurements count. */
export function countsFrom(now: number): number {
  return now - benchmarkDaysMax * DAY_SECONDS
}

/** Refuses figures of which two have the same name: `duplicate_entry`. */
export function refuseRepeated(figures: readonly BenchmarkFigure[]): RefusalData | undefined {
  const index = figures.findIndex(({ name }, at) => figures.findIndex((other) => other.name === name) < at)
  if (index < 0) return undefined
  const message = `Another figure has the name ${figures[index]?.name}.`
  return { code: 'duplicate_entry', field: `figures.${index}.name`, message }
}

/** The lowest value and the median of each figure, by name and unit: hosts of other operators may use other units. */
export function summarizeBenchmarks(benchmarks: readonly HostBenchmark[]): SkuBenchmark[] {
  const all = benchmarks.flatMap(({ measured_at, figures }) => figures.map((figure) => ({ figure, measured_at })))
  const groups = Map.groupBy(all, ({ figure: { name, unit } }) => `${name} ${unit}`)
  const summed = [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => summaryOf(group))
  return summed.slice(0, figuresShown)
}

type Measured = { readonly figure: BenchmarkFigure; readonly measured_at: number }

function summaryOf(group: readonly Measured[]): SkuBenchmark {
  const sorted = [...group].sort((a, b) => compare(a.figure.value, b.figure.value))
  const { name, unit, value: lowest } = (sorted[0] as Measured).figure
  // Of an even number the lower one, so that half of the hosts have it or more, and one has exactly it.
  const { value: median } = (sorted[Math.floor((sorted.length - 1) / 2)] as Measured).figure
  const measured_at = Math.min(...group.map((one) => one.measured_at))
  return { name, unit, lowest, median, host_count: group.length, measured_at }
}

function compare(a: string, b: string): number {
  const difference = millionthsOf(a) - millionthsOf(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function millionthsOf(decimal: string): bigint {
  const [whole = '', part = ''] = decimal.split('.')
  return BigInt(whole + part.padEnd(6, '0'))
}
