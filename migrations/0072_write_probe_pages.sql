-- serves: 55
-- Each process adds pages here every few seconds, as orders add pages to their tables: a database whose disk is full
-- can still change rows in place. The pages are never vacuumed, which would let later rows use them again, and the
-- table is emptied when it has some thousand of them.
create table write_probe_pages (
  filler text not null
) with (autovacuum_enabled = false);
grant select, insert, truncate on write_probe_pages to bourse_app;
