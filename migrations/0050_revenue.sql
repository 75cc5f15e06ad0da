-- serves: 45
-- What the operator reads of all accounts: the fees of a day, and postings by their time.

-- locks: no fill may come between the sums of the newest days and the trigger that goes on with them.
lock table fills in share row exclusive mode;
-- locks: as above. The sums of older days are there.
update price_buckets b
set fee_micros = f.fee_micros
from (
  select d.sku_id, d.start_at, sum(f.fee_micros) as fee_micros
  from price_buckets d
  join fills f on f.sku_id = d.sku_id and f.filled_at >= d.start_at and f.filled_at < d.start_at + 86400
  where d.seconds = 86400 and d.fee_micros is null
  group by d.sku_id, d.start_at
) f
where b.sku_id = f.sku_id and b.seconds = 86400 and b.start_at = f.start_at;

create or replace function add_to_price_buckets() returns trigger language plpgsql as $$
begin
  insert into price_buckets as b (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros,
    last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, cut_sixtieths,
    fee_micros, fill_count)
  select f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at,
    min(f.filled_at),
    (array_agg(f.id order by f.filled_at, f.id))[1],
    (array_agg(f.price_micros order by f.filled_at, f.id))[1],
    max(f.filled_at),
    (array_agg(f.id order by f.filled_at desc, f.id desc))[1],
    (array_agg(f.price_micros order by f.filled_at desc, f.id desc))[1],
    min(f.price_micros),
    max(f.price_micros),
    sum(f.node_minutes),
    sum(f.value_micros),
    -- price × node-minutes exceeds a bigint; the remainders of the factors do not.
    sum((f.price_micros % 60) * (f.node_minutes % 60) % 60),
    case when w.seconds = 86400 then sum(f.fee_micros) end,
    count(*)
  from added f
  cross join (values (60), (3600), (86400)) as w(seconds)
  group by f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds
  on conflict (sku_id, seconds, start_at) do update
  set first_filled_at = least(b.first_filled_at, excluded.first_filled_at),
    first_fill_id = case
      when (excluded.first_filled_at, excluded.first_fill_id) < (b.first_filled_at, b.first_fill_id)
      then excluded.first_fill_id else b.first_fill_id end,
    first_micros = case
      when (excluded.first_filled_at, excluded.first_fill_id) < (b.first_filled_at, b.first_fill_id)
      then excluded.first_micros else b.first_micros end,
    last_filled_at = greatest(b.last_filled_at, excluded.last_filled_at),
    last_fill_id = case
      when (excluded.last_filled_at, excluded.last_fill_id) > (b.last_filled_at, b.last_fill_id)
      then excluded.last_fill_id else b.last_fill_id end,
    last_micros = case
      when (excluded.last_filled_at, excluded.last_fill_id) > (b.last_filled_at, b.last_fill_id)
      then excluded.last_micros else b.last_micros end,
    low_micros = least(b.low_micros, excluded.low_micros),
    high_micros = greatest(b.high_micros, excluded.high_micros),
    node_minutes = b.node_minutes + excluded.node_minutes,
    value_micros = b.value_micros + excluded.value_micros,
    cut_sixtieths = b.cut_sixtieths + excluded.cut_sixtieths,
    fee_micros = b.fee_micros + excluded.fee_micros,
    fill_count = b.fill_count + excluded.fill_count;
  return null;
end
$$;

-- step: outside a transaction
create index concurrently ledger_transactions_posted_at on ledger_transactions (created_at, id) where fill_id is null;
