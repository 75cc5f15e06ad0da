import { type Db, statement } from '../../core/db/db.ts'
import { foldedAtOnce } from './pool-history.rules.ts'

// No other command writes steps that old, and a concurrent fold has deleted its steps when it releases their locks. So
// no lock of a book or pool is needed. The limit is a literal: with a parameter the planner reads the whole table.
const foldOldest = statement<never>(
  'market.fold_allocation',
  `with old as (
     delete from pool_allocation a
     using (
       select pool_id, sku_id, minute
       from pool_allocation
       where minute > 0 and minute < $1
       order by minute, pool_id, sku_id
       limit ${foldedAtOnce}
       for update
     ) o
     where a.pool_id = o.pool_id and a.sku_id = o.sku_id and a.minute = o.minute
     returning a.pool_id, a.sku_id, a.delta
   )
   insert into pool_allocation (pool_id, sku_id, minute, delta)
   select pool_id, sku_id, 0, sum(delta)::bigint
   from old
   group by pool_id, sku_id
   order by pool_id, sku_id
   on conflict (pool_id, sku_id, minute) do update set delta = pool_allocation.delta + excluded.delta`,
)
const removePassed = statement<never>(
  'market.remove_passed_promises',
  `delete from pool_promise p
   using (
     select pool_id, sku_id, minute
     from pool_promise
     where delta = 0 and minute < $1
     limit ${foldedAtOnce}
     for update skip locked
   ) o
   where p.pool_id = o.pool_id and p.sku_id = o.sku_id and p.minute = o.minute`,
)
const selectOldest = statement<{ minute: number }>(
  'market.find_oldest_step',
  `select minute
   from pool_allocation
   where minute > 0
   order by minute
   limit 1`,
)

/**
 * Folds at most {@link foldedAtOnce} of the oldest steps before a minute into the row at minute 0 of each pool and
 * SKU.
 */
export async function foldAllocation(db: Db, before: number): Promise<void> {
  await db.run(foldOldest, [before])
}

/** Removes at most {@link foldedAtOnce} promise rows before a minute that have fallen to zero. */
export async function removePassedPromises(db: Db, before: number): Promise<void> {
  await db.run(removePassed, [before])
}

/** The minute of the oldest step, of any pool, that is not folded. */
export async function findOldestStep(db: Db): Promise<number | undefined> {
  return (await db.row(selectOldest))?.minute
}
