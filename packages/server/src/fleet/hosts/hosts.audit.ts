import { type Audit, defineAudit } from '../../core/work/auditor.ts'

/** Before this minute the steps of a pool may have been folded into one, so only their sum can be compared. */
const mayBeFolded = '(select bourse_now() / 60 - 7 * 1440)'

/** Invariants between hosts and the allocation that pools own. */
export const hostAudits: readonly Audit[] = [
  // Both sides are steps by minute. Their difference must be zero after every step.
  defineAudit(
    'capacity.supply',
    `select sku_id, minute, difference
     from (
       select sku_id, minute, (sum(sum(delta)) over (partition by sku_id order by minute))::bigint as difference
       from (
         select sku_id, greatest(minute, ${mayBeFolded}) as minute, delta
         from pool_allocation
         union all
         select sku_id, greatest(minute, ${mayBeFolded}), -delta
         from host_supply
       ) steps
       group by sku_id, minute
     ) folded
     where difference <> 0`,
  ),
  // Supply below the slots was already sold when the host drained. Supply above them was added twice.
  defineAudit(
    'capacity.supply',
    `select host_id, minute, supply, slots
     from (
       select s.host_id, s.minute, h.slots,
         (sum(s.delta) over (partition by s.host_id order by s.minute))::bigint as supply
       from host_supply s
       join hosts h on h.id = s.host_id
     ) folded
     where supply < 0 or supply > slots`,
  ),
  defineAudit(
    'capacity.free',
    `select pool_id, sku_id, minute, owned
     from (
       select pool_id, sku_id, minute,
         (sum(delta) over (partition by pool_id, sku_id order by minute))::bigint as owned
       from pool_allocation
     ) folded
     where owned < 0`,
  ),
]
