-- serves: 55
-- Whether both orders of a fill have an event of it. False: it was made by a program that did not write them.
alter table fills add column has_events boolean not null default false;
