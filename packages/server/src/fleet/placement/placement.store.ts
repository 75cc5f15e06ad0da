import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import type { LivingRow } from './placement.rules.ts'

const selectLiving = statement<LivingRow>(
  'fleet.list_living_of_placement',
  `select i.id, i.account_id, i.state, i.priority_level, i.created_at, i.image_id, i.enable_public_ipv4,
     i.subnet_id, i.infiniband_partition_id, i.public_ip, i.notice_at, i.deadline_at, m.host_id, m.slot, m.action,
     h.state as host_state, h.drain_deadline_at, h.unfit_at, h.fitting_slots, h.used_slots,
     i.replaces_host_id, i.replaces_slot,
     coalesce(rh.state = 'active' and rh.health = 'healthy' and (rm.action is null or rm.action = 'stop'), false)
       as is_replaced_usable,
     r.failed_at is not null and i.public_ip is null and i.private_ip is null as may_start_elsewhere
   from instances i
   left join machines m on m.instance_id = i.id
   left join hosts h on h.id = m.host_id
   left join hosts rh on rh.id = i.replaces_host_id
   left join machines rm on rm.host_id = i.replaces_host_id and rm.slot = i.replaces_slot
   left join instances r on r.id = rm.instance_id
   where i.pool_id = $1 and i.sku_id = $2 and i.state <> 'terminated'`,
)
const insertRow = statement<never>(
  'fleet.insert_placement',
  `insert into placements (pool_id, sku_id)
   values ($1, $2)
   on conflict do nothing`,
)
const updateRow = statement<never>(
  'fleet.update_placement',
  `update placements
   set checked_at = $3, wants_slot = $4
   where pool_id = $1 and sku_id = $2`,
)
const selectWanting = statement<{ pool_id: Id<'pool'> }>(
  'fleet.list_wanting_placements',
  `select pool_id
   from placements
   where sku_id = $1 and wants_slot
   order by pool_id`,
)
const selectIdle = statement<{ key: string }>(
  'fleet.list_idle_placements',
  `select k.key
   from (
     select k as key, split_part(k, '/', 1) as pool_id, split_part(k, '/', 2) as sku_id
     from unnest($1::text[]) as k
   ) k
   where (
     select true
     from instances i
     where i.pool_id = k.pool_id
       and i.sku_id = k.sku_id
       and i.state <> 'terminated'
     limit 1
   ) is null
     and (
       select true
       from placements p
       where p.pool_id = k.pool_id and p.sku_id = k.sku_id and p.wants_slot
       limit 1
     ) is null`,
)
// The signs of a lost wake-up: a deadline that has passed, an instance that was created after the last step, a free
// slot that a waiting instance could use.
const selectNeglected = statement<{ key: string }>(
  'fleet.list_neglected_placements',
  `select distinct i.pool_id || '/' || i.sku_id as key
   from instances i
   where i.state <> 'terminated'
     and i.deadline_at is not null
     and i.deadline_at < $1
   union
   select distinct i.pool_id || '/' || i.sku_id
   from instances i
   left join placements p on p.pool_id = i.pool_id and p.sku_id = i.sku_id
   where i.state = 'awaiting_allocation'
     and i.created_at < $1
     and coalesce(p.checked_at <= i.created_at, true)
   union
   select p.pool_id || '/' || p.sku_id
   from placements p
   where p.wants_slot
     and p.checked_at < $1
     and exists (
       select from hosts h
       where h.sku_id = p.sku_id
         and h.state = 'active'
         and h.health = 'healthy'
         and h.used_slots < h.slots
     )
   order by key
   limit 1000`,
)

/** Taken by the step that places the instances of a pool and SKU. Its ids are the keys of that step. */
export const placementLock = defineLock(
  'placement',
  'claimed_work',
  `select p.pool_id || '/' || p.sku_id as id
   from placements p
   where (p.pool_id, p.sku_id) in (
     select split_part(k, '/', 1), split_part(k, '/', 2)
     from unnest($1::text[]) as k
   )
   order by p.pool_id, p.sku_id
   for update of p skip locked`,
)

/** A pool and SKU, whose instances are placed together. */
type PlacementKey = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }

/** The instances of a pool and SKU that are not terminated. */
export function listLivingByPool(db: Db, { pool_id, sku_id }: PlacementKey): Promise<LivingRow[]> {
  return db.rows(selectLiving, [pool_id, sku_id])
}

/** Inserts the row to lock. False if it exists, because then another step holds it. */
export async function insertPlacement(db: Db, { pool_id, sku_id }: PlacementKey): Promise<boolean> {
  return (await db.run(insertRow, [pool_id, sku_id])) > 0
}

/** Records the time of a step, and whether the pool could use a free slot. */
export async function updatePlacement(
  db: Db,
  { pool_id, sku_id }: PlacementKey,
  { checked_at, wants_slot }: { checked_at: number; wants_slot: boolean },
): Promise<void> {
  await db.run(updateRow, [pool_id, sku_id, checked_at, wants_slot])
}

/** The pools that have free allocation of a SKU and instances without a slot. */
export async function listWantingPools(db: Db, skuId: string): Promise<Id<'pool'>[]> {
  return (await db.rows(selectWanting, [skuId])).map(({ pool_id }) => pool_id)
}

/** Of some keys of pools and SKUs those without living instances and without a need for slots. */
export async function listIdlePlacements(db: Db, keys: readonly string[]): Promise<string[]> {
  return (await db.rows(selectIdle, [keys])).map(({ key }) => key)
}

/** The keys of pools and SKUs that should have been planned before a time, but were not. */
export async function listNeglectedPlacements(db: Db, before: number): Promise<string[]> {
  return (await db.rows(selectNeglected, [before])).map(({ key }) => key)
}
