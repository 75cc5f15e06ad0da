import { type Db, statement } from '../core/db/db.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import { type BudgetRow, budgetColumns } from './budgets.rules.ts'

const selectOne = statement<BudgetRow>(
  'billing.find_budget',
  `select ${budgetColumns}
   from budgets b
   where b.id = $1`,
)
const insertRow = statement<never>(
  'billing.insert_budget',
  `insert into budgets (id, account_id, workspace_id, name, period, amount_micros, thresholds_percent,
     threshold_basis, hard_stop, period_start, spent_micros, reached_percent, held_micros, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
)
const updateTerms = statement<never>(
  'billing.update_budget',
  `update budgets
   set name = $2, amount_micros = $3, thresholds_percent = $4, threshold_basis = $5, hard_stop = $6,
     period_start = $7, spent_micros = $8, reached_percent = $9, updated_at = $10
   where id = $1`,
)
const deleteRow = statement<never>(
  'billing.remove_budget',
  `delete from budgets
   where id = $1`,
)
const selectSums = statement<{ spent_micros: bigint; held_micros: bigint }>(
  'billing.sum_for_budget',
  `select
     (select coalesce(-sum(t.amount_micros), 0)
      from ledger_transactions t
      where t.account_id = $1 and t.type = 'buy_fill' and t.created_at >= $3
        and ($2::text is null or t.workspace_id = $2)) as spent_micros,
     (select coalesce(sum(h.amount_micros), 0)
      from holds h
      where h.account_id = $1 and ($2::text is null or h.workspace_id = $2)) as held_micros`,
)
const selectSpentSince = statement<{ workspace_id: string | null; spent_micros: bigint }>(
  'billing.list_spent_since',
  `select t.workspace_id, -sum(t.amount_micros) as spent_micros
   from ledger_transactions t
   where t.account_id = $1 and t.type = 'buy_fill' and t.created_at > $2
   group by t.workspace_id`,
)

export function findBudget(db: Db, id: string): Promise<BudgetRow | undefined> {
  return db.row(selectOne, [id])
}

export async function insertBudget(db: Db, row: BudgetRow): Promise<void> {
  const terms = [row.period, row.amount_micros, row.thresholds_percent, row.threshold_basis, row.hard_stop]
  const sums = [row.period_start, row.spent_micros, row.reached_percent, row.held_micros]
  await db.run(insertRow, [row.id, row.account_id, row.workspace_id, row.name, ...terms, ...sums, row.created_at])
}

/** Stores the terms of a budget, and what is spent and reached. What is held is not changed. */
export async function putBudget(db: Db, row: BudgetRow): Promise<void> {
  const terms = [row.name, row.amount_micros, row.thresholds_percent, row.threshold_basis, row.hard_stop]
  const sums = [row.period_start, row.spent_micros, row.reached_percent]
  await db.run(updateTerms, [row.id, ...terms, ...sums, row.updated_at])
}

export async function removeBudget(db: Db, id: string): Promise<boolean> {
  return (await db.run(deleteRow, [id])) > 0
}

/** What an account or a workspace has spent since a time, and what is held for it now. */
export async function sumForBudget(
  db: Db,
  { account_id, workspace_id, since }: { account_id: string; workspace_id: string | null; since: number },
): Promise<{ spent_micros: bigint; held_micros: bigint }> {
  const row = await db.row(selectSums, [account_id, workspace_id, since])
  return row as { spent_micros: bigint; held_micros: bigint }
}

/** What an account has spent after a time, by workspace. */
export function listSpentSince(
  db: Db,
  account_id: string,
  since: number,
): Promise<{ workspace_id: string | null; spent_micros: bigint }[]> {
  return db.rows(selectSpentSince, [account_id, since])
}

/** A page of budgets; `where` selects them. */
export function listBudgetPage(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<BudgetRow>> {
  const select = `select ${budgetColumns} from budgets b`
  return readPage<BudgetRow>(ctx, { prefix: 'bdgtc', query, select, where, sort: newestFirst('b') })
}
