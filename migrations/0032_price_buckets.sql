-- Trades summed by minute, hour and day of their fill time, so that a page of price history costs its rows. A trigger
-- keeps the sums, because a program of an earlier version, which knows nothing of them, may trade during an upgrade.
create table price_buckets (
  sku_id text collate "C" not null,
  seconds integer not null check (seconds in (60, 3600, 86400)),
  start_at bigint not null,
  first_filled_at bigint not null,
  first_fill_id text collate "C" not null,
  first_micros bigint not null,
  last_filled_at bigint not null,
  last_fill_id text collate "C" not null,
  last_micros bigint not null,
  low_micros bigint not null,
  high_micros bigint not null,
  node_minutes bigint not null,
  -- Two fills of the greatest value exceed a bigint.
  value_micros numeric not null,
  fill_count bigint not null,
  primary key (sku_id, seconds, start_at)
) with (fillfactor = 70);
grant select, insert, update on price_buckets to bourse_app;

-- Two transactions never write the buckets of one SKU at the same time, because fills are written under the lock of its
-- book.
create function add_to_price_buckets() returns trigger language plpgsql as $$
begin
  insert into price_buckets as b (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros,
    last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, fill_count)
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
    fill_count = b.fill_count + excluded.fill_count;
  return null;
end
$$;

-- Creating the trigger locks fills against writes until the migration commits, so none is counted twice or missed.
create trigger add_to_price_buckets after insert on fills
  referencing new table as added
  for each statement execute function add_to_price_buckets();

insert into price_buckets (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros, last_filled_at,
  last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, fill_count)
select f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds,
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
  count(*)
from fills f
cross join (values (60), (3600), (86400)) as w(seconds)
group by f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds;
