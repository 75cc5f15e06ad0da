-- serves: 55
-- Whether the accounts of a trade share a person, as it was when they traded. A program of before this migration says
-- of no trade that they do.
alter table fills add column related boolean not null default false;

-- step: in a transaction
-- Whether prices that others see leave such trades out.
alter table skus add column public_prices_exclude_related boolean not null default false;

-- step: in a transaction
-- The buckets of `price_buckets` that have a related trade, as they are without all of these. A bucket of which nothing
-- is left has no trade (`fill_count` 0) and no price. What is the same in both tables has no row here.
create table unrelated_price_buckets (
  sku_id text collate "C" not null,
  seconds integer not null,
  start_at bigint not null,
  first_filled_at bigint,
  first_fill_id text collate "C",
  first_micros bigint,
  last_filled_at bigint,
  last_fill_id text collate "C",
  last_micros bigint,
  low_micros bigint,
  high_micros bigint,
  node_minutes bigint not null,
  value_micros numeric not null,
  cut_sixtieths bigint not null,
  fill_count bigint not null,
  primary key (sku_id, seconds, start_at)
) with (fillfactor = 70);
grant select, insert, update on unrelated_price_buckets to bourse_app;

-- The users of an account who are also in another one: by a subject of an issuer, or by the address of users that are
-- not deleted. PostgreSQL takes it into the statement that asks, whose plan serves all accounts.
create function shared_people(one text, other text) returns table (user_id text) language sql stable as $$
  select a.user_id
  from identities a
  join identities b on b.account_id = other and b.issuer = a.issuer and b.subject = a.subject
  where a.account_id = one
  union all
  select a.id
  from users a
  join users b on b.account_id = other and lower(b.email) = lower(a.email) and b.deleted_at is null
  where a.account_id = one and a.deleted_at is null
$$;

create or replace function add_to_price_buckets() returns trigger language plpgsql as $$
begin
  -- A bucket that gets its first related fill is copied as it was before.
  if exists (select from added where related) then
    insert into unrelated_price_buckets (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros,
      last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, cut_sixtieths,
      fill_count)
    select k.sku_id, k.seconds, k.start_at, b.first_filled_at, b.first_fill_id, b.first_micros, b.last_filled_at,
      b.last_fill_id, b.last_micros, b.low_micros, b.high_micros, coalesce(b.node_minutes, 0),
      coalesce(b.value_micros, 0), coalesce(b.cut_sixtieths, 0), coalesce(b.fill_count, 0)
    from (
      select distinct f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at
      from added f
      cross join (values (60), (3600), (86400)) as w(seconds)
      where f.related
    ) k
    left join price_buckets b on b.sku_id = k.sku_id and b.seconds = k.seconds and b.start_at = k.start_at
    on conflict do nothing;
  end if;
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
  -- A day without a row has no row of a part of it.
  if exists (
    select
    from added f
    join unrelated_price_buckets b on b.sku_id = f.sku_id and b.seconds = 86400
      and b.start_at = f.filled_at / 86400 * 86400
    where not f.related
  ) then
    update unrelated_price_buckets b
    set first_filled_at = least(b.first_filled_at, s.first_filled_at),
      first_fill_id = case
        when b.fill_count > 0 and (s.first_filled_at, s.first_fill_id) > (b.first_filled_at, b.first_fill_id)
        then b.first_fill_id else s.first_fill_id end,
      first_micros = case
        when b.fill_count > 0 and (s.first_filled_at, s.first_fill_id) > (b.first_filled_at, b.first_fill_id)
        then b.first_micros else s.first_micros end,
      last_filled_at = greatest(b.last_filled_at, s.last_filled_at),
      last_fill_id = case
        when b.fill_count > 0 and (s.last_filled_at, s.last_fill_id) < (b.last_filled_at, b.last_fill_id)
        then b.last_fill_id else s.last_fill_id end,
      last_micros = case
        when b.fill_count > 0 and (s.last_filled_at, s.last_fill_id) < (b.last_filled_at, b.last_fill_id)
        then b.last_micros else s.last_micros end,
      low_micros = least(b.low_micros, s.low_micros),
      high_micros = greatest(b.high_micros, s.high_micros),
      node_minutes = b.node_minutes + s.node_minutes,
      value_micros = b.value_micros + s.value_micros,
      cut_sixtieths = b.cut_sixtieths + s.cut_sixtieths,
      fill_count = b.fill_count + s.fill_count
    from (
      select f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at,
        min(f.filled_at) as first_filled_at,
        (array_agg(f.id order by f.filled_at, f.id))[1] as first_fill_id,
        (array_agg(f.price_micros order by f.filled_at, f.id))[1] as first_micros,
        max(f.filled_at) as last_filled_at,
        (array_agg(f.id order by f.filled_at desc, f.id desc))[1] as last_fill_id,
        (array_agg(f.price_micros order by f.filled_at desc, f.id desc))[1] as last_micros,
        min(f.price_micros) as low_micros,
        max(f.price_micros) as high_micros,
        sum(f.node_minutes) as node_minutes,
        sum(f.value_micros) as value_micros,
        sum((f.price_micros % 60) * (f.node_minutes % 60) % 60) as cut_sixtieths,
        count(*) as fill_count
      from added f
      cross join (values (60), (3600), (86400)) as w(seconds)
      where not f.related
      group by f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds
    ) s
    where b.sku_id = s.sku_id and b.seconds = s.seconds and b.start_at = s.start_at;
  end if;
  return null;
end
$$;
