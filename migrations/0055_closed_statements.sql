-- serves: 54
-- Months that are closed, as their statements were then, so that no later program changes them and no later month adds
-- up what was before. Amounts are micro-dollars. Months without transactions have no row.
create table closed_statements (
  account_id text collate "C" not null,
  -- Seconds.
  month_start bigint not null,
  opening_micros numeric not null,
  closing_micros numeric not null,
  -- One for each SKU and workspace, and one with neither for postings.
  lines jsonb not null,
  closed_at bigint not null,
  primary key (account_id, month_start)
);
grant select, insert on closed_statements to bourse_app;

-- The months of an account before this time, in seconds, are closed. 0 before the first look.
alter table usage_folds add column open_month bigint not null default 0;

-- Folds do not change the column, so their updates stay in place.
-- step: outside a transaction
create index concurrently usage_folds_by_open_month on usage_folds (open_month);
