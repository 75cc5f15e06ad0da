import { daySeconds } from '@bourse/text/time/units.ts'
import { type Audit, defineAudit, isLate } from '../../core/work/auditor.ts'

/** For this many seconds back every notice must have its event. Events are kept one day longer. */
const eventsSeconds = 6 * daySeconds

const placementDue = "d.kind = 'fleet.placement' and d.key = i.pool_id || '/' || i.sku_id"
const forLostAllocation = `i.state = 'terminated'
    and i.termination_reason in ('allocation_ended', 'sold', 'transferred', 'host_retired', 'host_unfit')`

/** Invariants of slots, of machines against the allocation, and of notices. */
export const machineAudits: readonly Audit[] = [
  defineAudit(
    'capacity.slot',
    `select m.instance_id as id, m.host_id, m.slot, i.state
     from machines m
     join hosts h on h.id = m.host_id
     join instances i on i.id = m.instance_id
     where h.sku_id <> i.sku_id
       or m.slot not between 0 and h.slots - 1
       or h.state = 'retired'
     union all
     select i.id, null, null, i.state
     from instances i
     where i.state in ('running', 'failed')
       and not exists (select from machines m where m.instance_id = i.id)
     union all
     select h.id, h.id, h.used_slots, h.state
     from hosts h
     left join machines m on m.host_id = h.id
     group by h.id
     having h.used_slots <> count(m.instance_id)
     union all
     select i.id, m.host_id, m.slot, p.infiniband_fabric
     from machines m
     join instances i on i.id = m.instance_id
     join infiniband_partitions p on p.id = i.infiniband_partition_id
     join skus s on s.id = i.sku_id
     left join sku_overrides o on o.sku_id = s.id and o.account_id = i.account_id
     where p.infiniband_fabric is distinct from s.properties ->> 'infiniband_fabric'
       and p.infiniband_fabric is distinct from o.properties ->> 'infiniband_fabric'`,
  ),
  // A capacity reduction and its notices are two steps at the same time. A pool with a due step is not yet wrong.
  defineAudit(
    'capacity.quota',
    `select i.pool_id, i.sku_id, i.machines, coalesce(a.owned, 0) as owned
     from (
       select pool_id, sku_id, count(*) as machines
       from instances
       where state in ('running', 'failed') and notice_at is null
       group by pool_id, sku_id
     ) i
     left join (
       select pool_id, sku_id, sum(delta)::bigint as owned
       from pool_allocation
       where minute <= (select bourse_now()) / 60
       group by pool_id, sku_id
     ) a on a.pool_id = i.pool_id and a.sku_id = i.sku_id
     where i.machines > coalesce(a.owned, 0)
       and not exists (select from due d where ${placementDue} and d.due_at <= (select bourse_now()))`,
  ),
  defineAudit(
    'events.notice',
    `select i.id, i.notice_at, i.deadline_at, i.terminated_at
     from instances i
     where ${forLostAllocation} and (i.notice_at is null or i.terminated_at < i.deadline_at)
       or i.deadline_at < i.notice_at + 60
     union all
     select i.id, i.notice_at, i.deadline_at, i.terminated_at
     from instances i
     left join (
       select distinct on (account_id, target_id) account_id, target_id, action
       from events
       where action in ('instance.termination_imminent', 'instance.termination_withdrawn')
       order by account_id, target_id, position desc
     ) e on e.account_id = i.account_id and e.target_id = i.id
     where ${forLostAllocation}
       and i.terminated_at > (select bourse_now()) - ${eventsSeconds}
       and e.action is distinct from 'instance.termination_imminent'`,
  ),
  defineAudit(
    'life.due',
    `select i.id, i.deadline_at, d.due_at
     from instances i
     left join due d on ${placementDue}
     where i.state in ('running', 'failed')
       and i.deadline_at is not null
       and (d.key is null or ${isLate('d', 'i.deadline_at')})
     union all
     select h.id, h.last_seen_at + 90, d.due_at
     from hosts h
     left join due d on d.kind = 'fleet.host_silence' and d.key = h.id
     where h.is_simulated
       and h.last_seen_at is not null
       and h.health <> 'unreachable'
       and h.state <> 'retired'
       and (d.key is null or ${isLate('d', 'h.last_seen_at + 90')})`,
  ),
]
