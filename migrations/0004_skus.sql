-- What market owns of SKUs: the offerings, the catalogue of property values, what differs for single accounts.

-- Properties as they are shown, {"region": {"value": …, "display_value": …}, …}.
create table skus (
  id text collate "C" primary key,
  alias text collate "C" not null,
  properties jsonb not null,
  listed boolean not null,
  flat_fee_micros bigint not null check (flat_fee_micros >= 0),
  fee_bps integer not null check (fee_bps between 0 and 10000),
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create unique index skus_by_alias on skus (alias) where deleted_at is null;

create table sku_property_values (
  property text collate "C" not null,
  name text collate "C" not null,
  display_name text not null,
  description text not null,
  documentation_link text,
  deprecated_at bigint,
  deprecation_info text,
  primary key (property, name)
);

create table sku_overrides (
  account_id text collate "C" not null,
  sku_id text collate "C" not null references skus,
  properties jsonb not null,
  updated_at bigint not null,
  primary key (account_id, sku_id)
);

-- Accounts that own or owned allocation of a SKU, and so see it even if it is unlisted.
create table sku_holdings (
  account_id text collate "C" not null,
  sku_id text collate "C" not null references skus,
  primary key (account_id, sku_id)
);

grant select, insert, update, delete on skus, sku_property_values, sku_overrides, sku_holdings to bourse_app;
