/** Finds the causes of capacity reductions of a pool. */
import type { Ctx } from '../../core/work/ctx.ts'
import type { PoolSku } from '../../market/pools/capacity.service.ts'
import { readOutflows } from '../../market/pools/outflows.service.ts'
import { stepsFrom } from '../hosts/victims.rules.ts'
import { causeOfReduction, type ReductionCause } from './reduction-causes.rules.ts'

/** When a machine loses its place, and since when it runs. */
type ReducedPlace = { readonly reduced_at: number; readonly running_at: number }

/** The cause of each reduction, in order, with one query. */
export async function causesOfReductions(
  ctx: Ctx,
  key: PoolSku,
  reductions: readonly ReducedPlace[],
): Promise<ReductionCause[]> {
  if (reductions.length === 0) return []
  const times = reductions.map(({ reduced_at }) => reduced_at)
  const rows = await readOutflows(ctx, key, { from: Math.min(...times), until: Math.max(...times) })
  const outflows = rows.map((row) => ({ ...row, steps: stepsFrom(row.schedule, 0) }))
  return reductions.map((reduction) => causeOfReduction(outflows, reduction))
}
