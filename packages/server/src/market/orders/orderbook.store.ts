import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type Conditions, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A trade without its parties. */
export type TapeRow = {
  id: Id<'fill'>
  sku_id: Id<'sku'>
  price_micros: bigint
  schedule: number[]
  filled_at: number
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
  fill_count: number
}

// The casts of node_minutes and of the prices undo the wider types that the aggregates give.
const bucketColumns = `b.sku_id, b.start_at, b.first_micros::numeric as first_micros,
  b.last_micros::numeric as last_micros, b.low_micros::numeric as low_micros, b.high_micros::numeric as high_micros,
  b.node_minutes::bigint as node_minutes, b.value_micros, b.fill_count`

// The index fills_by_sku (sku_id, filled_at, id) serves this.
const selectBuckets = statement<BucketRow>(
  'market.list_price_buckets',
  `select ${bucketColumns}
   from (
     select f.sku_id, f.filled_at / $4 * $4 as start_at,
       (array_agg(f.price_micros order by f.filled_at, f.id))[1] as first_micros,
       (array_agg(f.price_micros order by f.filled_at desc, f.id desc))[1] as last_micros,
       min(f.price_micros) as low_micros,
       max(f.price_micros) as high_micros,
       sum(f.node_minutes) as node_minutes,
       sum(f.value_micros) as value_micros,
       count(*) as fill_count
     from fills f
     where f.sku_id = any($1) and f.filled_at >= $2 and f.filled_at < $3
     group by f.sku_id, 2
   ) b
   order by b.start_at, b.sku_id`,
)

/** Trades that overlap a window, newest first; `where` adds the other filters. */
export function listTape(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<TapeRow>> {
  return readPage<TapeRow>(ctx, {
    prefix: 'fillc',
    list: 'orderbook_fills',
    query,
    select: 'select f.id, f.sku_id, f.price_micros::numeric as price_micros, f.schedule, f.filled_at from fills f',
    where,
    sort: { columns: ['f.filled_at', 'f.id'], direction: 'falling', keys: (row) => [row.filled_at, row.id] },
  })
}

/** Trades by bucket of fill time, oldest first. */
export function listBuckets(
  db: Db,
  { sku_ids, since, until, seconds }: { sku_ids: readonly string[]; since: number; until: number; seconds: number },
): Promise<BucketRow[]> {
  return db.rows(selectBuckets, [sku_ids, since, until, seconds])
}
