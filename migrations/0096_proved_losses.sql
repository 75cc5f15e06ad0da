-- serves: 55
-- `/metrics` shows the newest history that is proved to lack commits. A failover that lost nothing has positions of all
-- accounts too, and none of them is in this index.
-- step: outside a transaction
create index concurrently history_positions_by_loss on history_positions (history) where seen_position > position;
