-- serves: 42
-- Prices become micro-dollars per node-hour: sixty times what they were per node-minute, which is exact. Values and
-- holds are amounts and do not change: limit × node-minutes is the same as sixty times the limit × node-minutes / 60.
--
-- A program of an earlier version would take a new price for sixty times as much. It must not trade on this schema:
-- every decision on a book reads the fee of its SKU, and every automation its prices, and their columns have new names.
-- The lock on skus comes first, so that decisions under way end before the others are locked.
-- locks: every price changes its unit at once, so nothing may trade meanwhile; programs before are not served.
lock table skus, books, orders, fills, price_buckets, procurements, deployments, sandbox_makers
  in access exclusive mode;

-- locks: as above.
alter table skus rename column flat_fee_micros to hourly_fee_micros;
-- locks: as above.
alter table skus
  alter column hourly_fee_micros type bigint using hourly_fee_micros * 60,
  -- Prices of orders are multiples of it.
  add column price_step_micros bigint not null default 1 check (price_step_micros > 0);

-- What rounding the values of its fills down cut off, for the average price. There was no rounding before.
-- locks: as above.
alter table orders
  alter column price_micros type bigint using price_micros * 60,
  add column filled_cut_sixtieths bigint not null default 0;
-- locks: as above.
alter table fills alter column price_micros type bigint using price_micros * 60;

-- locks: as above.
alter table procurements rename column min_sell_price_micros to min_sell_hourly_micros;
-- locks: as above.
alter table procurements rename column max_buy_price_micros to max_buy_hourly_micros;
-- locks: as above.
alter table procurements
  alter column min_sell_hourly_micros type bigint using min_sell_hourly_micros * 60,
  alter column max_buy_hourly_micros type bigint using max_buy_hourly_micros * 60;
-- locks: as above.
alter table deployments rename column max_buy_price_micros to max_buy_hourly_micros;
-- locks: as above.
alter table deployments
  alter column max_buy_hourly_micros type bigint using max_buy_hourly_micros * 60;
-- locks: as above.
alter table sandbox_makers
  alter column base_price_micros type bigint using base_price_micros * 60;

-- locks: as above.
alter table price_buckets
  alter column first_micros type bigint using first_micros * 60,
  alter column last_micros type bigint using last_micros * 60,
  alter column low_micros type bigint using low_micros * 60,
  alter column high_micros type bigint using high_micros * 60,
  add column cut_sixtieths bigint not null default 0;

create or replace function add_to_price_buckets() returns trigger language plpgsql as $$
begin
  insert into price_buckets as b (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros,
    last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, cut_sixtieths,
    fill_count)
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
    fill_count = b.fill_count + excluded.fill_count;
  return null;
end
$$;
