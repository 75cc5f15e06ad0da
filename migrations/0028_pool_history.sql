-- What lies before the kept history of a pool is folded into one row at minute 0: the steps that are not, oldest first.
create index pool_allocation_by_minute on pool_allocation (minute) where minute > 0;
