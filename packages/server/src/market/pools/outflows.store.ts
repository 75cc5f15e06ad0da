import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** A sale or transfer out of a pool. The schedule is edges: minute, count, minute, count, … */
type OutflowRow = { kind: 'sold' | 'transferred'; decided_at: number; schedule: number[] }

/** A step of allocation that the sandbox preempted, as a difference. */
export type TakenRow = { decided_at: number; minute: number; delta: number }

type OutflowPoolAndSku = { readonly pool_id: Id<'pool'>; readonly sku_id: Id<'sku'> }

const selectOutflows = statement<OutflowRow>(
  'market.list_outflows',
  `select 'sold' as kind, f.filled_at as decided_at, f.schedule
   from orders o
   join fills f on f.sell_order_id = o.id
   where o.pool_id = $1 and o.sku_id = $2 and o.side = 'sell' and o.filled_node_minutes > 0
     and o.start_minute <= $4 and o.end_minute > $3 and f.start_minute <= $4 and f.end_minute > $3
   union all
   select 'transferred', t.created_at, t.schedule
   from pool_transfers t
   where t.from_pool_id = $1 and t.sku_id = $2
     and (t.schedule ->> 0)::bigint <= $4 and (t.schedule ->> -2)::bigint > $3`,
)
const selectTaken = statement<TakenRow>(
  'market.list_taken',
  `select created_at as decided_at, minute, -delta as delta
   from capacity_postings
   where pool_id = $1 and sku_id = $2 and cause = 'preemption'`,
)

/** Sales and transfers that overlap the minutes from `first` to `last`, both included. */
export function listOutflows(
  db: Db,
  { pool_id, sku_id }: OutflowPoolAndSku,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<OutflowRow[]> {
  return db.rows(selectOutflows, [pool_id, sku_id, first, last])
}

/** The allocation that the sandbox preempted from a pool. */
export function listTaken(db: Db, { pool_id, sku_id }: OutflowPoolAndSku): Promise<TakenRow[]> {
  return db.rows(selectTaken, [pool_id, sku_id])
}
