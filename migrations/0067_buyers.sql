-- serves: 55
-- SKUs that only the operator of the platform supplies.
alter table skus add column operator_hosts_only boolean not null default false;

-- The newest statement of a host about a machine, signed with `machine_key`. It leaves with the machine.
create table machine_statements (
  instance_id text collate "C" primary key references machines (instance_id) on delete cascade,
  statement text not null,
  machine_key text collate "C" not null,
  expires_at bigint not null
);
grant select, insert, update, delete on machine_statements to bourse_app;

-- What operators measure on their hosts, and the sum of it for each SKU. Null: nothing was measured.
alter table hosts add column benchmark jsonb;
alter table skus add column benchmarks jsonb;
