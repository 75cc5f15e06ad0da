-- serves: 45
-- locks: buckets of days that no fill is added to any more. Trading goes on, and writes none of them.
update price_buckets b
set fee_micros = f.fee_micros
from (
  select sku_id, filled_at / 86400 * 86400 as start_at, sum(fee_micros) as fee_micros
  from fills
  where filled_at < (select max(start_at) - 86400 from price_buckets where seconds = 86400)
  group by sku_id, filled_at / 86400 * 86400
) f
where b.sku_id = f.sku_id and b.seconds = 86400 and b.start_at = f.start_at;
