-- serves: 55
-- Since when the requester has had the right to request. Null in a request of a program of before this migration.
alter table pending_credits add column requested_by_right_since bigint;
