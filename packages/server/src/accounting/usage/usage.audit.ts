import { defineAudit } from '../../core/work/auditor.ts'

/** What usage must always add up to, as far as it is folded. Reads fold the rest by the same rules. */
export const usageAudits = [
  // What a purchase still costs in all pools, and what was sold of it, is what the buyer paid.
  defineAudit(
    'money.lots',
    `select t.fill_id, t.account_id, -t.amount_micros as paid, l.cost
     from ledger_transactions t
     join usage_folds u on u.account_id = t.account_id and t.position <= u.position
     left join (
       select account_id, fill_id, sum(cost_micros + sold_micros) as cost
       from cost_lots
       group by account_id, fill_id
     ) l on l.account_id = t.account_id and l.fill_id = t.fill_id
     where t.type = 'buy_fill' and l.cost is distinct from -t.amount_micros`,
  ),
  // Purchases and proceeds of usage are those of the ledger.
  defineAudit(
    'money.usage',
    `select coalesce(t.account_id, h.account_id) as account_id, t.bought as paid, h.bought, t.sold as received, h.sold
     from (
       select t.account_id, coalesce(-sum(t.amount_micros) filter (where t.type = 'buy_fill'), 0) as bought,
         coalesce(sum(t.amount_micros) filter (where t.type = 'sell_fill'), 0) as sold
       from ledger_transactions t
       join usage_folds u on u.account_id = t.account_id and t.position <= u.position
       where t.fill_id is not null
       group by t.account_id
     ) t
     full join (
       select account_id, sum(bought_micros) as bought, sum(sold_micros) as sold
       from usage_hours
       group by account_id
     ) h on h.account_id = t.account_id
     where coalesce(t.bought, 0) <> coalesce(h.bought, 0) or coalesce(t.sold, 0) <> coalesce(h.sold, 0)`,
  ),
  // The cost of an hour is that of the lots. Lots that are not counted to their end may cost more.
  defineAudit(
    'money.spread',
    `select coalesce(l.pool_id, h.pool_id) as pool_id, coalesce(l.sku_id, h.sku_id) as sku_id, l.cost as lots, h.cost
     from (
       select pool_id, sku_id, sum(cost_micros) as cost, bool_and(counted_minute >= end_minute) as is_whole
       from cost_lots
       group by pool_id, sku_id
     ) l
     full join (
       select pool_id, sku_id, sum(cost_micros) as cost, min(cost_micros) as least
       from usage_hours
       group by pool_id, sku_id
     ) h on h.pool_id = l.pool_id and h.sku_id = l.sku_id
     where h.least < 0 or coalesce(h.cost, 0) > coalesce(l.cost, 0)
       or (l.is_whole and coalesce(h.cost, 0) <> l.cost)`,
  ),
]
