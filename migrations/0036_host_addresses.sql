-- The addresses of hosts with networks of their own: their own address, and those that they give to machines. Two hosts
-- with one address would take each other's traffic.

create table host_addresses (
  address text collate "C" primary key,
  host_id text collate "C" not null references hosts (id)
);
create index host_addresses_by_host on host_addresses (host_id);
grant select, insert, delete on host_addresses to bourse_app;

insert into host_addresses (address, host_id)
select distinct on (a.address) a.address, a.host_id
from (
  select h.facts ->> 'host_address' as address, h.id as host_id
  from hosts h
  where not h.is_simulated and h.state <> 'retired' and h.facts ->> 'network' = 'full'
  union all
  select p.address, h.id
  from hosts h, jsonb_array_elements_text(h.facts -> 'public_ipv4s') as p (address)
  where not h.is_simulated and h.state <> 'retired' and h.facts ->> 'network' = 'full'
) a
where a.address is not null
order by a.address, a.host_id;
