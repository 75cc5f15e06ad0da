-- serves: 55
-- The order that was placed with an instance, in the transaction that created it. Null: there was none.
alter table instances add column order_id text collate "C";
