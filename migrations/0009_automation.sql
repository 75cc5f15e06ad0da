-- What automation owns: deployments.

create table deployments (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  kind text not null check (kind in ('generic', 'spot')),
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  instance_template_id text collate "C" not null,
  enabled boolean not null,
  target_instance_count integer not null check (target_instance_count between 0 and 10000),
  instance_name_template text not null,
  max_buy_price_micros bigint,
  status_state text not null,
  status_code text not null,
  status_message text not null,
  failures integer not null default 0,
  retry_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index deployments_by_account on deployments (account_id, created_at, id) where deleted_at is null;
create index deployments_by_pool on deployments (pool_id, sku_id) where deleted_at is null;
create index deployments_by_template on deployments (instance_template_id) where deleted_at is null;
create index deployments_by_workspace on deployments (workspace_id) where deleted_at is null;

grant select, insert, update, delete on deployments to bourse_app;
