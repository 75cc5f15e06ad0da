-- Why an instance ends is asked of its pool: what was sold or moved out of it.
create index orders_sold_by_pool on orders (pool_id, sku_id) where side = 'sell' and filled_node_minutes > 0;
create index pool_transfers_by_source on pool_transfers (from_pool_id, sku_id);
create index capacity_postings_preempted on capacity_postings (pool_id, sku_id) where cause = 'preemption';
