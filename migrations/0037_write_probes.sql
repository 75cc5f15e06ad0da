-- A row for each process, which writes it every few seconds to find out whether the database can write durably.
create table write_probes (
  process text primary key,
  written_at bigint not null
);
grant select, insert, update, delete on write_probes to bourse_app;
