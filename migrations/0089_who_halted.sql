-- serves: 55
-- Since when the market, or one book of it, is halted, and by whom. A halt of before this migration does not say.
alter table market_halt add column halted_at bigint, add column halted_by_token_id text collate "C",
  add column halted_by_user_id text collate "C";

-- step: in a transaction
alter table books add column halted_at bigint, add column halted_by_token_id text collate "C",
  add column halted_by_user_id text collate "C";
