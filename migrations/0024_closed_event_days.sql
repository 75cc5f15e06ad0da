-- Days of the log that are closed, and what each account has in them, so that a page opens no day without a part in it.

-- A day is closed for good, whatever the database's clock says afterwards: its table takes no row any more, and events
-- are written to later days. The newest row stays for ever, so the days that are written to never go back behind it.
create table closed_event_days (
  stored_on date primary key
);

grant select on closed_event_days to bourse_app;

create table event_summaries (
  account_id text collate "C" not null,
  stored_on date not null,
  first_position bigint not null,
  first_at bigint not null,
  last_position bigint not null,
  last_at bigint not null,
  -- Whether every event that the account has in a later day has a higher position. False where the clock fell back over
  -- the midnight before the day was closed.
  is_before_later_days boolean not null,
  -- Its sorts of events, as [workspace or '', action, target_type, how many]; null where there are too many of them.
  kinds jsonb,
  primary key (account_id, stored_on)
);

grant select on event_summaries to bourse_app;
