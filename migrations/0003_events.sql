-- What events owns: indexes and partitions of the log, generations of cursor keys.

-- Along the log of an account occurred_at never falls, so (occurred_at, position) is its order, and a cursor (which
-- carries both), since, until and the edge of retention bound one range of one index. Every set of filters and of
-- visible workspaces has an index in which its events lie together; account events count as workspace ''.
create index events_in_order on events (account_id, occurred_at, position);
create index events_by_workspace on events (account_id, coalesce(workspace_id, ''), occurred_at, position);
create index events_by_action on events (account_id, action, coalesce(workspace_id, ''), occurred_at, position);
create index events_by_target_type
  on events (account_id, target_type, coalesce(workspace_id, ''), occurred_at, position);
create index events_by_target on events (account_id, target_id, occurred_at, position);
-- Tells whether a day holds anything young, without reading the day.
create index events_by_age on events using brin (occurred_at) with (autosummarize = on);

-- An ended generation still recognises its cursors, to answer them with 410. Rows are never removed.
create table cursor_keys (
  key_id integer primary key check (key_id between 0 and 65535),
  ended boolean not null default false,
  created_at bigint not null
);

grant select, insert, update on cursor_keys to bourse_app;
