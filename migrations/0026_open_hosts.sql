-- The fullest open hosts of a SKU are found without looking at all of them.
drop index hosts_open;
create index hosts_open on hosts (sku_id, (slots - used_slots), id)
  where state = 'active' and health = 'healthy' and used_slots < slots;
