-- serves: 55
-- Transactions of one second are listed in the order of the ledger. Ids of two servers have none within a second.
-- step: outside a transaction
create index concurrently ledger_transactions_listed on ledger_transactions (account_id, created_at, position);
-- step: outside a transaction
create index concurrently ledger_transactions_listed_by_type on ledger_transactions (
  account_id, type, created_at, position
);
-- step: outside a transaction
drop index concurrently if exists ledger_transactions_by_account;
-- step: outside a transaction
drop index concurrently if exists ledger_transactions_by_type;
