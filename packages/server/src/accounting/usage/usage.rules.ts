/**
 * Usage as rows by period and group, from sums by hour (docs/concepts/usage.md, "Usage"). Times are seconds here, and
 * periods are those of UTC.
 */

import type { usageGranularities } from '@bourse/api/billing/usage.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { PoolAndSku, UsageCell } from './usage-fold.rules.ts'

export type Granularity = (typeof usageGranularities)[number]
export type UsageRange = { readonly from: number; readonly to: number }

/** The sums of one place: by hour, and the nodes that were there before the first of these hours. */
export type PlaceHours = PoolAndSku & {
  readonly owned_before: number
  readonly run_before: number
  readonly hours: ReadonlyMap<number, UsageCell>
}

/** The usage of a period. Micro-dollars and node-minutes. */
export type UsageSums = {
  allocated: number
  used: number
  bought_micros: bigint
  sold_micros: bigint
  cost_micros: bigint
}

/** The usage of one place in one period, which begins at `period`. */
export type PlaceUsage = PoolAndSku & UsageSums & { readonly period: number }

/** What a pool contributes to groups. */
type GroupedPool = { readonly workspace_id: string; readonly tags: Readonly<Record<string, string>> | null }

/** The usage of a period and group. */
export type UsageRow = UsageSums & { readonly period: number; readonly group: Readonly<Record<string, string | null>> }

const daysMax = 400
const hourlyDaysMax = 31

/** The refusal of a range that is not made of whole periods, is empty, or is too long. */
export function refuseUsageRange({ from, to }: UsageRange, granularity: Granularity): RefusalData | undefined {
  for (const [field, time] of Object.entries({ from, to })) {
    if (periodStart(time, granularity) === time) continue
    const message = `The time must be the beginning of a ${granularity} in UTC.`
    return { code: 'not_aligned', field, message }
  }
  if (from >= to) return { code: 'invalid_range', field: 'to', message: 'The range must begin before its end.' }
  const days = granularity === 'hour' ? hourlyDaysMax : daysMax
  if (to - from <= days * daySeconds) return undefined
  const message = `The range may have at most ${days} days${granularity === 'hour' ? ' by hour' : ''}.`
  return { code: 'range_too_long', field: 'to', message }
}

/** The beginning of the period that a time lies in. */
export function periodStart(time: number, granularity: Granularity): number {
  if (granularity === 'hour') return time - (time % hourSeconds)
  if (granularity === 'day') return time - (time % daySeconds)
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}

/** The end of the period that begins at a time. */
export function periodEnd(start: number, granularity: Granularity): number {
  if (granularity === 'hour') return start + hourSeconds
  if (granularity === 'day') return start + daySeconds
  const date = new Date(start * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
}

/**
 * The usage of a place by period; periods without any are left out. Instances count up to the running minute of `now`,
 * and in no hour for more than is allocated.
 */
export function usageOfPlace(
  { pool_id, sku_id, owned_before, run_before, hours }: PlaceHours,
  range: UsageRange,
  { granularity, now }: { readonly granularity: Granularity; readonly now: number },
): PlaceUsage[] {
  const rows: PlaceUsage[] = []
  let owned = owned_before
  let running = run_before
  let period = range.from
  let sums = emptySums()
  const current = Math.floor(now / hourSeconds)
  const restOfHour = (current + 1) * 60 - (Math.floor(now / 60) + 1)
  for (let hour = range.from / hourSeconds; hour < range.to / hourSeconds; hour++) {
    const cell = hours.get(hour)
    const allocated = 60 * owned + (cell?.owned_minutes ?? 0)
    let used = 60 * running + (cell?.run_minutes ?? 0)
    owned += cell?.owned_nodes ?? 0
    running += cell?.run_nodes ?? 0
    if (hour === current) used -= running * restOfHour
    if (hour > current) used = 0
    sums.allocated += allocated
    sums.used += Math.min(used, allocated)
    if (cell) {
      sums.bought_micros += cell.bought_micros
      sums.sold_micros += cell.sold_micros
      sums.cost_micros += cell.cost_micros
    }
    if ((hour + 1) * hourSeconds < periodEnd(period, granularity)) continue
    if (isAnything(sums)) rows.push({ pool_id, sku_id, period, ...sums })
    period = (hour + 1) * hourSeconds
    sums = emptySums()
  }
  return rows
}

/** Adds up the usage of places by period and group, in the order of periods, then of groups. */
export function groupUsage(
  rows: readonly PlaceUsage[],
  groupBy: readonly string[],
  poolOf: (pool_id: string) => GroupedPool,
): UsageRow[] {
  const groups = new Map<string, UsageRow>()
  for (const row of rows) {
    const group = groupOf(row, groupBy, poolOf)
    const key = rowKey({ period: row.period, group })
    const known = groups.get(key)
    if (known) addSums(known, row)
    else {
      const made = { period: row.period, group, ...emptySums() }
      addSums(made, row)
      groups.set(key, made)
    }
  }
  return [...groups.values()].sort(
    (a, b) => a.period - b.period || compareText(JSON.stringify(a.group), JSON.stringify(b.group)),
  )
}

/** What distinguishes a row from all others, as text. */
export function rowKey({ period, group }: Pick<UsageRow, 'period' | 'group'>): string {
  return `${period} ${JSON.stringify(group)}`
}

function groupOf(
  { pool_id, sku_id }: PoolAndSku,
  groupBy: readonly string[],
  poolOf: (pool_id: string) => GroupedPool,
) {
  const group: Record<string, string | null> = {}
  for (const name of groupBy) {
    if (name === 'sku') group[name] = sku_id
    else if (name === 'pool') group[name] = pool_id
    else if (name === 'workspace') group[name] = poolOf(pool_id).workspace_id
    else group[name] = poolOf(pool_id).tags?.[name.slice('tag:'.length)] ?? null
  }
  return group
}

/** Adds usage to a sum. */
export function addSums(to: UsageSums, from: UsageSums): void {
  to.allocated += from.allocated
  to.used += from.used
  to.bought_micros += from.bought_micros
  to.sold_micros += from.sold_micros
  to.cost_micros += from.cost_micros
}

function isAnything({ allocated, used, bought_micros, sold_micros, cost_micros }: UsageSums): boolean {
  return allocated !== 0 || used !== 0 || bought_micros !== 0n || sold_micros !== 0n || cost_micros !== 0n
}

/** No usage. */
export function emptySums(): UsageSums {
  return { allocated: 0, used: 0, bought_micros: 0n, sold_micros: 0n, cost_micros: 0n }
}

/** By code units: the same order on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
