-- serves: 45
-- Lots whose cost the next fold counts on: those that are not counted up to today. Those that are counted for the days
-- to come, by far the most, are not read to find them.
-- step: outside a transaction
create index concurrently cost_lots_late on cost_lots (counted_minute)
  where counted_minute < end_minute and left_minutes > 0;
