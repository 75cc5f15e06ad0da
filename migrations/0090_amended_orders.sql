-- serves: 55
-- An order that continues another one, which it amends. `requested`: what it asks for, where that is not all of its
-- rectangle, as the orders before it had filled a part (`filled_before`). `priority_seq`: the seq whose place in the
-- queue of its price it keeps; null: it has the place of its own seq.
alter table orders add column amends text collate "C", add column amended_by text collate "C",
  add column requested jsonb, add column filled_before jsonb not null default '[]'::jsonb,
  add column priority_seq bigint;

-- step: outside a transaction
create unique index concurrently orders_amends on orders (amends) where amends is not null;
