import { type Db, statement } from '../../core/db/db.ts'
import type { PoolAndSku } from '../usage/usage-fold.rules.ts'

/** What a pool and SKU bought and sold. Sales are less their fees, as in the sums by hour. */
export type TradedRow = PoolAndSku & {
  readonly bought_micros: bigint
  readonly sold_micros: bigint
  readonly fee_micros: bigint
}

const selectTraded = statement<TradedRow>(
  'accounting.list_traded',
  `select pool_id, sku_id, sum(bought_micros) as bought_micros, sum(sold_micros) as sold_micros,
     sum(fee_micros) as fee_micros
   from usage_hours
   where account_id = $1 and hour >= $2 and hour < $3
   group by pool_id, sku_id`,
)
const selectPosted = statement<{ amount_micros: bigint }>(
  'accounting.find_posted',
  `select coalesce(sum(amount_micros), 0)::numeric as amount_micros
   from ledger_transactions
   where account_id = $1 and created_at >= $2 and created_at < $3 and fill_id is null`,
)

/** The stored sums of trades for the hours `[first, end)`, by pool and SKU. */
export function listTraded(db: Db, accountId: string, first: number, end: number): Promise<TradedRow[]> {
  return db.rows(selectTraded, [accountId, first, end])
}

/** The sum of postings from a second on, before another one. */
export async function findPosted(db: Db, accountId: string, from: number, to: number): Promise<bigint> {
  return ((await db.row(selectPosted, [accountId, from, to])) as { amount_micros: bigint }).amount_micros
}
