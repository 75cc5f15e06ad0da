-- How much of its budget of log bytes an instance had used when it stored a chunk. The last chunk holds the present
-- state, so a budget needs no further row.
alter table instance_logs
  add column budget_used bigint not null default 0,
  add column budget_at_ms bigint not null default 0;
