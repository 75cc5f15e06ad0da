-- What fleet owns: hosts, what should and does run on them, instance templates, instances.

create table hosts (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  sku_id text collate "C" not null,
  pool_id text collate "C" not null,
  state text not null check (state in ('active', 'cordoned', 'draining', 'drained', 'retired')),
  health text not null check (health in ('healthy', 'unreachable', 'faulted')),
  slots integer not null check (slots between 1 and 64),
  -- Rows of machines on it; kept with them under the host's lock, so that full hosts cost a search for slots nothing.
  used_slots integer not null default 0 check (used_slots between 0 and slots),
  -- Raised when the same key enrols again; reports of an older one are refused.
  epoch integer not null default 1,
  -- Raised with each change of what should run here.
  generation bigint not null default 0,
  reported_generation bigint not null default 0,
  agent_version text,
  facts jsonb not null default '{}',
  -- Hosts inside the process live by due rows on the business clock, all others by the real clock.
  is_simulated boolean not null default false,
  -- Null: a host inside the process that no fault hides, which is seen at any moment.
  last_seen_at bigint,
  drain_deadline_at bigint,
  supply_ends_at bigint,
  created_at bigint not null,
  retired_at bigint
);
create index hosts_by_account on hosts (account_id, created_at, id);
create index hosts_by_sku on hosts (sku_id) where state <> 'retired';
create index hosts_open on hosts (sku_id) where state = 'active' and health = 'healthy' and used_slots < slots;
create index hosts_by_last_report on hosts (last_seen_at) where not is_simulated and state <> 'retired';

-- One pool and SKU whose instances are placed together; the row that a placement step locks.
create table placements (
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  checked_at bigint not null default 0,
  -- It had allocation left for an instance that found no slot.
  wants_slot boolean not null default false,
  primary key (pool_id, sku_id)
);
create index placements_wanting on placements (sku_id) where wants_slot;

create table instance_templates (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  image_id text collate "C" not null,
  priority_level text not null,
  enable_public_ipv4 boolean not null,
  firewall_id text collate "C",
  subnet_id text collate "C",
  infiniband_partition_id text collate "C",
  tags jsonb,
  user_data_used boolean not null,
  created_at bigint not null,
  deleted_at bigint,
  check (firewall_id is null or enable_public_ipv4)
);
create index instance_templates_by_account on instance_templates (account_id, created_at, id) where deleted_at is null;
create index instance_templates_by_workspace on instance_templates (workspace_id) where deleted_at is null;
create index instance_templates_by_firewall on instance_templates (firewall_id) where deleted_at is null;
create index instance_templates_by_image on instance_templates (image_id) where deleted_at is null;
create index instance_templates_by_subnet on instance_templates (subnet_id) where deleted_at is null;
create index instance_templates_by_partition on instance_templates (infiniband_partition_id) where deleted_at is null;

create table instances (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  image_id text collate "C" not null,
  state text not null check (state in ('awaiting_allocation', 'running', 'failed', 'terminated')),
  priority_level text not null check (priority_level in ('yield', 'normal', 'preferred', 'critical')),
  enable_public_ipv4 boolean not null default false,
  firewall_id text collate "C",
  subnet_id text collate "C",
  infiniband_partition_id text collate "C",
  private_ip text,
  public_ip text,
  mac text not null,
  tags jsonb,
  user_data_used boolean not null default false,
  deployment_id text collate "C",
  deployment_slot integer,
  replaces text collate "C",
  replaced_by text collate "C",
  -- Of a successor that was never placed: where its predecessor stands or stood, which is the slot that it waits for.
  replaces_host_id text collate "C",
  replaces_slot integer,
  notice_at bigint,
  deadline_at bigint,
  notice_reason text,
  connection_lost_at bigint,
  failed_at bigint,
  running_at bigint,
  terminated_at bigint,
  termination_reason text,
  created_at bigint not null,
  updated_at bigint not null,
  -- A record that is gone for everybody while its machine has not confirmed its stop: the row goes with the machine.
  deleted_at bigint,
  check ((state = 'terminated') = (terminated_at is not null))
);
-- Not partial: a look-up by id that leaves out what is gone would be planned as a walk through such an index.
create index instances_by_account on instances (account_id, created_at, id);
create index instances_by_workspace on instances (workspace_id, created_at, id);
create index instances_living_by_pool on instances (pool_id, sku_id) where state <> 'terminated';
create index instances_waiting on instances (sku_id, pool_id, created_at) where state = 'awaiting_allocation';
create index instances_by_deadline on instances (deadline_at) where state <> 'terminated' and deadline_at is not null;
create index instances_living_by_firewall on instances (firewall_id)
  where state <> 'terminated' and firewall_id is not null;
create index instances_living_by_image on instances (image_id) where state <> 'terminated';
create index instances_living_by_subnet on instances (subnet_id) where state <> 'terminated' and subnet_id is not null;
create index instances_living_by_partition on instances (infiniband_partition_id)
  where state <> 'terminated' and infiniband_partition_id is not null;
create index instances_by_deployment on instances (deployment_id) where deployment_id is not null;
-- A fleet's slot holds at most one living instance.
create unique index instances_one_per_slot on instances (deployment_id, deployment_slot)
  where state <> 'terminated' and deployment_id is not null;
-- An instance is replaced at most once, by one that replaces nothing else.
create unique index instances_by_successor on instances (replaced_by) where replaced_by is not null;
create unique index instances_by_public_ip on instances (public_ip) where public_ip is not null;

-- Start-up data, sealed (AES-256-GCM). `owner_id` is an instance or a template.
create table user_data (
  owner_id text collate "C" primary key,
  account_id text collate "C" not null,
  key_id integer not null,
  sealed bytea not null
);

-- An instance's place on a host, from the moment a slot is claimed until the host reports the machine gone. As long as
-- it is there the instance's row stays, even deleted: no stop is forgotten before it was confirmed.
create table machines (
  instance_id text collate "C" primary key references instances (id),
  host_id text collate "C" not null references hosts (id),
  slot integer not null,
  generation bigint not null,
  action text not null check (action in ('run', 'stop')),
  -- What the host reported last; null before its first word.
  state text check (state in ('fetching', 'starting', 'running', 'start_failed', 'unhealthy', 'stopped')),
  reason text,
  start_failures integer not null default 0,
  ssh jsonb,
  claimed_at bigint not null,
  reported_at bigint,
  unique (host_id, slot)
);
create index machines_unreported on machines (host_id) where reported_at is null;

grant select, insert, update, delete on hosts, placements, instance_templates, instances, user_data, machines
  to bourse_app;
