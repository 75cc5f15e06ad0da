-- What market owns: maintenance windows that the operator tells of.

create table maintenance_windows (
  id text collate "C" primary key,
  start_at bigint not null,
  end_at bigint not null,
  maintenance_type text not null check (maintenance_type in ('info', 'degraded_performance', 'unavailable')),
  title text not null,
  description text not null,
  action_message text,
  -- Empty: all SKUs.
  sku_ids text[] not null,
  created_at bigint not null,
  check (start_at < end_at)
);
create index maintenance_windows_by_end on maintenance_windows (end_at);

grant select, insert, delete on maintenance_windows to bourse_app;
