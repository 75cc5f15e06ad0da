-- What core owns: the clock, deadlines, idempotency keys, the event log's tables, versions.

-- One row where the sandbox is on, none in production. The shown time runs from business_anchor since real_anchor.
create table sandbox_clock (
  only_row boolean primary key default true check (only_row),
  real_anchor numeric(20, 6) not null,
  business_anchor_ms bigint not null,
  rate integer not null default 1 check (rate between 1 and 86400),
  frozen boolean not null default false
);

-- Deadlines and wake-ups of reconcilers, alike. Written only in the commit flight of a command.
create table due (
  kind text collate "C" not null,
  key text collate "C" not null,
  due_at bigint not null,
  wakes bigint not null default 1,
  attempt integer not null default 0,
  last_error text,
  primary key (kind, key)
);
create index due_by_time on due (due_at, kind, key);

-- Real time in seconds. The one place that reads the machine's clock.
create function bourse_real_now() returns numeric language sql volatile
  as $$ select extract(epoch from clock_timestamp()) $$;

-- The business clock in milliseconds: real time in production; in the sandbox shifted, and never beyond the second of
-- the oldest row of due, so that no due work is overtaken. Within that second it runs, or ids made in it would not
-- rise.
create function bourse_now_ms() returns bigint language plpgsql volatile as $$
declare
  clock sandbox_clock;
  shown bigint;
  oldest bigint;
begin
  select * into clock from sandbox_clock;
  if not found then
    return floor(bourse_real_now() * 1000);
  end if;
  shown := clock.business_anchor_ms;
  if not clock.frozen then
    shown := shown + floor(greatest(bourse_real_now() - clock.real_anchor, 0) * clock.rate * 1000);
  end if;
  select min(due_at) into oldest from due;
  return least(shown, oldest * 1000 + 999);
end
$$;

create function bourse_now() returns bigint language sql volatile
  as $$ select bourse_now_ms() / 1000 $$;

-- The real day, which the partitions of the event log go by.
create function bourse_today() returns date language sql volatile
  as $$ select (clock_timestamp() at time zone 'UTC')::date $$;

create table idempotency_keys (
  account_id text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  token_id text collate "C",
  status integer,
  body text,
  asked jsonb,
  created_at bigint not null default 0,
  primary key (account_id, operation, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table event_counters (
  account_id text collate "C" primary key,
  position bigint not null default 0,
  occurred_at bigint not null default 0
) with (fillfactor = 50);

-- Unique by (account_id, position) through the counter: no unique key can span partitions; the auditor checks it.
create table events (
  account_id text collate "C" not null,
  position bigint not null,
  stored_on date not null,
  occurred_at bigint not null,
  id text collate "C" not null,
  action text collate "C" not null,
  actor_token_id text collate "C",
  target_type text collate "C" not null,
  target_id text collate "C" not null,
  workspace_id text collate "C",
  body text not null
) partition by range (stored_on);

create table versions (
  name text collate "C" primary key,
  value bigint not null
);

create table installation (
  only_row boolean primary key default true check (only_row),
  id text not null,
  mode text not null check (mode in ('sandbox', 'production')),
  created_at bigint not null
);

-- The readable status row of each reconciler.
create table reconcilers (
  kind text collate "C" primary key,
  last_run_at bigint,
  took_ms integer not null default 0,
  runs bigint not null default 0,
  failures bigint not null default 0,
  last_error text
);

grant select, insert, update, delete on sandbox_clock, due, idempotency_keys, event_counters, versions, installation,
  reconcilers to bourse_app;
grant select, insert on events to bourse_app;

-- What readiness compares with the number of migrations that the program knows.
grant select on schema_migrations to bourse_app;
