-- The histories of the database. A promotion or a restore may lose commits that servers, agents and followers of the
-- event log have already seen. Before anything else is written then, a row is inserted here: commits of the earlier
-- history count only as far as the tables show them now.

create table histories (
  number integer primary key check (number > 0),
  -- The server on which the history began: its cluster, and the timeline that each promotion raises.
  system_identifier text not null,
  timeline bigint not null,
  reason text not null check (reason in ('first', 'promotion', 'other_cluster', 'evidence')),
  -- Real time in seconds.
  recorded_at bigint not null,
  -- What proved that commits are missing, where neither cluster nor timeline changed.
  evidence text
);

-- The position of each account's last event when a history began. Cursors of earlier histories are good up to it.
create table history_positions (
  account_id text collate "C" not null,
  history integer not null references histories,
  position bigint not null,
  -- The highest later position that a server had read before, where it is known. Those events are lost.
  seen_position bigint,
  primary key (account_id, history)
);
create index history_positions_by_history on history_positions (history);

-- The history in which a key seals cursors.
alter table cursor_keys add column history integer not null default 1;

grant select, insert on histories to bourse_app;
grant select, insert, delete on history_positions to bourse_app;
grant update (seen_position) on history_positions to bourse_app;
