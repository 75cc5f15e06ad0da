-- serves: 55
-- The schema version of the program that writes the row: a migration reads which programs it would stop.
alter table write_probes add column schema_version integer;
