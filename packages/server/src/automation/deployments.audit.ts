import { type Audit, defineAudit, isLate } from '../core/work/auditor.ts'
import { limitExact, workspaceMatches } from '../core/work/resource-audits.ts'

const living = "i.state <> 'terminated'"

const parents = [
  ['pool_id', 'pools'],
  ['instance_template_id', 'instance_templates'],
  ['workspace_id', 'workspaces'],
] as const

/** The invariants of deployments and their fleets. */
export const deploymentAudits: readonly Audit[] = [
  defineAudit(
    'life.fleet',
    `select i.deployment_id, i.deployment_slot, count(*) as members
     from instances i
     where i.deployment_id is not null and ${living}
     group by i.deployment_id, i.deployment_slot
     having count(*) > 1 or i.deployment_slot is null`,
  ),
  defineAudit(
    'life.teardown',
    `select d.id, d.deleted_at, i.id as instance_id
     from deployments d
     join instances i on i.deployment_id = d.id
     where d.deleted_at is not null and ${living}`,
  ),
  defineAudit(
    'life.parent',
    parents
      .map(
        ([column, table]) => `select d.id, '${table}' as parent, d.${column} as parent_id
         from deployments d
         join ${table} p on p.id = d.${column}
         where d.deleted_at is null and p.deleted_at is not null`,
      )
      .join(`
         union all
         `),
  ),
  defineAudit(
    'life.due',
    `select d.id, d.retry_at, w.due_at
     from deployments d
     left join due w on w.kind = 'automation.deployment' and w.key = d.id
     where d.deleted_at is null and d.retry_at is not null
       and (w.key is null or ${isLate('w', 'd.retry_at')})`,
  ),
  // A spot deployment always has a due row, at the latest for its next try after a refusal.
  defineAudit(
    'life.due',
    `select d.id, b.retry_at, w.due_at
     from deployments d
     left join spot_buying b on b.deployment_id = d.id
     left join due w on w.kind = 'automation.spot_buying' and w.key = d.id
     where d.kind = 'spot' and d.deleted_at is null and d.enabled
       and (b.deployment_id is null or w.key is null or ${isLate('w', 'b.retry_at')})`,
  ),
  // A spot deployment only buys, at most at its maximum price, and no other deployment has its pool and SKU. The market
  // cancels orders of a frozen account in several steps. procurements.audit.ts checks all automations that place
  // orders.
  defineAudit(
    'market.automation',
    `select d.id, o.id as order_id
     from orders o
     join deployments d on d.id = o.managed_by
     join accounts a on a.id = d.account_id
     where o.state in ('standing', 'partially_filled')
       and (
         d.kind <> 'spot'
         or o.side <> 'buy'
         or o.price_micros > d.max_buy_hourly_micros
         or a.is_frozen and not exists (
           select
           from due w
           where w.kind = 'market.frozen_account' and split_part(w.key, '/', 1) = a.id
         )
       )
     union all
     select d.id, o.id
     from deployments d
     join deployments o on o.pool_id = d.pool_id and o.sku_id = d.sku_id
     where d.kind = 'spot' and d.deleted_at is null and o.deleted_at is null and o.id <> d.id`,
  ),
  workspaceMatches('names.deployments', { table: 'deployments', kind: 'deployment' }),
  limitExact('limits.deployments', { limit: 'deployments', table: 'deployments', counts: 'deleted_at is null' }),
]
