-- What left a pool is asked for by the minutes that it reaches into: what ended before them costs nothing.
drop index orders_sold_by_pool;
create index orders_sold_by_pool on orders (pool_id, sku_id, end_minute)
  where side = 'sell' and filled_node_minutes > 0;
drop index pool_transfers_by_source;
create index pool_transfers_by_source on pool_transfers (from_pool_id, sku_id, ((schedule ->> -2)::bigint));
