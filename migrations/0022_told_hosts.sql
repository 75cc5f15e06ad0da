-- When a host that an agent speaks for was last given something to do, by the real clock: whoever waits for news asks
-- for what was told lately, whatever the number of those who wait.
alter table hosts add column told_at bigint;
create index hosts_by_told on hosts (told_at);
