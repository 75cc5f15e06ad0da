/** What pools own, until when, and what it costs, for those who start instances on it. Pure. */
import type { Pool, ScheduleEntry, Usage } from '@bourse/sdk'
import { stepsOf, valueAt } from '../live/steps.rules.ts'

/** When a pool has fewer nodes of a SKU than now, and how many then. */
export type PoolReduction = { readonly at: number; readonly nodes: number }

/** The next reduction of a schedule; undefined where none is known. */
export function nextReduction(schedule: readonly ScheduleEntry[], now: number): PoolReduction | undefined {
  const steps = stepsOf(schedule)
  const owned = valueAt(steps, now) ?? 0
  const step = steps.find(([at, nodes]) => at > now && nodes < owned)
  return step && { at: step[0], nodes: step[1] }
}

/** Nodes of a SKU in a pool: those that it owns now, those that nothing uses, and until when it has as many. */
export type FreeNodes = {
  readonly pool: string
  readonly sku: string
  readonly owned: number
  readonly free: number
  readonly until: number | undefined
}

type OwnedPool = { readonly id: string; readonly allocation_schedule: Pick<Pool['allocation_schedule'], 'by_sku'> }
type NodeUser = { readonly pool: { readonly id: string } | null; readonly sku: { readonly id: string } }

/** What pools own now, the most free nodes first. `instances`: those that use a node, or wait for one. */
export function freeNodes(
  pools: readonly OwnedPool[],
  instances: readonly NodeUser[],
  now: number,
): readonly FreeNodes[] {
  const all = pools.flatMap(({ id, allocation_schedule }) =>
    Object.entries(allocation_schedule.by_sku).map(([sku, schedule]): FreeNodes => {
      const owned = valueAt(stepsOf(schedule), now) ?? 0
      const used = instances.filter((one) => one.pool?.id === id && one.sku.id === sku).length
      return { pool: id, sku, owned, free: Math.max(0, owned - used), until: nextReduction(schedule, now)?.at }
    }),
  )
  return all.filter(({ owned }) => owned > 0).toSorted((one, other) => other.free - one.free)
}

type PoolUsage = Pick<Usage, 'group' | 'allocated_node_minutes' | 'effective_cost_dollars'>

/** Dollars of a node-hour, by pool and SKU with a blank between them: what those cost that were kept, on average. */
export function costsPerNodeHour(rows: readonly PoolUsage[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(rows, ({ group }) => `${group.pool} ${group.sku}`)
  return new Map(
    [...groups].flatMap(([key, own]): [string, string][] => {
      const hours = own.reduce((sum, { allocated_node_minutes: minutes }) => sum + minutes, 0) / 60
      const dollars = own.reduce((sum, { effective_cost_dollars: cost }) => sum + Number(cost), 0)
      return hours === 0 ? [] : [[key, (dollars / hours).toFixed(2)]]
    }),
  )
}
