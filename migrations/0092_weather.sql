-- serves: 55
-- The weather of the markets of a sandbox: the Unix minute from which its events are counted, null where every hour is
-- like every other, and by how many minutes the clocks of the region are ahead of UTC.
alter table sandbox_makers add column weather_from_minute bigint,
  add column utc_offset_minutes integer not null default 0;
