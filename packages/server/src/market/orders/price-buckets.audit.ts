import { defineAudit } from '../../core/work/auditor.ts'

// The time of a fill, padded so that texts compare like numbers, its id and its price: the least is the first fill of a
// bucket. Looking up the prices of all first and last fills would take as long as the rest of the query.
const tradeText = (filled_at: string, id: string, price_micros: string) =>
  `(lpad(${filled_at}::text, 12, '0') || ${id} || ' ' || ${price_micros})`

export const priceBucketAudits = [
  // The buckets of the price history hold exactly what the fills add up to.
  defineAudit(
    'market.price-buckets',
    `select coalesce(b.sku_id, f.sku_id) as sku_id, coalesce(b.seconds, f.seconds) as seconds,
       coalesce(b.start_at, f.start_at) as start_at, b.fill_count, f.fill_count as exact_fill_count
     from price_buckets b
     full join (
       select f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at,
         min(${tradeText('f.filled_at', 'f.id', 'f.price_micros')}) as first,
         max(${tradeText('f.filled_at', 'f.id', 'f.price_micros')}) as last,
         min(f.price_micros) as low_micros,
         max(f.price_micros) as high_micros,
         sum(f.node_minutes) as node_minutes,
         sum(f.value_micros) as value_micros,
         count(*) as fill_count
       from fills f
       cross join (values (60), (3600), (86400)) as w(seconds)
       group by f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds
     ) f on f.sku_id = b.sku_id and f.seconds = b.seconds and f.start_at = b.start_at
     where f.first is distinct from ${tradeText('b.first_filled_at', 'b.first_fill_id', 'b.first_micros')}
       or f.last is distinct from ${tradeText('b.last_filled_at', 'b.last_fill_id', 'b.last_micros')}
       or (f.low_micros, f.high_micros, f.node_minutes, f.value_micros, f.fill_count)
         is distinct from (b.low_micros, b.high_micros, b.node_minutes, b.value_micros, b.fill_count)`,
  ),
]
