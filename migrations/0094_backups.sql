-- serves: 55
-- Backups that were completed, and when each was last verified. Times are real.
create table backups (
  id text collate "C" primary key,
  location text not null,
  completed_at bigint not null,
  size_bytes bigint not null,
  verified_at bigint
);
grant select, insert, update, delete on backups to bourse_app;
