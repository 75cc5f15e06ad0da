/** Filters of the operator's lists as queries and as flags, and the windows of usage. Pure. */
import { daySeconds } from '@bourse/text/time/units.ts'

/** Values of filters, without those that are not set. */
export type GivenFilters = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The filters that are set. */
export function givenOf(query: Readonly<Record<string, unknown>>): GivenFilters {
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== ''),
  ) as GivenFilters
}

/** The filters as flags of the command line. */
export function flagsOf(given: GivenFilters): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.replaceAll('_', '-'), timeOr(name, value)]),
  )
}

/** Times of flags are written as people write them. */
function timeOr(name: string, value: GivenFilters[string]): string | number | boolean {
  if (name === 'from' || name === 'to') return new Date(Number(value) * 1000).toISOString().slice(0, 10)
  return typeof value === 'object' ? value.join(',') : value
}

/** The filters as the query of a path: `?a=b`, or nothing. */
export function queryOf(given: GivenFilters): string {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    (typeof value === 'object' ? value : [value]).map((one) => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** The windows that usage is summed over. */
export const usageWindows = { month: 'This month', last: 'Last month', week: '7 days', days: '30 days' } as const

/** The days of a window: from the first to the day after the last. */
export function windowOf(window: string, now: number): { from: number; to: number } {
  const tomorrow = now - (now % daySeconds) + daySeconds
  const date = new Date(now * 1000)
  const monthStart = (back: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back, 1) / 1000
  if (window === 'last') return { from: monthStart(1), to: monthStart(0) }
  if (window === 'week') return { from: tomorrow - 7 * daySeconds, to: tomorrow }
  if (window === 'days') return { from: tomorrow - 30 * daySeconds, to: tomorrow }
  return { from: monthStart(0), to: tomorrow }
}
