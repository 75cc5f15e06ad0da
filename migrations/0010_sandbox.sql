-- What sandbox owns: faults, simulated hosts.

-- The world that was loaded last; no row until it is whole, so that one that was broken off is loaded anew.
create table sandbox_world (
  only_row boolean primary key default true check (only_row),
  scenario text not null,
  seed bigint not null,
  -- What is worth knowing of it, by what it is.
  ids jsonb not null
);

-- Disturbances of the HTTP edge, set on demand. Faults of hosts and machines stand with the simulated hosts.
create table sandbox_faults (
  id text collate "C" primary key,
  kind text collate "C" not null,
  -- What the fault says of itself, as it was sent, ids in place of paths.
  fields jsonb not null,
  times integer not null,
  ends_at bigint,
  hits integer not null default 0,
  created_at bigint not null,
  removed_at bigint
);

grant select, insert, update, delete on sandbox_world, sandbox_faults to bourse_app;

-- Hosts inside the process: what a real agent would know of itself.
create table sandbox_hosts (
  host_id text collate "C" primary key,
  -- Fixes its boot times.
  seed bigint not null,
  -- It makes no report since then, because of a fault.
  hidden_at bigint,
  -- It crashed and is back at that time.
  down_until bigint
);

-- The machines on hosts inside the process, as these see them.
create table sandbox_machines (
  host_id text collate "C" not null references sandbox_hosts (host_id) on delete cascade,
  instance_id text collate "C" not null,
  generation bigint not null,
  state text not null
    check (state in ('fetching', 'starting', 'running', 'start_failed', 'unhealthy', 'stopping', 'stopped')),
  reason text,
  next_at bigint,
  primary key (host_id, instance_id)
);

-- What goes wrong on hosts inside the process and their machines.
create table sandbox_machine_faults (
  id text collate "C" primary key,
  kind text not null
    check (kind in ('host_silent', 'host_crash', 'start_failure', 'checksum_mismatch', 'instance_unhealthy',
      'guest_shutdown')),
  host_id text collate "C",
  instance_id text collate "C",
  -- 0: as often as it can until it is removed.
  times integer not null,
  ends_at bigint,
  hits integer not null default 0,
  created_at bigint not null,
  removed_at bigint,
  check ((host_id is null) <> (instance_id is null))
);
create index sandbox_machine_faults_by_host on sandbox_machine_faults (host_id)
  where host_id is not null and removed_at is null;
create index sandbox_machine_faults_by_instance on sandbox_machine_faults (instance_id)
  where instance_id is not null and removed_at is null;

-- Number spaces of simulated hosts: their addresses.
create table sandbox_numbers (
  name text collate "C" primary key,
  last bigint not null
);
insert into sandbox_numbers (name, last) values ('hosts', 0), ('public_ipv4s', 0);

grant select, insert, update, delete on sandbox_hosts, sandbox_machines, sandbox_machine_faults, sandbox_numbers
  to bourse_app;
