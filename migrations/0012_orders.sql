-- What market owns: order books, orders, fills, promises.

-- The row is the one lock of a SKU's market: everything that changes owned or promised capacity of the SKU takes it.
create table books (
  sku_id text collate "C" primary key references skus (id),
  -- The transaction that made the row: tells it from one of the same SKU in a sandbox's former world.
  born bigint not null,
  version bigint not null default 0,
  last_seq bigint not null default 0,
  -- A later decision never has an earlier time.
  decided_at bigint not null default 0,
  halted boolean not null default false,
  halt_message text
) with (fillfactor = 50);

-- The whole market's halt. No row: never halted.
create table market_halt (
  only_row boolean primary key default true check (only_row),
  message text
);

-- Schedules are the edges of the algebra as JSON arrays: [minute, count, minute, count, …].
create table orders (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  pool_id text collate "C" not null references pools (id),
  sku_id text collate "C" not null references skus (id),
  side text not null check (side in ('buy', 'sell')),
  state text not null check (state in ('standing', 'partially_filled', 'filled', 'cancelled')),
  allow_standing boolean not null,
  allow_partial boolean not null,
  start_minute bigint not null,
  end_minute bigint not null,
  node_count integer not null,
  price_micros bigint not null,
  seq bigint not null,
  remaining jsonb not null,
  filled jsonb not null default '[]',
  lapsed boolean not null default false,
  filled_node_minutes bigint not null default 0,
  filled_value_micros bigint not null default 0,
  -- The book's version at the last change: what another process must catch up with.
  book_version bigint not null,
  managed_by text collate "C",
  created_by_token_id text collate "C",
  created_at bigint not null,
  filled_at bigint,
  cancelled_at bigint,
  cancel_reason text,
  check (start_minute < end_minute),
  unique (sku_id, seq)
);
create index orders_open on orders (sku_id, seq) where state in ('standing', 'partially_filled');
create index orders_changed on orders (sku_id, book_version);
create index orders_by_account on orders (account_id, created_at, id);
create index orders_by_start on orders (account_id, start_minute, id);
create index orders_open_by_pool on orders (pool_id) where state in ('standing', 'partially_filled');
create index orders_by_manager on orders (managed_by) where managed_by is not null;

create table fills (
  id text collate "C" primary key,
  sku_id text collate "C" not null,
  buy_order_id text collate "C" not null references orders (id),
  sell_order_id text collate "C" not null references orders (id),
  price_micros bigint not null,
  schedule jsonb not null,
  start_minute bigint not null,
  end_minute bigint not null,
  node_minutes bigint not null check (node_minutes > 0),
  value_micros bigint not null,
  fee_micros bigint not null,
  filled_at bigint not null
);
create index fills_by_buy on fills (buy_order_id, filled_at, id);
create index fills_by_sell on fills (sell_order_id, filled_at, id);
create index fills_by_sku on fills (sku_id, filled_at, id);

-- What resting sells of a pool have offered and not yet sold, as differences like pool_allocation.
create table pool_promise (
  pool_id text collate "C" not null references pools (id),
  sku_id text collate "C" not null,
  minute bigint not null,
  delta bigint not null,
  primary key (pool_id, sku_id, minute)
);

-- Counts of an account that its limits look at; under the lock of its money.
create table market_usage (
  account_id text collate "C" primary key,
  open_orders bigint not null default 0 check (open_orders >= 0),
  open_buy_node_minutes bigint not null default 0 check (open_buy_node_minutes >= 0)
) with (fillfactor = 70);

-- Allocation moved between two pools of an account, executed when it was made.
create table pool_transfers (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  from_pool_id text collate "C" not null references pools (id),
  to_pool_id text collate "C" not null references pools (id),
  -- Of the source.
  workspace_id text collate "C" not null,
  sku_id text collate "C" not null references skus (id),
  schedule jsonb not null,
  created_by_token_id text collate "C",
  created_at bigint not null
);
create index pool_transfers_by_account on pool_transfers (account_id, created_at, id);

grant select, insert on pool_transfers to bourse_app;
grant select, insert, update, delete on books, market_halt, orders, fills, pool_promise, market_usage to bourse_app;
