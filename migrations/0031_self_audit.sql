-- The last run of all audits, and the lease of the replica that runs them. Times are those of the real clock.
create table self_audit (
  only_row boolean primary key default true check (only_row),
  holder text,
  leased_until bigint not null default 0,
  started_at bigint,
  ended_at bigint,
  audits integer not null default 0,
  violations jsonb not null default '[]'
);
insert into self_audit default values;
grant select, update on self_audit to bourse_app;
