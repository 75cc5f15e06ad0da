/** Finds the causes of drops of a pool's allocation. */
import type { Ctx } from '../../core/work/ctx.ts'
import type { PoolSku } from '../../market/pools/capacity.service.ts'
import { readDepartures } from '../../market/pools/departures.service.ts'
import { stepsFrom } from '../hosts/victims.rules.ts'
import { causeOfDrop, type DropCause } from './drop-causes.rules.ts'

/** When a machine loses its place, and since when it runs. */
export type LostPlace = { readonly drop_at: number; readonly running_at: number }

/** The cause of each drop, in order, with one query. */
export async function causesOfDrops(ctx: Ctx, key: PoolSku, drops: readonly LostPlace[]): Promise<DropCause[]> {
  if (drops.length === 0) return []
  const times = drops.map(({ drop_at }) => drop_at)
  const rows = await readDepartures(ctx, key, { from: Math.min(...times), until: Math.max(...times) })
  const departures = rows.map((row) => ({ ...row, steps: stepsFrom(row.schedule, 0) }))
  return drops.map((drop) => causeOfDrop(departures, drop))
}
