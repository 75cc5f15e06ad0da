-- serves: 45
-- The fees of a day, for the operator's revenue. Only in the buckets of days; null in those of minutes and hours.
alter table price_buckets add column fee_micros numeric;
