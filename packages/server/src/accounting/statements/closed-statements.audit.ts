import { defineAudit } from '../../core/work/auditor.ts'

const monthOf = (column: string) => `extract(epoch from
         date_trunc('month', to_timestamp(${column}) at time zone 'UTC') at time zone 'UTC')::bigint`

/** What closed statements must add up to. */
export const closedStatementAudits = [
  // A closed statement opens and closes with the sums of the ledger, and its lines are the difference. Every month with
  // transactions that counts as closed has one.
  defineAudit(
    'money.statements',
    `select coalesce(c.account_id, m.account_id) as account_id, coalesce(c.month_start, m.month_start) as month_start,
       c.opening_micros, c.closing_micros, m.closing, c.fees, m.fees as exact_fees
     from (
       select s.account_id, s.month_start, s.opening_micros, s.closing_micros, l.change, l.fees
       from closed_statements s
       cross join lateral (
         select
           sum((line ->> 'sales')::numeric + (line ->> 'credits')::numeric - (line ->> 'purchases')::numeric
             - (line ->> 'fees')::numeric) as change,
           sum((line ->> 'fees')::numeric) as fees
         from jsonb_array_elements(s.lines) as line
       ) l
     ) c
     full join (
       select t.account_id, t.month_start, t.moved, t.fees, f.open_month,
         sum(t.moved) over (partition by t.account_id order by t.month_start) as closing
       from (
         select account_id, ${monthOf('created_at')} as month_start, sum(amount_micros) as moved,
           sum(fee_micros) as fees
         from ledger_transactions
         group by 1, 2
       ) t
       left join usage_folds f on f.account_id = t.account_id
     ) m on m.account_id = c.account_id and m.month_start = c.month_start
     where (c.account_id is not null or m.month_start < m.open_month) and (
       c.closing_micros is distinct from m.closing
       or c.opening_micros is distinct from m.closing - m.moved
       or c.change is distinct from m.moved
       or c.fees is distinct from m.fees
     )`,
  ),
]
