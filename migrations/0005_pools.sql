-- What market owns: pools and their allocation.

create table pools (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  kind text not null check (kind in ('market', 'originating', 'read_only')),
  tags jsonb,
  created_at bigint not null,
  deleted_at bigint
);
create index pools_by_account on pools (account_id, created_at, id) where deleted_at is null;
create index pools_by_workspace on pools (workspace_id) where deleted_at is null;
-- The first host of a workspace makes its one originating pool.
create unique index pools_one_supply on pools (workspace_id) where kind = 'originating' and deleted_at is null;

-- Owned capacity as differences by whole minute: a change touches at most two rows a step, however long the history.
create table pool_allocation (
  pool_id text collate "C" not null references pools (id),
  sku_id text collate "C" not null,
  minute bigint not null,
  delta bigint not null,
  primary key (pool_id, sku_id, minute)
);

grant select, insert, update, delete on pools, pool_allocation to bourse_app;
