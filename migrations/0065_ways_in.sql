-- serves: 55
-- Ways in that last: identities at providers, passkeys, recovery codes.

-- Who a user is at a provider of OpenID Connect. The address is shown and never compared.
create table identities (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  provider text collate "C" not null,
  email text,
  created_at bigint not null,
  last_used_at bigint,
  -- The service token that made the link with which it was connected. Null: none did.
  opened_by_token_id text collate "C"
);
create unique index identities_by_subject on identities (account_id, issuer, subject);
create index identities_by_user on identities (user_id, created_at, id);
create index identities_by_opener on identities (opened_by_token_id) where opened_by_token_id is not null;
grant select, insert, update, delete on identities to bourse_app;

create table passkeys (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  name text not null,
  credential_id bytea not null,
  -- A COSE key (RFC 9052).
  public_key bytea not null,
  -- The signatures that the authenticator has counted; 0 if it counts none.
  signature_count bigint not null,
  transports text[] collate "C" not null,
  is_backed_up boolean not null,
  created_at bigint not null,
  last_used_at bigint,
  opened_by_token_id text collate "C"
);
create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_user on passkeys (user_id, created_at, id);
create index passkeys_by_opener on passkeys (opened_by_token_id) where opened_by_token_id is not null;
grant select, insert, update, delete on passkeys to bourse_app;

-- Only codes that were not used have rows.
create table recovery_codes (
  -- The part of the code that finds it. The rest is its secret.
  id text collate "C" primary key,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  -- SHA-256 of the secret.
  secret_hash bytea not null,
  created_at bigint not null,
  opened_by_token_id text collate "C"
);
create index recovery_codes_by_user on recovery_codes (user_id);
create index recovery_codes_by_opener on recovery_codes (opened_by_token_id) where opened_by_token_id is not null;
grant select, insert, update, delete on recovery_codes to bourse_app;

-- The sign-ins by passkey and provider that have succeeded, until they would have expired: each counts once.
create table used_attempts (
  id text collate "C" primary key,
  expires_at bigint not null
);
create index used_attempts_by_end on used_attempts (expires_at);
grant select, insert, update, delete on used_attempts to bourse_app;

-- The provider whose groups gave the grant. Null: somebody gave it.
alter table grants add column provider text collate "C";
