import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { type PricedSku, pricedSkuParams } from '../skus/skus.rules.ts'

/** The price of a trade, in the minutes from its first to its last one. */
export type LatestFill = { readonly from: number; readonly to: number; readonly value: bigint }
type LatestRow = LatestFill & { sku_id: Id<'sku'> }

// Each SKU reads a bounded number of its newest trades, also where none of them overlaps the window.
const selectLatest = statement<LatestRow>(
  'market.list_latest_fills',
  `select f.sku_id, f.price_micros::numeric as value, f.start_minute as "from", f.end_minute as "to"
   from unnest($1::text[] collate "C", $5::boolean[]) as s(sku_id, excludes_related)
   cross join lateral (
     select *
     from fills
     where sku_id = s.sku_id
       and filled_at >= $2
       and not (related and s.excludes_related)
     order by filled_at desc, id desc
     limit 500
   ) f
   where f.start_minute < $3
     and f.end_minute > $4
   order by f.filled_at desc, f.id desc`,
)

type LatestQuery = {
  readonly skus: readonly PricedSku[]
  readonly since: number
  readonly from: number
  readonly to: number
}

/** Of the newest 500 trades of each SKU since a time those that overlap a window of minutes, newest first. */
export async function listLatestFills(
  db: Db,
  { skus, since, from, to }: LatestQuery,
): Promise<Map<Id<'sku'>, LatestFill[]>> {
  const [ids, excluding] = pricedSkuParams(skus)
  return Map.groupBy(await db.rows(selectLatest, [ids, since, to, from, excluding]), ({ sku_id }) => sku_id)
}
