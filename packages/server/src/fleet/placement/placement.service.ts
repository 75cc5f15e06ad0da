import { byVictimOrder } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { lockedElsewhere, type StepResult } from '../../core/work/reconciler.ts'
import { allocationKey, type PoolSku, readAllocation } from '../../market/pools/capacity.service.ts'
import { lockPools } from '../../market/pools/pools.service.ts'
import { partitionsForHosts } from '../../network/infiniband-partitions.service.ts'
import { hostEndsAt } from '../hosts/hosts.rules.ts'
import { type AllocationStep, stepsFrom } from '../hosts/victims.rules.ts'
import { readHosts } from './open-hosts.service.ts'
import { type LivingRow, type PlacementInput, type PlacementInstance, planPlacement } from './placement.rules.ts'
import { insertPlacement, listLivingByPool, placementLock, updatePlacement } from './placement.store.ts'
import { carryOut } from './placement-plans.service.ts'

/** Kind of the due rows that place and end the instances of a pool and SKU. The key is `<pool id>/<sku id>`. */
export const placement = 'fleet.placement'

/**
 * Places and ends the instances of one pool and SKU according to its allocation. Returns when to plan again if nothing
 * changes before. If another step holds the lock, this does nothing and tries again soon.
 */
export async function placeInstances(ctx: Ctx, at: PoolSku): Promise<StepResult> {
  const [locked] = await ctx.lock(placementLock, [allocationKey(at)])
  if (locked === undefined && !(await insertPlacement(ctx.db, at))) return lockedElsewhere
  // The lock keeps the allocation of the pool unchanged. A later reduction sees the instances that start here.
  const [, { rows, ...demand }] = await Promise.all([lockPools(ctx, [at.pool_id]), readDemand(ctx, at)])
  const { allocation } = demand
  const hosts = mayStart(rows, allocation, ctx.now)
    ? await readHosts(ctx, at, searchFor(rows, allocation, ctx.now))
    : []
  const plan = planPlacement({ now: ctx.now, known_until: null, ...demand, hosts })
  const isWhole = await carryOut(ctx, plan, rows)
  const wants_slot = hasRoom(rows, allocation, plan, ctx.now)
  await updatePlacement(ctx.db, at, { checked_at: ctx.now, wants_slot })
  // Something changed between the read and the locks, or allocation became free: plan again.
  if (!isWhole || plan.returns.length > 0) ctx.schedule(placement, allocationKey(at))
  return plan.next_at ?? undefined
}

/** The living instances of a pool and SKU, and the allocation for them. */
export type Demand = Pick<PlacementInput, 'allocation' | 'instances'> & { readonly rows: readonly LivingRow[] }

/** Reads the living instances of a pool and SKU, and the allocation from the current minute on. */
export async function readDemand(ctx: Ctx, at: PoolSku): Promise<Demand> {
  const [schedule, rows] = await Promise.all([readAllocation(ctx, at), listLivingByPool(ctx.db, at)])
  return { rows, allocation: stepsFrom(schedule, ctx.now), instances: await describe(ctx, rows) }
}

/**
 * The highest allocation of its pool and SKU at which an instance would have to end: the number of instances that end
 * after it. Undefined if it is neither running nor failed.
 */
export async function allocationThatEnds(
  ctx: Ctx,
  { id, pool_id, sku_id }: PoolSku & { readonly id: Id<'instance'> },
): Promise<number | undefined> {
  const rows = await listLivingByPool(ctx.db, { pool_id, sku_id })
  const inUse = rows.filter(({ state }) => state === 'running' || state === 'failed').sort(byVictimOrder)
  const place = inUse.findIndex((row) => row.id === id)
  return place < 0 ? undefined : inUse.length - place - 1
}

async function describe(ctx: Ctx, rows: readonly LivingRow[]): Promise<PlacementInstance[]> {
  const partitionIds = new Set(rows.filter(isUnplaced).flatMap(({ infiniband_partition_id: id }) => id ?? []))
  const partitions = await partitionsForHosts(ctx, [...partitionIds])
  return rows.map((row): PlacementInstance => {
    const { id, state, priority_level, created_at, image_id, notice_at, deadline_at } = row
    const isPlaced = row.host_id !== null && row.slot !== null
    const waitsForSlot = !isPlaced && row.replaces_host_id !== null && row.replaces_slot !== null
    return {
      id,
      state,
      priority_level,
      created_at,
      image_id,
      slot: isPlaced ? { host_id: row.host_id as Id<'host'>, slot: row.slot as number } : null,
      is_returning: isWaiting(row) && row.action === 'stop',
      host_ends_at: row.host_state === null ? null : hostEndsAt({ ...row, state: row.host_state }),
      notice: notice_at === null || deadline_at === null ? null : { notice_at, deadline_at },
      fabric: partitions.get(row.infiniband_partition_id ?? '')?.infiniband_fabric ?? null,
      needs_public_ipv4: row.enable_public_ipv4,
      needs_full_network: row.subnet_id !== null || row.enable_public_ipv4,
      replaces_slot: waitsForSlot
        ? {
            host_id: row.replaces_host_id as Id<'host'>,
            slot: row.replaces_slot as number,
            is_usable: row.is_replaced_usable,
            may_start_elsewhere: row.may_start_elsewhere,
          }
        : null,
    }
  })
}

/** Whether a search for slots is worthwhile: instances wait, and allocation may be free. */
function mayStart(rows: readonly LivingRow[], allocation: readonly AllocationStep[], now: number): boolean {
  const staying = rows.filter((row) => hasPlace(row) && row.notice_at === null).length
  return rows.some(isUnplaced) && staying < countAt(allocation, now)
}

function hasRoom(
  rows: readonly LivingRow[],
  allocation: readonly AllocationStep[],
  plan: ReturnType<typeof planPlacement>,
  now: number,
): boolean {
  const { starts, ends, returns } = plan
  const inUse = rows.filter(hasPlace).length
  const left = countAt(allocation, now) - inUse + ends.length + returns.length - starts.length
  return rows.filter(isUnplaced).length > starts.length && left > 0
}

/** The search for slots. No more instances can start than the allocation allows, even if all others end. */
export function searchFor(rows: readonly LivingRow[], allocation: readonly AllocationStep[], now: number) {
  const waiting = rows.filter(isUnplaced)
  return { waiting, starts: Math.min(waiting.length, Math.max(1, countAt(allocation, now))) }
}

function countAt(steps: readonly AllocationStep[], now: number): number {
  return steps.find(({ start_at, end_at }) => start_at <= now && (end_at === null || now < end_at))?.node_count ?? 0
}

function isUnplaced(row: LivingRow): boolean {
  return isWaiting(row) && row.host_id === null
}

/** Whether it counts against the allocation: placed or running, and not returning its slot. */
function hasPlace(row: LivingRow): boolean {
  return row.host_id !== null && !(isWaiting(row) && row.action === 'stop')
}

function isWaiting({ state }: Pick<LivingRow, 'state'>): boolean {
  return state === 'awaiting_allocation'
}
