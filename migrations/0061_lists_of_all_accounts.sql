-- serves: 55
-- The operator lists orders, pools, instances and SKUs of all accounts by age.
-- step: outside a transaction
create index concurrently orders_by_age on orders (created_at, id);
-- step: outside a transaction
create index concurrently instances_by_age on instances (created_at, id) where deleted_at is null;
-- step: outside a transaction
create index concurrently pools_by_age on pools (created_at, id) where deleted_at is null;
-- step: outside a transaction
create index concurrently skus_by_age on skus (created_at, id);
