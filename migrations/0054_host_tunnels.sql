-- serves: 54
-- The WireGuard tunnels that carry traffic between hosts. A program without them hands out peers without tunnels, so
-- that traffic between hosts would stop.
create table host_tunnels (
  host_id text collate "C" primary key references hosts (id),
  -- The address inside of tunnels, which the host keeps until it retires.
  number integer not null unique check (number > 0),
  address text collate "C" not null unique,
  port integer not null check (port between 1 and 65535),
  public_key text collate "C" not null,
  -- The key that the host uses next. Null: it does not change its key.
  next_public_key text collate "C",
  changed_at bigint not null
);
grant select, insert, update, delete on host_tunnels to bourse_app;

-- Every key of a tunnel, so that no two hosts have the same, whether in use or next.
create table host_tunnel_keys (
  public_key text collate "C" primary key,
  host_id text collate "C" not null references hosts (id)
);
create index host_tunnel_keys_by_host on host_tunnel_keys (host_id);
grant select, insert, delete on host_tunnel_keys to bourse_app;
