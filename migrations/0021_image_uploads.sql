-- Uploads of images: what was asked for, and the parts that are arriving or have arrived. The bytes lie in a store
-- beside the database; a part's row is written before there is a file of it, so a file without a row is nobody's.

create table image_uploads (
  image_id text collate "C" primary key,
  -- The object store's own name of the upload; null with the local store, and before the first part.
  upload text,
  part_url_at bigint not null,
  parts_seen_at bigint not null
);
grant select, insert, update, delete on image_uploads to bourse_app;

create table image_parts (
  image_id text collate "C" not null,
  part_id integer not null check (part_id between 1 and 10000),
  file text collate "C" not null,
  size_bytes bigint not null check (size_bytes >= 0),
  -- Null while the part is arriving.
  etag text,
  uploaded_at bigint not null,
  primary key (image_id, file)
);
create unique index image_parts_arrived on image_parts (image_id, part_id) where etag is not null;
create unique index image_parts_arriving on image_parts (image_id, part_id) where etag is null;
grant select, insert, update, delete on image_parts to bourse_app;
