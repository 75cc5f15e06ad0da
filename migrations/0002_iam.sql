-- What iam owns: accounts, workspaces, users, roles, grants, tokens, names, limits.

create table accounts (
  id text collate "C" primary key,
  name text not null,
  entity_type text collate "C" check (entity_type in ('personal', 'business')),
  trust_level text collate "C" not null check (trust_level in ('untrusted', 'basic', 'trusted', 'partner')),
  is_frozen boolean not null default false,
  is_platform boolean not null default false,
  created_at bigint not null
);
create index accounts_by_age on accounts (created_at, id);
create unique index accounts_platform on accounts (is_platform) where is_platform;

-- Names of everything that has one, live or gone: uniqueness, paths and summaries of all kinds. Paths are computed from
-- it and stored nowhere. No foreign key to workspaces: who names something there holds a lock on the workspace.
create table names (
  id text collate "C" primary key,
  kind text collate "C" not null,
  account_id text collate "C" not null references accounts,
  workspace_id text collate "C",
  name text collate "C" not null,
  shown_as text collate "C",
  deleted_at bigint
);
create unique index names_in_workspace on names (workspace_id, kind, name)
  where workspace_id is not null and deleted_at is null;
create unique index names_in_account on names (account_id, kind, name)
  where workspace_id is null and deleted_at is null;

create table workspaces (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  created_at bigint not null,
  deleted_at bigint
);
create index workspaces_by_age on workspaces (account_id, created_at, id) where deleted_at is null;

create table users (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  email text collate "C",
  first_name text,
  last_name text,
  created_at bigint not null,
  deleted_at bigint
);
create index users_by_age on users (account_id, created_at, id) where deleted_at is null;
create unique index users_by_email on users (account_id, lower(email)) where deleted_at is null;

-- The roles that accounts made; the built-in ones stand in the contract.
create table roles (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  policy jsonb not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index roles_by_age on roles (account_id, created_at, id);

-- Made by a user, a token, or the system where both are null.
create table tokens (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  workspace_id text collate "C" not null references workspaces,
  kind text collate "C" not null check (kind in ('service', 'session')),
  user_id text collate "C" references users,
  kid text collate "C" not null,
  jti text collate "C" not null,
  suffix text collate "C" not null,
  expires_at bigint,
  last_used_at bigint,
  created_at bigint not null,
  created_by_token_id text collate "C",
  created_by_user_id text collate "C",
  deleted_at bigint,
  check ((kind = 'session') = (user_id is not null))
) with (fillfactor = 80);
create index tokens_by_age on tokens (account_id, created_at, id) where deleted_at is null;
create index tokens_by_workspace on tokens (workspace_id) where deleted_at is null;
create index tokens_by_user on tokens (user_id) where user_id is not null and deleted_at is null;

-- A role held by a user or token: in one workspace, or in the whole account where workspace_id is null.
create table grants (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts,
  principal_id text collate "C" not null,
  role_id text collate "C" not null,
  workspace_id text collate "C" references workspaces,
  created_at bigint not null,
  created_by_token_id text collate "C",
  created_by_user_id text collate "C"
);
create unique index grants_once on grants (principal_id, role_id, workspace_id) nulls not distinct;
create index grants_by_age on grants (account_id, created_at, id);
create index grants_by_role on grants (role_id, account_id);
create index grants_by_workspace on grants (workspace_id) where workspace_id is not null;

create table limit_usage (
  account_id text collate "C" not null references accounts,
  name text collate "C" not null,
  used bigint not null check (used >= 0),
  primary key (account_id, name)
) with (fillfactor = 70);

-- What was given back and is not yet folded into limit_usage. Insert-only for those who give back, so that ending a
-- resource under its own lock never waits for the account's.
create table limit_changes (
  id bigint generated always as identity primary key,
  account_id text collate "C" not null,
  name text collate "C" not null,
  amount bigint not null
);
create index limit_changes_by_limit on limit_changes (account_id, name);

-- No row: the value of the trust level. A null value: no limit.
create table limit_overrides (
  account_id text collate "C" not null references accounts,
  name text collate "C" not null,
  value bigint check (value >= 0),
  primary key (account_id, name)
);

grant select, insert, update, delete on accounts to bourse_app;
grant select, insert, update, delete on names to bourse_app;
grant select, insert, update, delete on workspaces to bourse_app;
grant select, insert, update, delete on users to bourse_app;
grant select, insert, update, delete on roles to bourse_app;
grant select, insert, update, delete on tokens to bourse_app;
grant select, insert, update, delete on grants to bourse_app;
grant select, insert, update, delete on limit_usage to bourse_app;
grant select, insert, update, delete on limit_changes to bourse_app;
grant select, insert, update, delete on limit_overrides to bourse_app;
