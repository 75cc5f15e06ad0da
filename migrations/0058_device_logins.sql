-- serves: 55
-- A program that asks a person to sign it in. Only open requests have rows, for ten minutes.
create table device_logins (
  -- SHA-256 of the code that the program keeps.
  device_hash bytea primary key,
  -- The code that the person compares or types.
  user_code text collate "C" not null,
  -- The network that the program asked from, whose open requests are counted.
  network text collate "C" not null,
  client_name text not null,
  device text not null,
  address text not null,
  created_at bigint not null,
  expires_at bigint not null,
  interval_seconds integer not null,
  -- Milliseconds of the real clock, since a program waits in real time.
  polled_at_ms bigint,
  state text collate "C" not null check (state in ('pending', 'approved', 'denied')),
  -- Who approved it.
  account_id text collate "C",
  user_id text collate "C",
  authenticated_at bigint,
  ends_by bigint,
  opened_by_token_id text collate "C",
  check ((state = 'approved') = (user_id is not null))
);
create unique index device_logins_by_code on device_logins (user_code);
create index device_logins_by_network on device_logins (network, expires_at);
create index device_logins_by_end on device_logins (expires_at);
create index device_logins_by_user on device_logins (user_id) where user_id is not null;
grant select, insert, update, delete on device_logins to bourse_app;

-- The last wrong codes of a network, at most five: guesses of codes that other programs wait with.
create table wrong_device_codes (
  network text collate "C" primary key,
  failed_at bigint[] not null,
  last_failed_at bigint not null
);
create index wrong_device_codes_by_age on wrong_device_codes (last_failed_at);
grant select, insert, update, delete on wrong_device_codes to bourse_app;
