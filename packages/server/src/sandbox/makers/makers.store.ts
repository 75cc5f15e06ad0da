import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { defineLock } from '../../core/work/locks.ts'

/** What simulated accounts do on the book of one SKU. */
export type MakerRow = {
  sku_id: Id<'sku'>
  seed: number
  base_price_micros: bigint
  began_minute: number
  nodes: number
  enabled: boolean
  desk_pool_id: Id<'pool'>
  trader_pool_id: Id<'pool'>
  created_at: number
}

const columns = `sku_id, seed, base_price_micros::numeric as base_price_micros, began_minute, nodes, enabled,
  desk_pool_id, trader_pool_id, created_at`

const selectMaker = statement<MakerRow>('sandbox.find_maker', `select ${columns} from sandbox_makers where sku_id = $1`)
const selectMakers = statement<MakerRow>(
  'sandbox.list_makers',
  `select ${columns} from sandbox_makers order by created_at, sku_id`,
)
const insertRow = statement<never>(
  'sandbox.insert_maker',
  `insert into sandbox_makers (sku_id, seed, base_price_micros, began_minute, nodes, enabled, desk_pool_id,
     trader_pool_id, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
)
const updateRow = statement<never>(
  'sandbox.update_maker',
  'update sandbox_makers set base_price_micros = $2, enabled = $3 where sku_id = $1',
)

/** Held by whoever trades in its name or changes it. */
export const makerLock = defineLock(
  'market_maker',
  'claimed_work',
  'select sku_id as id from sandbox_makers where sku_id = any($1) order by sku_id for update',
)

export function findMaker(db: Db, sku_id: string): Promise<MakerRow | undefined> {
  return db.row(selectMaker, [sku_id])
}

export function listMakers(db: Db): Promise<MakerRow[]> {
  return db.rows(selectMakers)
}

/** Adds one; false where the SKU has one already. */
export async function insertMaker(db: Db, row: MakerRow): Promise<boolean> {
  const { sku_id, seed, base_price_micros, began_minute, nodes, enabled } = row
  const { desk_pool_id, trader_pool_id, created_at } = row
  const fixed = [sku_id, seed, base_price_micros, began_minute, nodes, enabled]
  return (await db.run(insertRow, [...fixed, desk_pool_id, trader_pool_id, created_at])) > 0
}

export async function updateMaker(db: Db, row: MakerRow): Promise<void> {
  await db.run(updateRow, [row.sku_id, row.base_price_micros, row.enabled])
}
