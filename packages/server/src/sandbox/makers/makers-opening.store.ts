import { type Db, statement } from '../../core/db/db.ts'
import type { MakerRow } from './makers.rules.ts'

const insertRow = statement<never>(
  'sandbox.insert_maker',
  `insert into sandbox_makers (sku_id, seed, base_price_micros, began_minute, nodes, enabled,
     weather_from_minute, utc_offset_minutes, desk_pool_id, trader_pool_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   on conflict do nothing`,
)

/** Inserts a market maker. False if the SKU already has one. */
export async function insertMaker(db: Db, row: MakerRow): Promise<boolean> {
  const { sku_id, seed, base_price_micros, began_minute, nodes, enabled } = row
  const { weather_from_minute, utc_offset_minutes, desk_pool_id, trader_pool_id, created_at } = row
  const own = [sku_id, seed, base_price_micros, began_minute, nodes, enabled, weather_from_minute, utc_offset_minutes]
  return (await db.run(insertRow, [...own, desk_pool_id, trader_pool_id, created_at])) > 0
}
