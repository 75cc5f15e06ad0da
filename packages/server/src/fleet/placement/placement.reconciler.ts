/**
 * Keeps the instances of each pool and SKU within its allocation: places waiting instances, gives notice, ends
 * instances. One step handles one pool and SKU, whatever changed there. Not this file's work: the decisions
 * (placement.rules.ts), the reports of hosts (reports.service.ts), the allocation of a pool (market).
 */
import type { Reconciler } from '../../core/work/reconciler.ts'
import { allocationChanged, parseKey } from '../../market/pools/capacity.service.ts'
import { instancesChanged, slotsChanged } from '../hosts/machines.service.ts'
import { placeInstances, placement } from './placement.service.ts'
import { listIdlePlacements, listNeglectedPlacements, listWantingPools } from './placement.store.ts'

const sweepSeconds = 10

export const placementReconciler: Reconciler = {
  kind: placement,
  topics: [allocationChanged, instancesChanged],
  sweep_seconds: sweepSeconds,
  // Trades change the allocation of many pools that have no instances.
  idle: (ctx, keys) => listIdlePlacements(ctx.db, keys),
  step: (ctx, key) => placeInstances(ctx, parseKey(key)),
  sweep: (ctx) => listNeglectedPlacements(ctx.db, ctx.now),
}

/** Wakes the pools that lack a slot of a SKU. A step of its own, because it must see what others have committed. */
export const slotsReconciler: Reconciler = {
  kind: 'fleet.slots',
  topics: [slotsChanged],
  step: async (ctx, skuId) => {
    for (const poolId of await listWantingPools(ctx.db, skuId)) ctx.schedule(placement, `${poolId}/${skuId}`)
    return undefined
  },
}
