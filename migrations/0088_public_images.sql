-- serves: 55
-- The list of public images, of which there are few among those of all accounts.
-- step: outside a transaction
create index concurrently images_public on images (created_at, id) where is_public and deleted_at is null;
