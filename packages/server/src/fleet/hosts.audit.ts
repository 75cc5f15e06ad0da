import { type Audit, defineAudit } from '../core/auditor.ts'

/** What must hold between hosts and what all pools own of their SKUs. */
export const hostAudits: readonly Audit[] = [
  // Both sides as steps by minute: the difference has to be zero from each step to the next.
  defineAudit(
    'capacity.supply',
    `select sku_id, minute, difference from (
       select sku_id, minute, (sum(sum(delta)) over (partition by sku_id order by minute))::bigint as difference from (
         select sku_id, minute, delta from pool_allocation
         union all select sku_id, created_at / 60 + 1, -slots from hosts
         union all select sku_id, supply_ends_at / 60, slots from hosts where supply_ends_at is not null
       ) steps group by sku_id, minute
     ) folded where difference <> 0`,
  ),
  defineAudit(
    'capacity.free',
    `select pool_id, sku_id, minute, owned from (
       select pool_id, sku_id, minute,
         (sum(delta) over (partition by pool_id, sku_id order by minute))::bigint as owned
       from pool_allocation
     ) folded where owned < 0`,
  ),
]
