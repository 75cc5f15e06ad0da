-- What each host puts into the pool of its workspace and takes out again, so that supply is proved host by host.
create table host_supply (
  host_id text collate "C" not null references hosts (id),
  sku_id text collate "C" not null,
  minute bigint not null,
  delta integer not null,
  primary key (host_id, minute)
);
insert into host_supply (host_id, sku_id, minute, delta) select id, sku_id, created_at / 60 + 1, slots from hosts;

grant select, insert, update, delete on host_supply to bourse_app;
