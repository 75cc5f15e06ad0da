import { type Audit, defineAudit, isLate } from '../core/work/auditor.ts'
import { limitExact, workspaceMatches } from '../core/work/resource-audits.ts'

const isOpen = "o.state in ('standing', 'partially_filled')"

/**
 * Automations that place orders, with their price limits. deployments.audit.ts checks the price of spot deployments.
 */
const orderers = `(
  select id, account_id, pool_id, sku_id, enabled, deleted_at, min_sell_hourly_micros as least,
    coalesce(max_buy_hourly_micros, -1) as most
  from procurements
  union all
  select id, account_id, pool_id, sku_id, enabled, deleted_at, null, null
  from deployments
  where kind = 'spot'
)`

/** The remaining minutes of open orders of automations, one row for each step of an order's schedule. */
const stepsLeft = `(
  select o.id, o.managed_by, (o.remaining ->> (2 * i))::bigint as start, (o.remaining ->> (2 * i + 2))::bigint as until
  from orders o
  cross join generate_series(0, jsonb_array_length(o.remaining) / 2 - 2) as i
  where o.managed_by is not null and ${isOpen} and (o.remaining ->> (2 * i + 1))::bigint <> 0
)`

/** The invariants of procurements, and of all automations that place orders. */
export const procurementAudits: readonly Audit[] = [
  // An open order of an automation requires that the automation exists, is enabled and has the account, pool and SKU of
  // the order. The price is within its limits, and no two orders overlap in time. The market cancels orders of a frozen
  // account in several steps.
  defineAudit(
    'market.automation',
    `select o.id as order_id, o.managed_by, 'off' as what
     from orders o
     left join ${orderers} a on a.id = o.managed_by
     left join accounts c on c.id = o.account_id
     where o.managed_by is not null
       and ${isOpen}
       and (
         a.id is null
         or not a.enabled
         or a.deleted_at is not null
         or a.account_id <> o.account_id
         or a.pool_id <> o.pool_id
         or a.sku_id <> o.sku_id
         or o.side = 'buy' and o.price_micros > a.most
         or o.side = 'sell' and o.price_micros < a.least
         or c.is_frozen and not exists (
           select
           from due w
           where w.kind = 'market.frozen_account' and split_part(w.key, '/', 1) = o.account_id
         )
       )
     union all
     select a.id, b.managed_by, 'overlap'
     from ${stepsLeft} a
     join ${stepsLeft} b
       on b.managed_by = a.managed_by and b.id > a.id and b.start < a.until and a.start < b.until
     union all
     select coalesce(a.id, m.holder_id), a.pool_id, 'mandate'
     from (
       select *
       from ${orderers} every
       where deleted_at is null
     ) a
     full join mandates m on m.holder_id = a.id and m.pool_id = a.pool_id and m.sku_id = a.sku_id
     where a.id is null or m.holder_id is null`,
  ),
  defineAudit(
    'life.parent',
    `select r.id, 'pools' as parent, r.pool_id as parent_id
     from procurements r
     join pools p on p.id = r.pool_id
     where r.deleted_at is null and p.deleted_at is not null
     union all
     select r.id, 'workspaces', r.workspace_id
     from procurements r
     join workspaces w on w.id = r.workspace_id
     where r.deleted_at is null and w.deleted_at is not null`,
  ),
  defineAudit(
    'life.due',
    `select r.id, r.retry_at, w.due_at
     from procurements r
     left join due w on w.kind = 'automation.procurement' and w.key = r.id
     where r.deleted_at is null and r.enabled
       and (w.key is null or ${isLate('w', 'r.retry_at')})`,
  ),
  workspaceMatches('names.procurements', { table: 'procurements', kind: 'procurement' }),
  limitExact('limits.procurements', { limit: 'procurements', table: 'procurements', counts: 'deleted_at is null' }),
]
