/** Outflows of a pool: sales, transfers and preemptions. They explain reductions before the end of an allocation. */
import type { Ctx } from '../../core/work/ctx.ts'
import { fromDeltas, type Schedule } from '../schedule/schedule.rules.ts'
import type { PoolSku } from './capacity.service.ts'
import { listOutflows, listTaken, type TakenRow } from './outflows.store.ts'
import { minuteOf } from './pools.rules.ts'

/** Allocation that moved to another pool, and when that was decided. */
type Outflow = {
  readonly kind: 'sold' | 'transferred'
  readonly decided_at: number
  readonly schedule: Schedule
}

/** The outflows of a pool that overlap the time from `from` to `until`, latest decision first. */
export async function readOutflows(
  ctx: Ctx,
  key: PoolSku,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Outflow[]> {
  const minutes = { first: minuteOf(from), last: minuteOf(until) }
  const [rows, taken] = await Promise.all([listOutflows(ctx.db, key, minutes), listTaken(ctx.db, key)])
  return [...rows, ...salesOf(taken)].sort((a, b) => b.decided_at - a.decided_at)
}

function salesOf(taken: readonly TakenRow[]): Outflow[] {
  const byTime = Map.groupBy(taken, ({ decided_at }) => decided_at)
  return [...byTime].map(([decided_at, rows]) => ({ kind: 'sold', decided_at, schedule: fromDeltas(rows) }))
}
