-- serves: 55
-- What an image is: its format and the size of its disk. Null for images that were completed before.
-- locks: an account has some dozen images, so the checks of these columns read the table in milliseconds
alter table images
  add column format text check (format in ('qcow2', 'raw')),
  add column virtual_size_bytes bigint check (virtual_size_bytes >= 0);
