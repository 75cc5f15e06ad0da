-- serves: 55
-- The audit trail: who did what. The program may append to it, and neither change nor remove rows.
create table audit_entries (
  -- The real date, which no sandbox clock changes. Months are partitions, which the upkeep creates and drops.
  stored_on date not null,
  -- The transaction that wrote it: history * 2^48 + transaction id. Seals divide the trail by it, because no
  -- transaction below the oldest one in progress can still commit.
  write_order bigint not null,
  account_id text collate "C" not null,
  occurred_at bigint not null,
  id text collate "C" not null,
  operation text collate "C" not null,
  actor_id text collate "C",
  outcome text collate "C" not null,
  target_ids text[] collate "C" not null,
  -- The entry as the API shows it.
  body text collate "C" not null
) partition by range (stored_on);
create index audit_entries_in_order on audit_entries (account_id, occurred_at, id);
create index audit_entries_of_all on audit_entries (occurred_at, id);
create index audit_entries_by_write on audit_entries using brin (write_order) with (
  autosummarize = on, pages_per_range = 32
);
grant select, insert on audit_entries to bourse_app;

-- A seal covers all entries from the end of the one before up to its own. Each is signed and holds the digest of the
-- one before, so neither can be changed without the signing key.
create table audit_seals (
  number bigint primary key,
  -- Random for each chain: a reset of a sandbox begins another.
  chain text collate "C" not null,
  sealed_at bigint not null,
  -- The first write order that it does not cover.
  until bigint not null,
  -- For each month of entries: `{month, entries, digest}`.
  parts jsonb not null,
  digest bytea not null,
  key_id text collate "C" not null,
  signature bytea not null
);
grant select, insert on audit_seals to bourse_app;
