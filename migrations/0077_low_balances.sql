-- serves: 55
-- At which available amount the balance of an account is low, and whether that was announced.
alter table money_accounts add column low_at_micros bigint, add column is_low boolean not null default false;
