-- What images owns: image records.

create table images (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  is_public boolean not null default false,
  state text not null check (state in ('started', 'uploading', 'completed', 'revoked', 'failed')),
  sha256 text,
  size_bytes bigint,
  deprecated_at bigint,
  deprecation_message text,
  revoked_at bigint,
  created_at bigint not null,
  deleted_at bigint
);
create index images_by_account on images (account_id, created_at, id) where deleted_at is null;
create index images_by_workspace on images (workspace_id) where deleted_at is null;

grant select, insert, update, delete on images to bourse_app;
