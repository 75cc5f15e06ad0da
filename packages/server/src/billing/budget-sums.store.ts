import { type Db, statement } from '../core/db/db.ts'
import { jsonRows } from '../core/db/json-rows.ts'
import { type BudgetRow, budgetColumns } from './budgets.rules.ts'

const selectOfAccounts = statement<BudgetRow>(
  'billing.list_budgets_of_accounts',
  `select ${budgetColumns}
   from budgets b
   where b.account_id = any($1)
   order by b.id`,
)
const updateSums = statement<never>(
  'billing.put_budget_sums',
  `update budgets b
   set period_start = s.period_start, spent_micros = s.spent_micros, held_micros = s.held_micros,
     recent = s.recent, reached_percent = (
       select coalesce(array_agg(percent::integer order by percent::integer), '{}')
       from jsonb_array_elements_text(s.reached_percent) as percent
     )
   from jsonb_to_recordset($1::jsonb)
     as s(id text, period_start bigint, spent_micros bigint, held_micros bigint, recent jsonb, reached_percent jsonb)
   where b.id = s.id`,
)

/** The budgets of some accounts, by id. */
export function listBudgetsOf(db: Db, accountIds: readonly string[]): Promise<BudgetRow[]> {
  return db.rows(selectOfAccounts, [accountIds])
}

/** Stores the sums of budgets and the thresholds that are reached. */
export async function putBudgetSums(db: Db, rows: readonly BudgetRow[]): Promise<void> {
  const sums = rows.map(({ id, period_start, spent_micros, held_micros, recent, reached_percent }) => {
    return { id, period_start, spent_micros, held_micros, recent, reached_percent }
  })
  await db.run(updateSums, [jsonRows(sums)])
}
