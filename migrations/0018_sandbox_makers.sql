-- Simulated accounts that buy and sell a SKU of a sandbox.
create table sandbox_makers (
  sku_id text collate "C" primary key,
  -- Fixes its prices and trades.
  seed bigint not null,
  base_price_micros bigint not null check (base_price_micros > 0),
  began_minute bigint not null,
  nodes integer not null check (nodes > 0),
  enabled boolean not null,
  -- Of the account that offers, and of the one that trades with whoever does.
  desk_pool_id text collate "C" not null,
  trader_pool_id text collate "C" not null,
  created_at bigint not null
);

grant select, insert, update, delete on sandbox_makers to bourse_app;
