-- serves: 45
-- Limits of what an account or one of its workspaces may spend in a day, a month or in all. Changed only under the lock
-- of the account's money, so that the sums agree with the ledger and no two buys use the same room.
create table budgets (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  -- Null: the whole account.
  workspace_id text collate "C",
  name text,
  period text collate "C" not null check (period in ('day', 'month', 'total')),
  amount_micros bigint not null check (amount_micros > 0),
  thresholds_percent integer[] not null,
  threshold_basis text collate "C" not null check (threshold_basis in ('actual', 'forecast')),
  hard_stop boolean not null,
  -- The period that the sum of its fills belongs to, by its first second. A later one begins with the first change.
  period_start bigint not null,
  spent_micros bigint not null check (spent_micros >= 0),
  -- Thresholds that were reached in that period.
  reached_percent integer[] not null,
  -- Holds do not belong to a period.
  held_micros bigint not null check (held_micros >= 0),
  created_at bigint not null,
  updated_at bigint not null
) with (fillfactor = 70);
create index budgets_by_account on budgets (account_id, created_at, id);
grant select, insert, update, delete on budgets to bourse_app;
