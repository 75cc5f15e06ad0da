import { type Db, statement } from '../../core/db/db.ts'

/** The trades of a SKU in one month. */
export type RevenueRow = {
  readonly month: string
  readonly sku_id: string
  readonly fee_micros: bigint
  readonly value_micros: bigint
  readonly node_minutes: number
  readonly fill_count: number
}

// Each SKU reads its days from one range of the primary key.
const selectRevenue = statement<RevenueRow>(
  'accounting.list_revenue',
  `select b.month, s.id as sku_id, b.fee_micros, b.value_micros, b.node_minutes, b.fill_count
   from skus s
   cross join lateral (
     select to_char(to_timestamp(d.start_at) at time zone 'UTC', 'YYYY-MM') as month, sum(d.fee_micros) as fee_micros,
       sum(d.value_micros) as value_micros, sum(d.node_minutes)::bigint as node_minutes,
       sum(d.fill_count)::bigint as fill_count
     from price_buckets d
     where d.sku_id = s.id and d.seconds = 86400 and d.start_at >= $1 and d.start_at < $2
     group by month
   ) b
   order by b.month, s.id`,
)

/** What was traded from a second on, before another one, by month and SKU. Both are beginnings of days. */
export function listRevenue(db: Db, from: number, to: number): Promise<RevenueRow[]> {
  return db.rows(selectRevenue, [from, to])
}
