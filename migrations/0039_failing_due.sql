-- serves: 38
-- Work whose last step failed, for `/metrics`.
-- step: outside a transaction
create index concurrently due_failing on due (kind) where attempt > 0;
