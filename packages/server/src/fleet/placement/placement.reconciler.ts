/**
 * Keeps the instances of each pool and SKU within its allocation: places who waits, warns and ends who has to go. One
 * step looks at one pool and SKU, whatever changed there. Not this file's work: what is right (placement.rules.ts),
 * what hosts make of it (reports.service.ts), how much a pool owns (market).
 */
import type { Reconciler } from '../../core/work/reconciler.ts'
import { allocationChanged, parseKey } from '../../market/pools/capacity.service.ts'
import { instancesChanged, slotsChanged } from '../hosts/machines.service.ts'
import { placeInstances, placement } from './placement.service.ts'
import { listIdlePlacements, listNeglectedPlacements, listWantingPools } from './placement.store.ts'

const sweepSeconds = 10

export const placementReconciler: Reconciler = {
  kind: placement,
  wake_on: [allocationChanged, instancesChanged],
  sweep_seconds: sweepSeconds,
  // Trades change what many pools own in which no instance is.
  idle: (ctx, keys) => listIdlePlacements(ctx.db, keys),
  step: (ctx, key) => placeInstances(ctx, parseKey(key)),
  sweep: (ctx) => listNeglectedPlacements(ctx.db, ctx.now),
}

/** Wakes the pools that found no slot of a SKU. A step of its own, as it has to see what others committed meanwhile. */
export const slotsReconciler: Reconciler = {
  kind: 'fleet.slots',
  wake_on: [slotsChanged],
  step: async (ctx, sku_id) => {
    for (const pool_id of await listWantingPools(ctx.db, sku_id)) ctx.due(placement, `${pool_id}/${sku_id}`)
    return undefined
  },
}
