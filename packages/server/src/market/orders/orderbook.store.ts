import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import { type PricedSku, pricedSkuParams } from '../skus/skus.rules.ts'

/** A trade without its parties. */
type TapeRow = {
  id: Id<'fill'>
  sku_id: Id<'sku'>
  price_micros: bigint
  schedule: number[]
  filled_at: number
  taker_side: 'buy' | 'sell'
}

/** The trades of a SKU in one bucket of time. */
export type BucketRow = {
  sku_id: Id<'sku'>
  start_at: number
  first_micros: bigint
  last_micros: bigint
  low_micros: bigint
  high_micros: bigint
  node_minutes: number
  value_micros: bigint
  cut_sixtieths: bigint
  fill_count: number
}

// Each SKU reads its newest trades from the index fills_by_sku, no more than one page and those of other windows.
const selectTape = statement<TapeRow>(
  'market.list_tape',
  `select f.*, case when bought.seq > sold.seq then 'buy' else 'sell' end as taker_side
   from unnest($1::text[] collate "C", $8::boolean[]) as s(sku_id, excludes_related)
   cross join lateral (
     select f.id, f.sku_id, f.price_micros::numeric as price_micros, f.schedule, f.filled_at, f.buy_order_id,
       f.sell_order_id
     from fills f
     where f.sku_id = s.sku_id
       and f.filled_at >= $2
       and f.start_minute < $3
       and f.end_minute > $4
       and not (f.related and s.excludes_related)
       and (f.filled_at, f.id) < ($5, $6)
     order by f.filled_at desc, f.id desc
     limit $7
   ) f
   join orders bought on bought.id = f.buy_order_id
   join orders sold on sold.id = f.sell_order_id
   order by f.filled_at desc, f.id desc
   limit $7`,
)
// A bucket with related trades has a second row without them, which has no price where it has no other trade.
const bucketColumns = `b.sku_id, b.start_at, coalesce(u.first_micros, b.first_micros)::numeric as first_micros,
       coalesce(u.last_micros, b.last_micros)::numeric as last_micros,
       coalesce(u.low_micros, b.low_micros)::numeric as low_micros,
       coalesce(u.high_micros, b.high_micros)::numeric as high_micros,
       coalesce(u.node_minutes, b.node_minutes) as node_minutes,
       coalesce(u.value_micros, b.value_micros) as value_micros,
       coalesce(u.cut_sixtieths, b.cut_sixtieths)::numeric as cut_sixtieths,
       coalesce(u.fill_count, b.fill_count) as fill_count`
const shownBuckets = `price_buckets b
     left join unrelated_price_buckets u on s.excludes_related and u.sku_id = b.sku_id and u.seconds = b.seconds
       and u.start_at = b.start_at`
// Each SKU reads at most the rows of one page from its range of the primary key.
const selectNextBuckets = statement<BucketRow>(
  'market.list_next_price_buckets',
  `select b.*
   from unnest($1::text[] collate "C", $7::boolean[]) as s(sku_id, excludes_related)
   cross join lateral (
     select ${bucketColumns}
     from ${shownBuckets}
     where b.sku_id = s.sku_id
       and b.seconds = $2
       and b.start_at >= $3 + case when s.sku_id > $4 then 0 else 1 end
       and b.start_at < $5
       and u.fill_count is distinct from 0
     order by b.start_at
     limit $6
   ) b
   order by b.start_at, b.sku_id
   limit $6`,
)
const selectPreviousBuckets = statement<BucketRow>(
  'market.list_previous_price_buckets',
  `select b.*
   from unnest($1::text[] collate "C", $7::boolean[]) as s(sku_id, excludes_related)
   cross join lateral (
     select ${bucketColumns}
     from ${shownBuckets}
     where b.sku_id = s.sku_id
       and b.seconds = $2
       and b.start_at >= $3
       and b.start_at < $4 + case when s.sku_id < $5 then 1 else 0 end
       and u.fill_count is distinct from 0
     order by b.start_at desc
     limit $6
   ) b
   order by b.start_at desc, b.sku_id desc
   limit $6`,
)

/** Trades of SKUs since a time that overlap a window of minutes. */
type TapeQuery = {
  readonly skus: readonly PricedSku[]
  readonly since: number
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** The place of a trade in a list: by time, then id. */
type TapePlace = { readonly filled_at: number; readonly id: string }

/** The trades that come behind `after`, newest first. */
export function listTape(
  db: Db,
  { skus, since, from, to, limit }: TapeQuery,
  after: TapePlace = { filled_at: 2 ** 53 - 1, id: '' },
): Promise<TapeRow[]> {
  const [ids, excluding] = pricedSkuParams(skus)
  return db.rows(selectTape, [ids, since, to, from, after.filled_at, after.id, limit, excluding])
}

/** The place of a bucket in a list: by start, then SKU. */
export type BucketPlace = { readonly start_at: number; readonly sku_id: string }

type BucketQuery = {
  readonly skus: readonly PricedSku[]
  readonly seconds: number
  readonly since: number
  readonly until: number
  readonly limit: number
}

/** The first buckets that start at `since` or later and come behind `after`, oldest first. */
export function listNextBuckets(
  db: Db,
  { skus, seconds, since, until, limit }: BucketQuery,
  after: BucketPlace | undefined,
): Promise<BucketRow[]> {
  // Every id is greater than the empty text, so without a place the range includes `since` itself.
  const from = after && after.start_at >= since ? after : { start_at: since, sku_id: '' }
  const [ids, excluding] = pricedSkuParams(skus)
  return db.rows(selectNextBuckets, [ids, seconds, from.start_at, from.sku_id, until, limit, excluding])
}

/** The last buckets that start before `until` and come before `before`, newest first. */
export function listPreviousBuckets(
  db: Db,
  { skus, seconds, since, until, limit }: BucketQuery,
  before: BucketPlace,
): Promise<BucketRow[]> {
  const to = before.start_at < until ? before : { start_at: until, sku_id: '' }
  const [ids, excluding] = pricedSkuParams(skus)
  return db.rows(selectPreviousBuckets, [ids, seconds, since, to.start_at, to.sku_id, limit, excluding])
}
