// Sums up what operators measured on the hosts of a SKU.

import { type BenchmarkFigure, benchmarkDaysMax, type HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import type { SkuBenchmark } from '@bourse/api/market/skus.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** The time from which on measurements count. */
export function countsFrom(now: number): number {
  return now - benchmarkDaysMax * daySeconds
}

/** Refuses figures of which two have the same name: `duplicate_entry`. */
export function refuseRepeated(figures: readonly BenchmarkFigure[]): RefusalData | undefined {
  const index = figures.findIndex(({ name }, at) => figures.findIndex((other) => other.name === name) < at)
  if (index < 0) return undefined
  const message = `Another figure has the name ${figures[index]?.name}.`
  return { code: 'duplicate_entry', field: `figures.${index}.name`, message }
}

/** What was measured on one host, and the account that supplies it. */
export type SuppliedBenchmark = { readonly supplier: string; readonly benchmark: HostBenchmark }

/**
 * The figures of a SKU, in its order. `shown`: those that it names, as name, blank and unit; others do not count. Each
 * supplier has one vote on the lowest value and one on the median: those of its hosts. So neither many hosts nor one
 * bad host decide, and from three suppliers on no single one does.
 */
export function summarizeBenchmarks(shown: readonly string[], measured: readonly SuppliedBenchmark[]): SkuBenchmark[] {
  return shown.flatMap((figure) => summaryOf(figure, measured) ?? [])
}

function summaryOf(shown: string, measured: readonly SuppliedBenchmark[]): SkuBenchmark | undefined {
  const found = measured.flatMap(({ supplier, benchmark: { measured_at, figures } }) =>
    figures
      .filter(({ name, unit }) => `${name} ${unit}` === shown)
      .map(({ value }) => ({ supplier, measured_at, value })),
  )
  if (found.length === 0) return undefined
  const suppliers = [...Map.groupBy(found, ({ supplier }) => supplier).values()]
  const values = suppliers.map((hosts) => hosts.map(({ value }) => value))
  const blank = shown.indexOf(' ')
  return {
    name: shown.slice(0, blank),
    unit: shown.slice(blank + 1),
    lowest: lowestOf(values.map(lowestOf)),
    median: medianOf(values.map(medianOf)),
    host_count: found.length,
    measured_at: Math.min(...found.map((one) => one.measured_at)),
  }
}

/** The lowest value; from three on without the lowest quarter, which one alone could make up. */
function lowestOf(values: readonly string[]): string {
  return values.toSorted(compare)[Math.floor((values.length + 1) / 4)] as string
}

/** The median; of an even number the lower one, which is a value that somebody measured. */
function medianOf(values: readonly string[]): string {
  return values.toSorted(compare)[Math.floor((values.length - 1) / 2)] as string
}

function compare(a: string, b: string): number {
  const difference = millionthsOf(a) - millionthsOf(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function millionthsOf(decimal: string): bigint {
  const [whole = '', part = ''] = decimal.split('.')
  return BigInt(whole + part.padEnd(6, '0'))
}
