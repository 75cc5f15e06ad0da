import { defineAudit } from '../core/work/auditor.ts'
import { limitExact } from '../core/work/resource-audits.ts'

const inScope = (row: string) =>
  `${row}.account_id = b.account_id and (b.workspace_id is null or ${row}.workspace_id = b.workspace_id)`

/** The first second behind the period of a budget. Where it has none, the end of time. */
const periodEnd = `case b.period
       when 'day' then b.period_start + 86400
       when 'month' then extract(epoch from
         (to_timestamp(b.period_start) at time zone 'UTC' + interval '1 month') at time zone 'UTC')::bigint
       else 9223372036854775807
     end`

export const budgetAudits = [
  // The sums that are kept are those of the ledger and of the holds.
  defineAudit(
    'money.budgets',
    `select b.id as budget_id, b.period_start, b.spent_micros, spent.exact as exact_spent, b.held_micros,
       held.exact as exact_held
     from budgets b
     cross join lateral (
       select coalesce(-sum(t.amount_micros), 0) as exact
       from ledger_transactions t
       where ${inScope('t')} and t.type = 'buy_fill' and t.created_at >= b.period_start
         and t.created_at < ${periodEnd}
     ) spent
     cross join lateral (
       select coalesce(sum(h.amount_micros), 0) as exact
       from holds h
       where ${inScope('h')}
     ) held
     where b.spent_micros <> spent.exact or b.held_micros <> held.exact`,
  ),
  limitExact('limits.budgets', { limit: 'budgets', table: 'budgets', counts: 'true' }),
  // Each threshold was announced once in its period, and none that was not reached is recorded as reached.
  defineAudit(
    'money.budget-thresholds',
    `select b.id as budget_id, b.reached_percent
     from budgets b
     where cardinality(b.reached_percent) <> (select count(distinct percent) from unnest(b.reached_percent) as percent)
       or b.threshold_basis = 'actual' and exists (
         select
         from unnest(b.thresholds_percent) as percent
         where 100 * b.spent_micros::numeric >= percent * b.amount_micros::numeric
           and percent <> all (b.reached_percent)
       )`,
  ),
]
