import { daySeconds } from '@bourse/text/time/units.ts'
import { type Audit, defineAudit, isLate } from '../../core/work/auditor.ts'
import { limitExact, workspaceMatches } from '../../core/work/resource-audits.ts'

/** For this many seconds back every change must have its event. Events are kept one day longer. */
const eventsSeconds = 6 * daySeconds
const recent = `(select bourse_now() - ${eventsSeconds})`

const living = "state <> 'terminated'"

/** Living rows whose parent is deleted. */
const orphans = (child: string, where: string, [column, parent]: readonly [string, string]) =>
  `select '${child}' as child, c.id, '${parent}' as parent, c.${column} as parent_id
   from ${child} c
   join ${parent} p on p.id = c.${column}
   where p.deleted_at is not null and ${where}`

const instanceParents = [
  ['firewall_id', 'firewalls'],
  ['subnet_id', 'subnets'],
  ['infiniband_partition_id', 'infiniband_partitions'],
  ['pool_id', 'pools'],
  ['workspace_id', 'workspaces'],
] as const
const templateParents = [
  ['firewall_id', 'firewalls'],
  ['image_id', 'images'],
  ['subnet_id', 'subnets'],
  ['infiniband_partition_id', 'infiniband_partitions'],
  ['workspace_id', 'workspaces'],
] as const

/**
 * Invariants of instances and templates. No audit compares the times of two commands: the sandbox clock may appear to
 * step back between them (docs/decisions/010-sandbox-clock.md), and one audit so reported sound successors.
 */
export const instanceAudits: readonly Audit[] = [
  defineAudit(
    'life.replaced-once',
    `select old.id, old.state, old.replaced_by, new.replaces
     from instances old
     left join instances new on new.id = old.replaced_by
     where old.replaced_by is not null
       and (
         old.state <> 'terminated'
         or old.termination_reason <> 'replaced'
         or new.id is not null and new.replaces is distinct from old.id
       )
     union all
     select new.id, new.state, old.replaced_by, new.replaces
     from instances new
     join instances old on old.id = new.replaces
     where old.replaced_by is distinct from new.id`,
  ),
  // An instance that was created with a purchase has its order: one node for its own pool, filled at once, of its own.
  defineAudit(
    'life.purchase',
    `select i.id, i.order_id, o.state
     from instances i
     left join orders o on o.id = i.order_id
     where i.order_id is not null
       and (
         o.id is null
         or o.side <> 'buy'
         or o.state <> 'filled'
         or o.node_count <> 1
         or (o.account_id, o.pool_id, o.sku_id) <> (i.account_id, i.pool_id, i.sku_id)
       )
     union all
     select min(id), order_id, null
     from instances
     where order_id is not null
     group by order_id
     having count(*) > 1`,
  ),
  defineAudit(
    'life.parent',
    [
      ...instanceParents.map((parent) => orphans('instances', `c.${living}`, parent)),
      ...templateParents.map((parent) => orphans('instance_templates', 'c.deleted_at is null', parent)),
    ].join(' union all '),
  ),
  defineAudit(
    'life.due',
    `select i.id, d.kind, d.due_at
     from instances i
     left join due d on d.kind = 'fleet.instance_purge' and d.key = i.id
     where i.state = 'terminated'
       and i.deleted_at is null
       and (d.key is null or ${isLate('d', 'i.terminated_at + 7 * 86400')})
     union all
     select i.id, d.kind, d.due_at
     from instances i
     join user_data u on u.owner_id = i.id
     left join due d on d.kind = 'fleet.user_data_erasure' and d.key = i.id
     where i.state = 'terminated'
       and i.deleted_at is null
       and (d.key is null or ${isLate('d', 'i.terminated_at + 86400')})`,
  ),
  workspaceMatches('names.instances', { table: 'instances', kind: 'instance' }),
  workspaceMatches('names.instances', { table: 'instance_templates', kind: 'instance_template' }),
  defineAudit(
    'names.successor',
    `select new.id, old.id as replaces
     from instances new
     join instances old on old.id = new.replaces
     join names a on a.id = new.id
     join names b on b.id = old.id and b.deleted_at is null
     where a.workspace_id = b.workspace_id and a.name = b.name`,
  ),
  defineAudit(
    'capacity.address',
    `select i.id, i.private_ip, a.address, i.public_ip
     from instances i
     left join subnet_addresses a on a.instance_id = i.id and a.subnet_id = i.subnet_id
     where i.${living} and (i.subnet_id is null) <> (a.address is null)
       or i.${living} and i.private_ip is distinct from host('0.0.0.0'::inet + a.address)
       or i.public_ip is not null and not i.enable_public_ipv4
     union all
     select a.instance_id, null, a.address, null
     from subnet_addresses a
     where not exists (select from instances i where i.id = a.instance_id)`,
  ),
  limitExact('limits.instances', { limit: 'instances', table: 'instances', counts: living }),
  limitExact('limits.instances', {
    limit: 'instance_templates',
    table: 'instance_templates',
    counts: 'deleted_at is null',
  }),
  defineAudit(
    'access.user-data',
    `select u.owner_id
     from user_data u
     left join instances i on i.id = u.owner_id and i.deleted_at is null and i.account_id = u.account_id
     left join instance_templates t on t.id = u.owner_id and t.deleted_at is null and t.account_id = u.account_id
     where i.id is null and t.id is null`,
  ),
  defineAudit(
    'events.paired',
    `select i.id, i.state, e.created, e.running, e.failed, e.terminated
     from instances i
     left join (
       select account_id, target_id,
         count(*) filter (where action = 'instance.created') as created,
         count(*) filter (where action = 'instance.running') as running,
         count(*) filter (where action = 'instance.failed') as failed,
         count(*) filter (where action = 'instance.terminated') as terminated
       from events
       where target_type = 'instance'
       group by account_id, target_id
     ) e on e.account_id = i.account_id and e.target_id = i.id
     where i.created_at > ${recent} and coalesce(e.created, 0) <> 1
       or i.running_at > ${recent} and coalesce(e.running, 0) <> 1
       or i.failed_at > ${recent} and coalesce(e.failed, 0) <> 1
       or i.terminated_at > ${recent} and coalesce(e.terminated, 0) <> 1`,
  ),
  // A replacement writes the end of the old instance, then the creation of its successor, in one transaction.
  defineAudit(
    'events.replace',
    `select o.id, o.replaced_by, t.position as terminated, c.position as created
     from instances o
     left join events t on t.account_id = o.account_id and t.target_id = o.id and t.action = 'instance.terminated'
     left join events c on c.account_id = o.account_id
       and c.target_id = o.replaced_by
       and c.action = 'instance.created'
     where o.replaced_by is not null
       and (t.position is not null or c.position is not null)
       and (
         t.position is null
         or c.position is null
         or c.position <= t.position
         or c.occurred_at <> t.occurred_at
         or c.actor_token_id is distinct from t.actor_token_id
       )`,
  ),
]
