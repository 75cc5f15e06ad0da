-- serves: 55
-- How people come in: sessions, and the links that open them.

-- A session is a token of the kind `session`. These are the columns that only sessions have.
create table sessions (
  token_id text collate "C" primary key,
  -- What signed in, by its own account.
  device text not null,
  address text not null,
  authenticated_at bigint not null,
  -- Neither the session nor a token that it makes ends later. Null: no bound.
  ends_by bigint,
  -- The service token that made the link to it. Null: none did.
  opened_by_token_id text collate "C"
);
grant select, insert, update, delete on sessions to bourse_app;

create table sign_in_links (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  -- SHA-256 of the secret in the link.
  secret_hash bytea not null,
  -- The grants of the user when the link was made: it gives no others.
  grant_ids text[] collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  ends_by bigint,
  made_by_token_id text collate "C"
);
create index sign_in_links_by_user on sign_in_links (user_id, created_at, id);
grant select, insert, update, delete on sign_in_links to bourse_app;
