-- serves: 45
-- Spending of the last hours, `[[hour, micro-dollars], …]`, for the forecast. A program of an earlier version does not
-- keep it, so forecasts can be low for a day after an upgrade.
alter table budgets add column recent jsonb not null default '[]';
-- locks: budgets are few, and a fill of their account waits for one row.
update budgets b
set recent = r.recent
from (
  select h.id, jsonb_agg(jsonb_build_array(h.hour, h.spent::text) order by h.hour) as recent
  from (
    select b.id, t.created_at / 3600 as hour, -sum(t.amount_micros) as spent
    from budgets b
    join ledger_transactions t on t.account_id = b.account_id and t.type = 'buy_fill'
      and (b.workspace_id is null or t.workspace_id = b.workspace_id)
      and t.created_at > (select max(m.updated_at) - 86400 from money_accounts m)
    group by b.id, t.created_at / 3600
  ) h
  group by h.id
) r
where r.id = b.id;
