-- serves: 55
-- SSH public keys of users and of tokens of programs.
create table ssh_keys (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  -- A user or a token.
  owner_id text collate "C" not null,
  name text not null,
  key_type text not null,
  bits integer not null,
  -- The key in base64, and the digest by which people compare keys.
  public_key text collate "C" not null,
  fingerprint text collate "C" not null,
  created_at bigint not null,
  opened_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C"
);
create unique index ssh_keys_by_fingerprint on ssh_keys (account_id, fingerprint);
create index ssh_keys_by_account on ssh_keys (account_id, created_at, id);
create index ssh_keys_by_owner on ssh_keys (owner_id, created_at, id);
create index ssh_keys_by_opener on ssh_keys (opened_by_token_id) where opened_by_token_id is not null;
grant select, insert, update, delete on ssh_keys to bourse_app;

-- The keys that an instance gets. A row outlives its key, since a machine may still have it.
create table instance_ssh_keys (
  instance_id text collate "C" not null references instances on delete cascade,
  ssh_key_id text collate "C" not null,
  name text not null,
  fingerprint text collate "C" not null,
  -- When the key was deleted. Null: it is the key of somebody.
  removed_at bigint,
  primary key (instance_id, ssh_key_id)
);
create index instance_ssh_keys_by_key on instance_ssh_keys (ssh_key_id);
grant select, insert, update, delete on instance_ssh_keys to bourse_app;

-- step: in a transaction
-- The keys that instances of a template get.
alter table instance_templates add column ssh_key_ids text[] collate "C" not null default '{}';
-- step: in a transaction
-- Which keys the machine has, as its host reports: whether it can change them while the machine runs, and their ids.
alter table machines add column ssh_keys jsonb;
