-- What billing owns: the double-entry ledger, balances, transactions, holds.

-- Cached folds of the ledger, one row for each account that ever had money. The row is the lock on an account's money.
create table money_accounts (
  account_id text collate "C" primary key,
  credit_micros bigint not null default 0,
  held_micros bigint not null default 0 check (held_micros >= 0),
  credit_limit_micros bigint not null default 0 check (credit_limit_micros >= 0),
  updated_at bigint not null,
  check (credit_micros >= -credit_limit_micros)
) with (fillfactor = 70);

-- Append-only. The legs of each transfer add to zero. Customers have the books credit and held, the operator fees and
-- funding, which have no balance row: every fill would queue on it.
create table ledger (
  id bigint generated always as identity primary key,
  cause_kind text collate "C" not null check (cause_kind in ('admission', 'fill', 'release', 'posting')),
  cause_id text collate "C" not null,
  part bigint not null,
  leg integer not null,
  account_id text collate "C",
  book text collate "C" not null check (book in ('credit', 'held', 'fees', 'funding')),
  amount_micros bigint not null,
  -- Of that book of that account; null for the operator's.
  balance_after_micros bigint,
  created_at bigint not null,
  check ((account_id is null) = (book in ('fees', 'funding'))),
  unique (cause_kind, cause_id, part, leg)
);
create index ledger_by_account on ledger (account_id, id) where account_id is not null;

-- What an account sees of it: one row for each fill and side, and for each posting. Append-only.
create table ledger_transactions (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  type text collate "C" not null,
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  fee_micros bigint not null default 0,
  order_id text collate "C",
  fill_id text collate "C",
  workspace_id text collate "C",
  description text,
  created_at bigint not null
);
create index ledger_transactions_by_account on ledger_transactions (account_id, created_at, id);
create index ledger_transactions_by_order on ledger_transactions (order_id) where order_id is not null;

-- One row for each open buy order.
create table holds (
  id text collate "C" primary key,
  order_id text collate "C" not null unique,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  amount_micros bigint not null check (amount_micros >= 0),
  created_at bigint not null
);
create index holds_by_account on holds (account_id, created_at, id);

grant select, insert, update, delete on money_accounts, holds to bourse_app;
grant select, insert on ledger, ledger_transactions to bourse_app;
