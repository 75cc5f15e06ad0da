import { type Db, statement } from '../../core/db/db.ts'
import type { LotRow } from '../usage/cost-lots.rules.ts'

/** A lot with the price and the buyer's automation of its purchase. */
export type PricedLotRow = LotRow & { readonly price_micros: bigint; readonly managed_by: string | null }

/** Where a page of lots of one pool and SKU begins. */
type LotPlace = {
  readonly pool_id: string
  readonly sku_id: string
  readonly from_minute: number
  readonly to_minute: number
  readonly after: { readonly purchase: number; readonly id: number }
  readonly limit: number
}

const selectLots = statement<PricedLotRow>(
  'accounting.list_priced_lots',
  `select l.id, l.pool_id, l.sku_id, l.purchase, l.fill_id, l.value_micros::numeric as value_micros, l.node_minutes,
     l.shape, l.boxes, l.start_minute, l.end_minute, l.left_minutes, l.cost_micros::numeric as cost_micros,
     l.sold_micros::numeric as sold_micros, l.counted_minute, f.price_micros::numeric as price_micros, o.managed_by
   from cost_lots l
   join fills f on f.id = l.fill_id
   join orders o on o.id = f.buy_order_id
   where l.pool_id = $1 and l.sku_id = $2 and l.end_minute > $3 and l.start_minute < $4 and l.left_minutes > 0
     and (l.purchase, l.id) > ($5, $6)
   order by l.purchase, l.id
   limit $7`,
)

/** The next lots of one pool and SKU that overlap some minutes, the oldest purchase first. */
export function listPricedLots(db: Db, place: LotPlace): Promise<PricedLotRow[]> {
  const { pool_id, sku_id, from_minute, to_minute, after, limit } = place
  return db.rows(selectLots, [pool_id, sku_id, from_minute, to_minute, after.purchase, after.id, limit])
}
