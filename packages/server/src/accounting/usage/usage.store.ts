import { type Db, statement } from '../../core/db/db.ts'
import type { HourRow, PoolAndSku } from './usage-fold.rules.ts'

/** The nodes of a place before an hour. */
type LevelRow = PoolAndSku & { readonly owned_nodes: number; readonly run_nodes: number }

const selectHours = statement<HourRow>(
  'accounting.list_hours',
  `select hour, pool_id, sku_id, bought_micros, sold_micros, fee_micros, cost_micros, owned_minutes, owned_nodes,
     run_minutes, run_nodes
   from usage_hours
   where account_id = $1 and hour >= $2 and hour < $3`,
)
const selectLevels = statement<LevelRow>(
  'accounting.list_levels',
  `select pool_id, sku_id, sum(owned_nodes)::bigint as owned_nodes, sum(run_nodes)::bigint as run_nodes
   from usage_hours
   where account_id = $1 and hour < $2
   group by pool_id, sku_id`,
)

/** The stored sums of an account for the hours `[first, end)`. */
export function listUsageHours(db: Db, accountId: string, first: number, end: number): Promise<HourRow[]> {
  return db.rows(selectHours, [accountId, first, end])
}

/** What was there before an hour, by place. */
export function listLevels(db: Db, accountId: string, hour: number): Promise<LevelRow[]> {
  return db.rows(selectLevels, [accountId, hour])
}
