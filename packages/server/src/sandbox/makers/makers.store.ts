import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'
import type { MakerRow } from './makers.rules.ts'

const columns = `sku_id, seed, base_price_micros::numeric as base_price_micros, began_minute, nodes, enabled,
  weather_from_minute, utc_offset_minutes, desk_pool_id, trader_pool_id, created_at`

const selectMaker = statement<MakerRow>(
  'sandbox.find_maker',
  `select ${columns}
   from sandbox_makers
   where sku_id = $1`,
)
const selectMakers = statement<MakerRow>(
  'sandbox.list_makers',
  `select ${columns}
   from sandbox_makers
   order by created_at, sku_id`,
)
const updateRow = statement<never>(
  'sandbox.update_maker',
  `update sandbox_makers
   set base_price_micros = $2, enabled = $3, weather_from_minute = $4
   where sku_id = $1`,
)

/** Taken to trade for a market maker or to change it. */
export const makerLock = defineLock(
  'market_maker',
  'claimed_work',
  `select sku_id as id
   from sandbox_makers
   where sku_id = any($1)
   order by sku_id
   for update`,
)

export function findMaker(db: Db, skuId: string): Promise<MakerRow | undefined> {
  return db.row(selectMaker, [skuId])
}

/** All market makers, oldest first. */
export function listMakers(db: Db): Promise<MakerRow[]> {
  return db.rows(selectMakers)
}

/** Stores the base price of a market maker, whether it is enabled, and its weather. */
export async function updateMaker(db: Db, row: MakerRow): Promise<void> {
  await db.run(updateRow, [row.sku_id, row.base_price_micros, row.enabled, row.weather_from_minute])
}
