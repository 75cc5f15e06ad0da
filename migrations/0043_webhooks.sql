-- serves: 42
-- Webhooks: cursors over the logs of accounts, which servers move by delivering events to a URL, and rows for what was
-- not delivered at once.

-- The servers that deliver. Leases go by the real clock.
create table webhook_workers (
  id text collate "C" primary key,
  lease_until numeric not null
);

create table webhooks (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  url text not null,
  description text,
  actions text[] not null,
  target_types text[] not null,
  targets text[] not null,
  ordering text not null check (ordering in ('none', 'per_target')),
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('gone', 'failures', 'user')),
  -- Every event up to this place was delivered, is not wanted, or has a delivery.
  position bigint not null,
  position_at bigint not null,
  -- A second cursor, which ends at replay_until. Null where nothing is replayed.
  replay_position bigint,
  replay_position_at bigint,
  replay_until bigint,
  replay_until_at bigint,
  -- Failed attempts in a row, and when the first of them was.
  failures integer not null default 0,
  failures_since bigint,
  is_failing boolean not null default false,
  last_success_at bigint,
  last_failure_at bigint,
  -- Until when the receiver asked to be left alone.
  paused_until bigint,
  -- The earliest attempt of its pending deliveries.
  next_attempt_at bigint,
  -- Sealed (AES-256-GCM), with the account and the webhook.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until bigint,
  -- The server that delivers for it. The epoch rises with each change of it, and writes of an earlier one are refused.
  worker_id text collate "C",
  epoch bigint not null default 0,
  -- Rises with each change that the server has to know.
  revision bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  check (enabled = (disabled_reason is null)),
  check ((failures = 0) = (failures_since is null)),
  check ((replay_position is null) = (replay_until is null)),
  check (replay_position < replay_until)
);
create index webhooks_by_age on webhooks (account_id, created_at, id) where deleted_at is null;
create index webhooks_by_worker on webhooks (worker_id) where deleted_at is null;
create index webhooks_by_next_attempt on webhooks (worker_id, next_attempt_at)
  where deleted_at is null and next_attempt_at is not null;
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;

create table webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null references webhooks (id),
  origin text not null check (origin in ('event', 'replay', 'redelivery', 'test')),
  -- The event, as in the log. Null for a test.
  event_id text collate "C",
  position bigint,
  occurred_at bigint,
  action text collate "C",
  target_id text collate "C",
  body text,
  state text not null check (state in ('pending', 'succeeded', 'failed')),
  attempts jsonb not null default '[]',
  -- Null where it is final, or waits for an earlier delivery of its target.
  next_attempt_at bigint,
  created_at bigint not null,
  check ((origin = 'test') = (event_id is null)),
  check (state = 'pending' or next_attempt_at is null)
);
-- An event is first attempted once. A server that repeats events after a crash adds no second row.
create unique index webhook_deliveries_of_events on webhook_deliveries (webhook_id, position) where origin = 'event';
create index webhook_deliveries_by_age on webhook_deliveries (webhook_id, created_at, id);
create index webhook_deliveries_by_event on webhook_deliveries (webhook_id, event_id);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_attempt_at, position)
  where state = 'pending';
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, target_id, position)
  where state = 'pending' and target_id is not null;

grant select, insert, update, delete on webhook_workers, webhooks, webhook_deliveries to bourse_app;
