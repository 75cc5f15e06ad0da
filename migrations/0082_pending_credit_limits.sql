-- serves: 55
-- What waits for a second operator may also be a credit limit: `amount_micros` is then the limit, and this the one that
-- there was at the request. An approval sets it and posts nothing.
alter table pending_credits add column limit_before_micros bigint;
-- step: in a transaction
-- locks: a table of few rows.
alter table pending_credits
  drop constraint pending_credits_check1,
  -- A program of before this migration would post the limit as a credit. This refuses it.
  add constraint pending_credits_posted check (
    (state = 'approved' and limit_before_micros is null) = (transaction_id is not null)
  ),
  add constraint pending_credits_limits check ((type = 'credit_limit') = (limit_before_micros is not null));
