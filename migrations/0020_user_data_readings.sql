-- Who read start-up data back, written before it is answered. The program neither changes nor removes it.
create table user_data_readings (
  id bigint generated always as identity primary key,
  -- An instance or a template.
  owner_id text collate "C" not null,
  account_id text collate "C" not null,
  token_id text collate "C" not null,
  request_id text collate "C" not null,
  read_at bigint not null
);
create index user_data_readings_by_owner on user_data_readings (owner_id, id);

grant select, insert on user_data_readings to bourse_app;
