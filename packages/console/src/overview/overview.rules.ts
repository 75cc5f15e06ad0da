/** The figures of the overview, and what it names. Pure. */

import type { Instance, InstanceExplanation, Pool, ScheduleEntry, Usage } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { cut } from '../ui/table.rules.ts'

/** A number of nodes from a moment on. */
export type NodeStep = { readonly at: number; readonly nodes: number }

/** How many nodes all pools own together, from now on: a step for each change within the time. */
export function allocationSteps(pools: readonly Pool[], now: number, until: number): readonly NodeStep[] {
  const entries = pools.flatMap(({ allocation_schedule }) => allocation_schedule.total)
  const moments = entries.flatMap(({ start_at, end_at }) => [start_at, end_at ?? until])
  const changes = [...new Set([now, ...moments.filter((at) => at > now && at < until)])].sort((a, b) => a - b)
  const steps = changes.map((at) => ({ at, nodes: nodesAt(entries, at) }))
  return steps.filter(({ nodes }, index) => index === 0 || nodes !== steps[index - 1]?.nodes)
}

function nodesAt(entries: readonly ScheduleEntry[], at: number): number {
  return entries
    .filter(({ start_at, end_at }) => start_at <= at && (end_at === null || at < end_at))
    .reduce((sum, { node_count }) => sum + node_count, 0)
}

/** The first second of the day and of the month of a moment, in UTC. */
export function beginnings(now: number): { readonly day: number; readonly month: number } {
  const date = new Date(now * 1000)
  return { day: now - (now % daySeconds), month: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000 }
}

/** Dollars spent, less what sales brought, in the periods that begin at a moment or later. */
export function spentSince(rows: readonly Usage[], since: number): number {
  return rows
    .filter(({ period_start }) => period_start >= since)
    .reduce((sum, { bought_dollars, sold_dollars }) => sum + Number(bought_dollars) - Number(sold_dollars), 0)
}

/**
 * The days that the available money lasts at the pace of the last seven days; undefined where nothing was spent then.
 */
export function daysLeft(rows: readonly Usage[], availableDollars: string, now: number): number | undefined {
  const pace = spentSince(rows, now - (now % daySeconds) - 6 * daySeconds) / 7
  return pace <= 0 ? undefined : Math.max(0, Number(availableDollars)) / pace
}

/** An instance that ends soon. */
export type Ending = { readonly id: string; readonly name: string; readonly deadline_at: number | null }
type Explained = Pick<Instance, 'id' | 'name'> & Pick<InstanceExplanation, 'termination'>

/**
 * Running instances that got notice: the first ones by their notices, which mostly is the order in which they end, and
 * how many others there are. `ids`: those of the notices, the newest first.
 */
export function noticedFirst(running: readonly Instance[], ids: readonly string[], most: number) {
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Instance) => places.get(id) ?? 0
  return cut(
    running.toSorted((one, other) => placeOf(other) - placeOf(one)),
    most,
  )
}

/** Those that end, the first one at the top. A notice may have been withdrawn. */
export function inOrderOfEnd(explained: readonly Explained[]): readonly Ending[] {
  return explained
    .flatMap(({ id, name, termination }): Ending[] =>
      typeof termination?.notice_at === 'number' ? [{ id, name, deadline_at: termination.deadline_at ?? null }] : [],
    )
    .toSorted((one, other) => (one.deadline_at ?? 0) - (other.deadline_at ?? 0))
}
