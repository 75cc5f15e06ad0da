-- serves: 55
-- Credits that wait for a second operator.
create table pending_credits (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  type text collate "C" not null,
  amount_micros bigint not null check (amount_micros > 0),
  description text not null,
  state text collate "C" not null check (state in ('pending', 'approved', 'refused', 'expired')),
  -- The token that requested it, and its user if it was a session.
  requested_by_token_id text collate "C" not null,
  requested_by_user_id text collate "C",
  -- At the time of the request: that token, the tokens that it descends from, and the users behind them. The rows of
  -- sessions are deleted when they end.
  requested_by_lineage text[] collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  decided_by_token_id text collate "C",
  decided_by_user_id text collate "C",
  decided_at bigint,
  transaction_id text collate "C" unique,
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'approved') = (transaction_id is not null))
);
create index pending_credits_by_age on pending_credits (created_at, id);
create index pending_credits_by_state on pending_credits (state, created_at, id);
create index pending_credits_by_account on pending_credits (account_id, created_at, id);
grant select, insert, update on pending_credits to bourse_app;

-- Who approved a posting that needed a second operator: the user of a session, otherwise the token.
alter table posting_makers
  add column approved_by_token_id text collate "C",
  add column approved_by_user_id text collate "C";
