-- serves: 55
-- Written to a server that was replaced, by a program that has seen its successor: programs that know nothing of the
-- successor refuse the server because of it. On the timeline that it names, and on later ones, a row means nothing.
create table fences (
  system_identifier text not null,
  -- The timeline of the successor.
  timeline bigint not null,
  -- Real time in seconds.
  recorded_at bigint not null,
  primary key (system_identifier, timeline)
);
grant select, insert on fences to bourse_app;
