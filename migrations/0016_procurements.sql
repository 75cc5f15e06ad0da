-- Procurements, and which automation, at most one, orders for a pool and SKU.

create table mandates (
  pool_id text collate "C" not null references pools (id),
  sku_id text collate "C" not null references skus (id),
  -- A procurement or a spot deployment.
  holder_id text collate "C" not null unique,
  primary key (sku_id, pool_id)
);

create table procurements (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  pool_id text collate "C" not null references pools (id),
  sku_id text collate "C" not null references skus (id),
  -- Null: as many as the pool has live instances of the SKU.
  target integer check (target between 0 and 10000),
  min_sell_price_micros bigint not null,
  -- Null on an originating pool, which only sells.
  max_buy_price_micros bigint,
  managed_window_minutes integer not null check (managed_window_minutes between 1 and 129600),
  enabled boolean not null,
  status_state text not null,
  status_code text not null,
  status_message text not null,
  failures integer not null default 0,
  retry_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index procurements_by_account on procurements (account_id, created_at, id) where deleted_at is null;
create index procurements_by_pool on procurements (pool_id, sku_id) where deleted_at is null;
create index procurements_by_sku on procurements (sku_id) where deleted_at is null;
create index procurements_by_workspace on procurements (workspace_id) where deleted_at is null;

grant select, insert, update, delete on mandates, procurements to bourse_app;
