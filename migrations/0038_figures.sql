-- serves: 38
-- Figures that `/metrics` shows without counting: a book keeps the number of its resting orders, and the hourly run
-- of all audits keeps the sums that it reads over whole tables.

alter table books
  add column resting_buys bigint not null default 0,
  add column resting_sells bigint not null default 0;

-- locks: every book, while the resting orders are counted once. Older programs do not keep the counts, so none of them
-- is served.
update books b
set resting_buys = o.buys, resting_sells = o.sells
from (
  select sku_id, count(*) filter (where side = 'buy') as buys, count(*) filter (where side = 'sell') as sells
  from orders
  where state in ('standing', 'partially_filled')
  group by sku_id
) o
where o.sku_id = b.sku_id;

alter table self_audit add column figures jsonb not null default '[]';
