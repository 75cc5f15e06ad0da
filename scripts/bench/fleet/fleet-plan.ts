// Measures one placement step after a change of a pool's allocation in a big fleet, including its reads and writes, and
// the same step with a tenth of the instances on as many hosts.

import type { Db } from '../../../packages/server/src/core/db/db.ts'
import { systemCommand } from '../../../packages/server/src/core/work/command.ts'
import { readHosts } from '../../../packages/server/src/fleet/placement/open-hosts.service.ts'
import { planPlacement } from '../../../packages/server/src/fleet/placement/placement.rules.ts'
import {
  placeInstances,
  readDemand,
  searchFor,
} from '../../../packages/server/src/fleet/placement/placement.service.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import {
  addHosts,
  addMachines,
  addWaiting,
  changeAllocation,
  type FleetOwner,
  instanceId,
  instancesOfPool,
  makeOwner,
  poolId,
  removeInstancesFrom,
} from '../../../packages/server/test/support/big-fleet.ts'
import { bench } from '../bench.ts'
import { atMost, median, rowOf } from '../row.ts'
import { makePlace } from '../worlds/event-world.ts'

const millisecondsMax = 50
const growthMax = 1.5

type MeasuredPlan = { readonly step: number; readonly plan: number }

/** The instances of the smaller and of the bigger fleet, on as many hosts; the changes that are measured. */
type FleetPlanSize = {
  readonly hosts: number
  readonly few: number
  readonly many: number
  readonly warm_changes: number
  readonly changes: number
}

/** The milliseconds of a step after one change, and their growth with the fleet. */
export const planBench = bench<FleetPlanSize>({
  rows: ['plan_change_ms', 'plan_growth'],
  sizes: {
    usual: { hosts: 10_000, few: 10_000, many: 100_000, warm_changes: 10, changes: 40 },
    tiny: { hosts: 20, few: 400, many: 800, warm_changes: 1, changes: 2 },
  },
  measure: async function* (size) {
    const { small, big } = await measureBoth(size)
    console.error(`planning alone: ${big.plan.toFixed(1)} ms, in the smaller fleet ${small.plan.toFixed(1)} ms`)
    yield atMost('plan_change_ms', big.step, millisecondsMax)
    yield rowOf({ name: 'plan_growth', ours: big.step, against: small.step, better: 'less', goal: growthMax })
  },
})

async function measureBoth(size: FleetPlanSize): Promise<{ small: MeasuredPlan; big: MeasuredPlan }> {
  const { hosts, few, many } = size
  // One slot of each host stays free in the bigger fleet, so both look for a place among as many open hosts.
  const slots = many / hosts + 1
  await using place = await makePlace()
  return await place.prepare(async (server) => {
    const owner = await makeOwner(server, 2 * many)
    const { database } = server.runtime
    await database.asOwner(async (db) => {
      await addHosts(db, owner, { hosts, slots })
      await addMachines(db, owner, { hosts, from: 0, to: few })
    })
    const small = await measure(server, owner, { ...size, pools: few / instancesOfPool, next: many })
    await database.asOwner(async (db) => {
      await removeInstancesFrom(db, many)
      await addMachines(db, owner, { hosts, from: few, to: many })
    })
    const big = await measure(server, owner, { ...size, pools: many / instancesOfPool, next: many + 1_000 })
    return { small, big }
  })
}

/** Each change affects another pool: every second pool gains a node for a waiting instance, the others lose one. */
async function measure(
  { runtime }: Server,
  owner: FleetOwner,
  { warm_changes, changes, pools, next }: FleetPlanSize & { pools: number; next: number },
): Promise<MeasuredPlan> {
  const steps: number[] = []
  const plans: number[] = []
  for (let i = 0; i < warm_changes + changes; i++) {
    const at = { pool_id: poolId(pools - 1 - i), sku_id: owner.sku }
    await runtime.database.asOwner((db) =>
      change(db, owner, { pool: at.pool_id, isMore: i % 2 === 0, number: next + i }),
    )
    const planned = await planOnly(runtime, at)
    const began = performance.now()
    await systemCommand(runtime, (ctx) => placeInstances(ctx, at))
    if (i < warm_changes) continue
    steps.push(performance.now() - began)
    plans.push(planned)
  }
  return { step: median(steps), plan: median(plans) }
}

type PlanChange = { readonly pool: string; readonly isMore: boolean; readonly number: number }

async function change(db: Db, owner: FleetOwner, { pool, isMore, number }: PlanChange): Promise<void> {
  if (isMore) await addWaiting(db, owner, { id: instanceId(number), pool })
  await changeAllocation(db, pool, owner.sku, isMore ? 1 : -1)
}

/** The milliseconds of planning alone, without reads. */
async function planOnly(runtime: Server['runtime'], at: Parameters<typeof placeInstances>[1]): Promise<number> {
  return systemCommand(runtime, async (ctx) => {
    const { rows, ...demand } = await readDemand(ctx, at)
    const hosts = await readHosts(ctx, at, searchFor(rows, demand.allocation, ctx.now))
    const began = performance.now()
    planPlacement({ now: ctx.now, known_until: null, ...demand, hosts })
    return performance.now() - began
  })
}
