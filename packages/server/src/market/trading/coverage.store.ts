import { type Db, statement } from '../../core/db/db.ts'
import type { OpenOrderOfPool } from './coverage.rules.ts'
import { isOpenSql } from './trading.rules.ts'

const selectOpen = statement<OpenOrderOfPool>(
  'market.list_open_orders_in_pool',
  `select o.id, o.side, o.price_micros::numeric as price_micros, o.remaining, o.managed_by
   from orders o
   where o.pool_id = $1 and o.sku_id = $2 and ${isOpenSql}
   order by o.seq`,
)

/** The open orders of a pool on one SKU, oldest first. */
export function listOpenInPool(
  db: Db,
  { pool_id, sku_id }: { readonly pool_id: string; readonly sku_id: string },
): Promise<OpenOrderOfPool[]> {
  return db.rows(selectOpen, [pool_id, sku_id])
}
