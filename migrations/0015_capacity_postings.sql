-- What changes owned capacity beside fills and transfers, so that what a pool owns is always the sum of its causes.

-- Append-only. Differences like pool_allocation: hosts put in and withdrawn, what the operator grants out of a supply,
-- what the sandbox takes back, and what was there before this table was.
create table capacity_postings (
  id bigint generated always as identity primary key,
  cause text collate "C" not null check (cause in ('host', 'grant', 'preemption', 'opening')),
  pool_id text collate "C" not null references pools (id),
  sku_id text collate "C" not null,
  minute bigint not null,
  delta bigint not null,
  created_at bigint not null
);

insert into capacity_postings (cause, pool_id, sku_id, minute, delta, created_at)
select 'opening', pool_id, sku_id, minute, sum(delta)::bigint, 0 from (
  select pool_id, sku_id, minute, delta from pool_allocation
  union all
  select m.pool_id, m.sku_id, d.minute, -m.sign * d.delta from (
    select b.pool_id, f.sku_id, f.schedule, 1 as sign from fills f join orders b on b.id = f.buy_order_id
    union all
    select s.pool_id, f.sku_id, f.schedule, -1 from fills f join orders s on s.id = f.sell_order_id
    union all
    select to_pool_id, sku_id, schedule, 1 from pool_transfers
    union all
    select from_pool_id, sku_id, schedule, -1 from pool_transfers
  ) m cross join lateral (
    select (m.schedule ->> (2 * i))::bigint as minute,
      (m.schedule ->> (2 * i + 1))::bigint
        - case when i = 0 then 0 else (m.schedule ->> (2 * i - 1))::bigint end as delta
    from generate_series(0, jsonb_array_length(m.schedule) / 2 - 1) as i
  ) d
) every group by pool_id, sku_id, minute having sum(delta) <> 0 order by pool_id, sku_id, minute;

grant select, insert on capacity_postings to bourse_app;
