-- serves: 55
-- Versions of the agent. The archives lie here, not in the store of images: they are small and few, every replica has
-- them, and one that is listed is there.
create table agent_bundles (
  id text collate "C" primary key,
  version text collate "C" not null unique,
  manifest text not null,
  signature text not null,
  signer text not null,
  sha256 text collate "C" not null,
  content bytea not null,
  created_at bigint not null
);
create index agent_bundles_by_age on agent_bundles (created_at, id);
create index agent_bundles_by_digest on agent_bundles (sha256);
grant select, insert, delete on agent_bundles to bourse_app;

-- What hosts and their updaters report about the agent, and whether it is pinned. Times are of the real clock.
create table host_agents (
  host_id text collate "C" primary key references hosts (id),
  commit text,
  version_at bigint,
  managed_by text collate "C" check (managed_by in ('updater', 'package', 'none')),
  updater_version text,
  updater_at bigint,
  is_pinned boolean not null default false
);
grant select, insert, update on host_agents to bourse_app;

-- A rollout of a version. Those of a rollback have versions of their own for each host.
create table agent_rollouts (
  id text collate "C" primary key,
  version text collate "C" not null,
  rolls_back text collate "C" references agent_rollouts (id),
  state text collate "C" not null check (state in ('running', 'halted', 'completed', 'cancelled')),
  halt_reason text collate "C",
  halt_message text,
  groups jsonb not null,
  -- The group whose turn it is: its place in the list, from 0 on. Behind the last one: all had their turn.
  turn integer not null default 0,
  health_seconds integer not null,
  return_seconds integer not null,
  hosts_at_once integer not null,
  created_at bigint not null,
  ended_at bigint,
  -- By the real clock, as all that hosts do.
  began_at bigint not null,
  check ((state = 'halted') = (halt_reason is not null))
);
create index agent_rollouts_by_age on agent_rollouts (created_at, id);
create index agent_rollouts_by_state on agent_rollouts (state, created_at, id);
create unique index agent_rollouts_in_progress on agent_rollouts ((true)) where state in ('running', 'halted');
grant select, insert, update on agent_rollouts to bourse_app;

create table agent_rollout_hosts (
  rollout_id text collate "C" not null references agent_rollouts (id),
  host_id text collate "C" not null references hosts (id),
  -- The place of its group, and its own in the order of all hosts.
  turn integer not null,
  place integer not null,
  -- The SKU of the host and its InfiniBand fabric: hosts that share one of them take turns.
  sku_id text collate "C" not null,
  fabric text,
  state text collate "C" not null check (state in ('pending', 'updating', 'updated', 'failed', 'skipped')),
  from_version text collate "C",
  to_version text collate "C" not null,
  -- How often an update has begun. With the rollout it is the key of the update.
  attempt integer not null default 0,
  reason text,
  -- By the real clock: when the update began, and since when the host has been well with the new version.
  began_at bigint,
  well_since bigint,
  -- The instances that ran on it when the update began, and whether it had a problem.
  instance_ids text[] collate "C",
  health_message text,
  -- What the updater said about this attempt.
  failure text,
  primary key (rollout_id, host_id)
);
create index agent_rollout_hosts_by_host on agent_rollout_hosts (host_id);
grant select, insert, update on agent_rollout_hosts to bourse_app;
