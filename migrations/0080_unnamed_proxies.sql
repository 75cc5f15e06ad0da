-- serves: 55
-- Addresses that sent X-Forwarded-For and are in no trusted network. `bourse doctor` reads them.
create table unnamed_proxies (
  address text primary key,
  -- Real time.
  seen_at bigint not null
);
grant select, insert, update, delete on unnamed_proxies to bourse_app;
