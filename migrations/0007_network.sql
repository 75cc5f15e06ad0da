-- What network owns: firewalls, subnets with their addresses, InfiniBand partitions.

create table firewalls (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  is_default boolean not null default false,
  rules jsonb not null default '[]',
  tags jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index firewalls_by_account on firewalls (account_id, created_at, id) where deleted_at is null;
create unique index firewalls_one_default on firewalls (workspace_id) where is_default and deleted_at is null;

create table subnets (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  region text collate "C" not null,
  cidr text not null,
  -- Carries the subnet between hosts; fixed when it is made, never used again.
  vni integer not null unique check (vni between 1 and 16777215),
  tags jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index subnets_by_account on subnets (account_id, created_at, id) where deleted_at is null;
create index subnets_by_workspace on subnets (workspace_id) where deleted_at is null;

create table subnet_addresses (
  subnet_id text collate "C" not null references subnets (id),
  address bigint not null,
  instance_id text collate "C" not null,
  primary key (subnet_id, address)
);
create index subnet_addresses_by_instance on subnet_addresses (instance_id);

create table infiniband_partitions (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  infiniband_fabric text collate "C" not null,
  partition_key integer not null check (partition_key between 1 and 32766),
  tags jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create index infiniband_partitions_by_account on infiniband_partitions (account_id, created_at, id)
  where deleted_at is null;
create index infiniband_partitions_by_workspace on infiniband_partitions (workspace_id) where deleted_at is null;
create unique index infiniband_partitions_by_key on infiniband_partitions (infiniband_fabric, partition_key)
  where deleted_at is null;

-- Number spaces that are handed out one by one and never taken back.
create table network_numbers (
  name text collate "C" primary key,
  last bigint not null
);
insert into network_numbers (name, last) values ('vni', 0);

grant select, insert, update, delete on firewalls, subnets, subnet_addresses, infiniband_partitions, network_numbers
  to bourse_app;
