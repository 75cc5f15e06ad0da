-- serves: 45
-- Each book keeps the best prices of its next hour, so that `/metrics` shows its spread without reading its orders.
-- They are those of its last change; null where nobody bids or asks, and before the first change.
alter table books
  add column best_bid_micros bigint,
  add column best_ask_micros bigint;
