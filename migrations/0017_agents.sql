-- Permits to enrol hosts. All hosts that one still allows count against the account's limit until it ends.
create table host_enrolments (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  sku_id text collate "C" not null,
  slots integer not null check (slots between 1 and 64),
  uses integer not null check (uses between 1 and 1000),
  used integer not null default 0 check (used between 0 and uses),
  -- The master key that its secret is derived from.
  key_id integer not null,
  expires_at bigint not null,
  created_at bigint not null,
  -- When it was deleted, used up or too old; what it had not used was given back to the limit then.
  ended_at bigint
);
create index host_enrolments_by_account on host_enrolments (account_id, created_at, id) where ended_at is null;
create index host_enrolments_by_workspace on host_enrolments (workspace_id) where ended_at is null;

alter table hosts
  -- Ed25519, base64url. Its private half lies on the host alone.
  add column public_key text collate "C",
  add column enrolment_id text collate "C" references host_enrolments (id),
  -- What the host said of itself when it last reported.
  add column health_message text;
create unique index hosts_by_public_key on hosts (public_key) where state <> 'retired';

-- Chunks of the consoles of machines. `ends_at_byte` counts all bytes of an instance, those that are gone too.
create table instance_logs (
  instance_id text collate "C" not null,
  seqnum bigint not null,
  logged_at bigint not null,
  data bytea not null,
  ends_at_byte bigint not null,
  primary key (instance_id, seqnum)
);
create index instance_logs_by_byte on instance_logs (instance_id, ends_at_byte);

-- When the host keys in `ssh` were first read.
alter table machines add column ssh_read_at bigint;

grant select, insert, update, delete on host_enrolments, instance_logs to bourse_app;
