-- serves: 55
-- For the end of all sessions and links of an account.
-- step: outside a transaction
create index concurrently sign_in_links_by_account on sign_in_links (account_id);
