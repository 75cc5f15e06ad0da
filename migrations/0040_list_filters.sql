-- serves: 38
-- Lists by state and other filters, however few rows match: the columns of the filter, then the order of the list.
-- An update of a host writes each index of its row, and hosts report every 30 seconds, so the indexes of the usual
-- state and health are few.
-- step: outside a transaction
create index concurrently orders_by_state on orders (account_id, state, created_at, id);
-- step: outside a transaction
create index concurrently instances_by_state on instances (account_id, state, created_at, id) where deleted_at is null;
-- step: outside a transaction
create index concurrently instances_listed on instances (account_id, created_at, id) where deleted_at is null;
-- step: outside a transaction
create index concurrently instances_listed_by_pool on instances (pool_id, created_at, id) where deleted_at is null;
-- step: outside a transaction
create index concurrently instances_listed_by_sku on instances (account_id, sku_id, created_at, id)
  where deleted_at is null;
-- step: outside a transaction
create index concurrently instances_listed_by_image on instances (account_id, image_id, created_at, id)
  where deleted_at is null;
-- step: outside a transaction
create index concurrently instances_listed_by_deployment on instances (deployment_id, created_at, id)
  where deployment_id is not null and deleted_at is null;
-- step: outside a transaction
create index concurrently ledger_transactions_by_type on ledger_transactions (account_id, type, created_at, id);
-- step: outside a transaction
create index concurrently images_by_state on images (account_id, state, created_at, id) where deleted_at is null;
-- step: outside a transaction
create index concurrently hosts_by_age on hosts (created_at, id);
-- step: outside a transaction
create index concurrently hosts_by_state on hosts (account_id, state, created_at, id) where state <> 'active';
-- step: outside a transaction
create index concurrently hosts_in_state on hosts (state, created_at, id) where state <> 'active';
-- step: outside a transaction
create index concurrently hosts_by_health on hosts (account_id, health, created_at, id) where health <> 'healthy';
-- step: outside a transaction
create index concurrently hosts_in_health on hosts (health, created_at, id) where health <> 'healthy';
