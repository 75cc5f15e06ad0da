/** The rows of pools and their stored allocation, what a pool owns over time, and what prevents its deletion. */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Pool, PoolKind } from '@bourse/api/market/pools.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { clip, fromDeltas, type Schedule, type ScheduleEntry, sum, toEntries } from '../schedule/schedule.rules.ts'

export type PoolRow = {
  id: Id<'pool'>
  account_id: string
  workspace_id: Id<'workspace'>
  kind: PoolKind
  tags: Pool['tags']
  created_at: number
}

/** A stored step of a pool's allocation: from this minute on, `delta` nodes more or less. */
export type AllocationDelta = { pool_id: Id<'pool'>; sku_id: Id<'sku'>; minute: number; delta: number }

/** Causes of capacity changes besides fills and transfers: hosts, grants by the operator, preemption by the sandbox. */
export type CapacityCause = 'host' | 'grant' | 'preemption'

type Delta = { readonly sku_id: string; readonly minute: number; readonly delta: number }

/** Minutes since 1970 of a moment in seconds. */
export function minuteOf(seconds: number): number {
  return Math.floor(seconds / 60)
}

/** The owned allocation of one pool by SKU, in the order of the SKUs' ids. */
export function schedulesBySku(deltas: readonly Delta[]): Map<string, Schedule> {
  const bySku = Map.groupBy(deltas, ({ sku_id }) => sku_id)
  return new Map([...bySku].sort(([a], [b]) => (a < b ? -1 : 1)).map(([sku, own]) => [sku, fromDeltas(own)]))
}

/** The first minute of a pool's allocation that the API shows. */
export function firstShown(now: number, historyMinutes: number): number {
  return minuteOf(now) - historyMinutes
}

/** A pool's allocation as the API shows it: from `historyMinutes` before now on. */
export function shownAllocation(
  deltas: readonly Delta[],
  { now, history_minutes }: { now: number; history_minutes: number },
): { total: ScheduleEntry[]; by_sku: Record<string, ScheduleEntry[]> } {
  const from = firstShown(now, history_minutes)
  const shown = [...schedulesBySku(deltas)].map(([sku, own]) => [sku, clip(own, from)] as const)
  const kept = shown.filter(([, own]) => own.length > 0)
  return {
    total: toEntries(sum(kept.map(([, own]) => own))),
    by_sku: Object.fromEntries(kept.map(([sku, own]) => [sku, toEntries(own)])),
  }
}

/** Why a pool cannot be deleted: one detail for each referrer, and one if it owns allocation from now on. */
export function refusePoolDelete(
  owned: readonly Schedule[],
  referrers: readonly { readonly kind: string; readonly id: string }[],
  now: number,
): RefusalData | undefined {
  const details = referrers.map(({ kind, id }) => ({
    field: null,
    code: 'in_use' as const,
    message: `The ${kind.replaceAll('_', ' ')} ${id} uses this pool.`,
  }))
  if (owned.some((schedule) => clip(schedule, minuteOf(now)).length > 0)) {
    details.push({ field: null, code: 'in_use', message: 'The pool holds allocation from now on.' })
  }
  if (details.length === 0) return undefined
  return { code: 'in_use', field: null, message: 'This pool is in use.', details }
}
