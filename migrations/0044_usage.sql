-- serves: 44
-- What accounting owns: usage by pool, SKU and hour, and what each purchase still costs whom.

-- One order of everything that moves capacity an account paid for. A number is taken under the lock of the SKU's book,
-- and of the account's money where there is a transaction, so for one SKU, and for the transactions of one account,
-- rising numbers are the order of the commits.
create sequence move_positions;
grant usage on sequence move_positions to bourse_app;

alter table ledger_transactions add column position bigint;
-- locks: each transaction is numbered once, and trades wait meanwhile.
update ledger_transactions t set position = n.position
from (
  select id, row_number() over (
    order by created_at, case type when 'buy_fill' then 0 when 'sell_fill' then 2 else 1 end, id
  ) as position
  from ledger_transactions
) n
where n.id = t.id;
-- locks: nothing
select setval('move_positions', (select coalesce(max(position), 0) + 1 from ledger_transactions));
alter table ledger_transactions alter column position set default nextval('move_positions');
-- locks: as above
alter table ledger_transactions alter column position set not null;

-- How far the transactions of an account are folded into its usage. The row is the lock of the fold; the version tells
-- a read that a fold ran in between.
create table usage_folds (
  account_id text collate "C" primary key,
  position bigint not null default 0,
  version bigint not null default 0
) with (fillfactor = 50);

-- What changes usage without a transaction: transfers, which carry costs along, and differences of what a pool owns and
-- of the instances that run in it. A fold removes what it has counted.
create table usage_changes (
  id bigint generated always as identity primary key,
  position bigint not null default nextval('move_positions'),
  account_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('transfer', 'owned', 'running')),
  pool_id text collate "C" not null,
  to_pool_id text collate "C",
  sku_id text collate "C" not null,
  minute bigint,
  delta bigint,
  schedule jsonb,
  check ((kind = 'transfer') = (schedule is not null and to_pool_id is not null)),
  check ((kind = 'transfer') = (minute is null and delta is null))
);
create index usage_changes_by_account on usage_changes (account_id, id);

-- One row for each purchase and pool that holds some of it. `purchase` is the position of the buyer's transaction.
-- Boxes are the node-minutes that are left, `[[start, end, low, high], …]`: the nodes low to high of the purchase in
-- these minutes; null stands for all. What is folded into usage_hours ends before counted_minute.
create table cost_lots (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  purchase bigint not null,
  fill_id text collate "C" not null,
  value_micros bigint not null,
  node_minutes bigint not null,
  shape jsonb not null,
  boxes jsonb,
  start_minute bigint not null,
  end_minute bigint not null,
  left_minutes bigint not null check (left_minutes >= 0),
  -- What the node-minutes that are left cost, and what those that were sold from here had cost.
  cost_micros bigint not null check (cost_micros >= 0),
  sold_micros bigint not null check (sold_micros >= 0),
  counted_minute bigint not null
) with (fillfactor = 80);
create index cost_lots_by_place on cost_lots (pool_id, sku_id, end_minute);
-- Exports read the lots of a pool and SKU in the order of their purchases.
create index cost_lots_by_purchase on cost_lots (pool_id, sku_id, purchase, id);
create index cost_lots_by_fill on cost_lots (fill_id);
create index cost_lots_uncounted on cost_lots (account_id, counted_minute) where counted_minute < end_minute;

-- Sums by hour. `owned_minutes` are the node-minutes that changes of this hour add to it, `owned_nodes` what they add
-- to every later hour; so a change touches two rows at most, however long it lasts. The same for instances that run.
create table usage_hours (
  account_id text collate "C" not null,
  hour bigint not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  bought_micros numeric not null default 0,
  sold_micros numeric not null default 0,
  fee_micros numeric not null default 0,
  cost_micros numeric not null default 0,
  owned_minutes bigint not null default 0,
  owned_nodes bigint not null default 0,
  run_minutes bigint not null default 0,
  run_nodes bigint not null default 0,
  primary key (account_id, hour, pool_id, sku_id)
) with (fillfactor = 80);

grant select, insert, update, delete on usage_folds, usage_changes, cost_lots, usage_hours to bourse_app;

-- Triggers, because a program of an earlier version may serve during an upgrade.
create function note_transfer() returns trigger language plpgsql as $$
begin
  insert into usage_changes (account_id, kind, pool_id, to_pool_id, sku_id, schedule)
  values (new.account_id, 'transfer', new.from_pool_id, new.to_pool_id, new.sku_id, new.schedule);
  return null;
end
$$;
create trigger note_transfer after insert on pool_transfers for each row execute function note_transfer();

create function note_capacity() returns trigger language plpgsql as $$
begin
  insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
  select p.account_id, 'owned', new.pool_id, new.sku_id, new.minute, new.delta
  from pools p
  where p.id = new.pool_id;
  return null;
end
$$;
create trigger note_capacity after insert on capacity_postings for each row execute function note_capacity();

-- An instance uses the minute in which it begins to run, and the one in which it ends.
create function note_running() returns trigger language plpgsql as $$
declare
  was_running boolean := tg_op = 'UPDATE' and old.running_at is not null and old.terminated_at is null;
  is_running boolean := new.running_at is not null and new.terminated_at is null;
begin
  if is_running and not was_running then
    insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
    values (new.account_id, 'running', new.pool_id, new.sku_id, new.running_at / 60, 1);
  elsif was_running and not is_running then
    insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
    values (old.account_id, 'running', old.pool_id, old.sku_id,
      greatest((new.terminated_at + 59) / 60, old.running_at / 60 + 1), -1);
  end if;
  return null;
end
$$;
create trigger note_running after insert or update of running_at, terminated_at on instances
  for each row execute function note_running();

-- What was there before.
insert into usage_changes (position, account_id, kind, pool_id, to_pool_id, sku_id, schedule)
select coalesce((
    select max(t.position) from ledger_transactions t where t.account_id = p.account_id and t.created_at <= p.created_at
  ), 0), p.account_id, 'transfer', p.from_pool_id, p.to_pool_id, p.sku_id, p.schedule
from pool_transfers p
order by p.created_at, p.id;
insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
select p.account_id, 'owned', c.pool_id, c.sku_id, c.minute, c.delta
from capacity_postings c
join pools p on p.id = c.pool_id
order by c.id;
insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
select i.account_id, 'running', i.pool_id, i.sku_id, d.minute, d.delta
from instances i
cross join lateral (
  select i.running_at / 60 as minute, 1 as delta
  union all
  select greatest((i.terminated_at + 59) / 60, i.running_at / 60 + 1), -1 where i.terminated_at is not null
) d
where i.running_at is not null;
-- step: outside a transaction
create index concurrently ledger_transactions_by_position on ledger_transactions (account_id, position);
-- Postings are few, and statements add them up.
-- step: outside a transaction
create index concurrently ledger_transactions_posted on ledger_transactions (account_id, created_at)
  where fill_id is null;
