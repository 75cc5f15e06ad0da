import { countedMax, type FigureGroup, namedSkusMax } from '../../core/work/figures.ts'

const bySku = { type: 'gauge', label: 'sku' } as const

/** They read the hosts that are not retired. */
export const fleetFigures: readonly FigureGroup[] = [
  {
    families: [
      {
        name: 'bourse_hosts',
        type: 'gauge',
        help: 'Hosts that are not retired, by state.',
        label: 'state',
        shown: ['active', 'cordoned', 'draining', 'drained'],
      },
      {
        name: 'bourse_host_health',
        type: 'gauge',
        help: 'Hosts that are not retired, by health.',
        label: 'health',
        shown: ['healthy', 'unreachable', 'faulted'],
      },
    ],
    text: `with counted as (
        select state, health, count(*) as hosts
        from hosts
        where state <> 'retired'
        group by state, health
      )
      select 'bourse_hosts' as family, state as label, sum(hosts) as value
      from counted
      group by state
      union all
      select 'bourse_host_health', health, sum(hosts)
      from counted
      group by health`,
  },
  {
    families: [
      {
        name: 'bourse_host_oldest_heartbeat_age_seconds',
        type: 'gauge',
        help: 'Age of the oldest last report of a host with an agent that is not retired; 0 without such hosts.',
      },
    ],
    text: `select 'bourse_host_oldest_heartbeat_age_seconds' as family, null as label,
        greatest(0, coalesce(floor(bourse_real_now())::bigint - min(last_seen_at), 0)) as value
      from hosts
      where not is_simulated
        and state <> 'retired'`,
  },
  {
    families: [
      {
        ...bySku,
        name: 'bourse_capacity_owned_nodes',
        help: `Nodes of hosts that are neither drained nor retired: the ${namedSkusMax} largest SKUs and "other".`,
      },
      { ...bySku, name: 'bourse_capacity_used_nodes', help: 'Nodes of hosts that run or stop an instance, by SKU.' },
      { ...bySku, name: 'bourse_capacity_idle_nodes', help: 'Nodes of hosts that run nothing, by SKU.' },
    ],
    text: `with of_sku as (
        select s.alias, sum(h.slots) as slots, sum(h.used_slots) as used,
          row_number() over (order by sum(h.slots) desc, s.alias) as place
        from hosts h
        join skus s on s.id = h.sku_id
        where h.state <> 'retired'
          and h.state <> 'drained'
        group by s.alias
      )
      select f.family, case when o.place <= ${namedSkusMax} then o.alias else 'other' end as label, f.value
      from of_sku o
      cross join lateral (
        values ('bourse_capacity_owned_nodes', o.slots), ('bourse_capacity_used_nodes', o.used),
          ('bourse_capacity_idle_nodes', o.slots - o.used)
      ) as f(family, value)`,
  },
  {
    families: [
      {
        name: 'bourse_instances_waiting',
        type: 'gauge',
        help: `Instances that wait for allocation or a slot, ${countedMax} at most.`,
      },
    ],
    text: `select 'bourse_instances_waiting' as family, null as label, count(*) as value
      from (
        select
        from instances
        where state = 'awaiting_allocation'
        limit ${countedMax}
      ) waiting`,
  },
]
