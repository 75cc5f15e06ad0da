import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import { defineAudit } from '../../core/work/auditor.ts'

const ofFills = `select sku_id, filled_at as at, filled_at as first_filled_at, id as first_fill_id,
         price_micros as first_micros, filled_at as last_filled_at, id as last_fill_id, price_micros as last_micros,
         price_micros as low_micros, price_micros as high_micros, node_minutes, value_micros,
         price_micros::numeric * node_minutes % 60 as cut_sixtieths, 1 as fill_count
       from fills`
const ofBuckets = (seconds: number) => `select sku_id, start_at as at, first_filled_at, first_fill_id, first_micros,
         last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, cut_sixtieths,
         fill_count
       from price_buckets
       where seconds = ${seconds}`

/**
 * The buckets of a length against the parts that they consist of. Each part is joined with its bucket and read once.
 * The first fill is the one of which the bucket has the time, id and price, if no part has an earlier one: to look for
 * the least of all would compare texts.
 */
const bucketsMatch = (seconds: number, parts: string) =>
  defineAudit(
    'market.price-buckets',
    `select coalesce(b.sku_id, p.sku_id) as sku_id, ${seconds} as seconds, coalesce(b.start_at, p.start_at) as start_at,
       min(b.fill_count) as fill_count, sum(p.fill_count) as exact_fill_count
     from (
       select *, at / ${seconds} * ${seconds} as start_at
       from (${parts}) part
     ) p
     full join (
       select *
       from price_buckets
       where seconds = ${seconds}
     ) b on b.sku_id = p.sku_id and b.start_at = p.start_at
     group by b.sku_id, b.start_at, p.sku_id, p.start_at
     having sum(p.fill_count) is distinct from min(b.fill_count)
       or sum(p.node_minutes) is distinct from min(b.node_minutes)
       or sum(p.value_micros) is distinct from min(b.value_micros)
       or sum(p.cut_sixtieths) is distinct from min(b.cut_sixtieths)
       or min(p.low_micros) is distinct from min(b.low_micros)
       or max(p.high_micros) is distinct from min(b.high_micros)
       or count(*) filter (
         where (p.first_filled_at, p.first_fill_id) < (b.first_filled_at, b.first_fill_id)
           or (p.last_filled_at, p.last_fill_id) > (b.last_filled_at, b.last_fill_id)
       ) <> 0
       or count(*) filter (
         where p.first_filled_at = b.first_filled_at
           and p.first_fill_id = b.first_fill_id
           and p.first_micros = b.first_micros
       ) <> 1
       or count(*) filter (
         where p.last_filled_at = b.last_filled_at
           and p.last_fill_id = b.last_fill_id
           and p.last_micros = b.last_micros
       ) <> 1`,
  )

/**
 * Buckets have a second row exactly where they have a related fill, and it holds the others. All lengths are compared
 * with fills: related ones are few.
 */
const unrelatedMatch = defineAudit(
  'market.related-trades',
  `select coalesce(u.sku_id, k.sku_id) as sku_id, coalesce(u.seconds, k.seconds) as seconds,
     coalesce(u.start_at, k.start_at) as start_at, u.fill_count, f.fill_count as exact_fill_count
   from unrelated_price_buckets u
   full join (
     select distinct r.sku_id, w.seconds, r.filled_at / w.seconds * w.seconds as start_at
     from fills r
     cross join (values (60), (3600), (86400)) as w(seconds)
     where r.related
   ) k on k.sku_id = u.sku_id and k.seconds = u.seconds and k.start_at = u.start_at
   cross join lateral (
     select count(*) as fill_count, coalesce(sum(x.node_minutes), 0) as node_minutes,
       coalesce(sum(x.value_micros), 0) as value_micros, min(x.price_micros) as low_micros,
       max(x.price_micros) as high_micros,
       coalesce(sum(x.price_micros::numeric * x.node_minutes % 60), 0) as cut_sixtieths,
       (array_agg(row(x.filled_at, x.id, x.price_micros)::text order by x.filled_at, x.id))[1] as first,
       (array_agg(row(x.filled_at, x.id, x.price_micros)::text order by x.filled_at desc, x.id desc))[1] as last
     from fills x
     where x.sku_id = u.sku_id and x.filled_at >= u.start_at and x.filled_at < u.start_at + u.seconds and not x.related
   ) f
   where u.sku_id is null or k.sku_id is null
     or (u.fill_count, u.node_minutes, u.value_micros, u.cut_sixtieths)
       is distinct from (f.fill_count, f.node_minutes, f.value_micros, f.cut_sixtieths)
     or (u.low_micros, u.high_micros) is distinct from (f.low_micros, f.high_micros)
     or case when u.fill_count > 0 then row(u.first_filled_at, u.first_fill_id, u.first_micros)::text end
       is distinct from f.first
     or case when u.fill_count > 0 then row(u.last_filled_at, u.last_fill_id, u.last_micros)::text end
       is distinct from f.last`,
)

/** The fees of days are those of the fills; minutes and hours have none. */
const feesMatch = defineAudit(
  'money.revenue',
  `select coalesce(b.sku_id, f.sku_id) as sku_id, coalesce(b.start_at, f.start_at) as start_at, b.seconds,
     b.fee_micros, f.fee_micros as exact_fee_micros
   from price_buckets b
   full join (
     select sku_id, 86400 as seconds, filled_at / 86400 * 86400 as start_at, sum(fee_micros) as fee_micros
     from fills
     group by sku_id, filled_at / 86400 * 86400
   ) f on f.sku_id = b.sku_id and f.seconds = b.seconds and f.start_at = b.start_at
   where b.fee_micros is distinct from f.fee_micros`,
)

/** The buckets of the price history hold exactly what the fills add up to: minutes of fills, hours of minutes, days. */
export const priceBucketAudits = [
  bucketsMatch(60, ofFills),
  bucketsMatch(hourSeconds, ofBuckets(60)),
  bucketsMatch(daySeconds, ofBuckets(hourSeconds)),
  feesMatch,
  unrelatedMatch,
]
