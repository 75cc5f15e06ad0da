-- serves: 45
-- Which logs have changed lately, for servers that follow many. A summary of pages instead of an entry for each row, so
-- raising a counter still writes no index entry (HOT).
-- step: outside a transaction
create index concurrently event_counters_by_change on event_counters using brin (occurred_at)
  with (pages_per_range = 4, autosummarize = on);
-- step: in a transaction
-- The planner takes the index for useless, because logs that change lie anywhere in the table; reads use no bitmaps.
create function changed_logs(since bigint) returns setof event_counters
  language sql stable
  set enable_seqscan = off
  set enable_bitmapscan = on
as $$
  select *
  from event_counters
  where occurred_at >= since
$$;
