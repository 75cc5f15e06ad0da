-- serves: 45
-- Filters that few rows match are checked on a bounded number of rows, so that lists need fewer indexes. Orders by age
-- are divided by whether an automation placed them, because lists leave those out by default.
-- step: outside a transaction
create index concurrently orders_by_account_and_manager on orders (
  account_id, (case when managed_by is null then 0 else 1 end), created_at, id
);
-- step: outside a transaction
create index concurrently orders_by_manager_and_age on orders (managed_by, created_at, id) where managed_by is not null;
-- step: outside a transaction
drop index concurrently if exists orders_by_account;
-- step: outside a transaction
drop index concurrently if exists orders_by_manager;
-- step: outside a transaction
drop index concurrently if exists instances_by_account;
-- step: outside a transaction
drop index concurrently if exists instances_by_deployment;
-- step: outside a transaction
drop index concurrently if exists instances_listed_by_image;
-- step: outside a transaction
drop index concurrently if exists instances_listed_by_sku;
