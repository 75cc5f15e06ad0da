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
const selectOwn = statement<BudgetRow>(
  'billing.list_own_budgets',
  `select ${budgetColumns}
   from budgets b
   where b.id = any($1) and b.account_id = $2`,
)
const insertRow = statement<never>(
  'billing.insert_budget',
  `insert into budgets (id, account_id, workspace_id, name, period, amount_micros, thresholds_percent,
     threshold_basis, hard_stop, period_start, spent_micros, reached_percent, held_micros, recent, created_at,
     updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
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
const hourly = `select t.created_at / 3600 as hour, -sum(t.amount_micros) as spent_micros,
     -sum(t.amount_micros) filter (where t.created_at >= $3) as counted_micros
   from ledger_transactions t
   where t.account_id = $1 and t.type = 'buy_fill' and ($2::text is null or t.workspace_id = $2)`
const selectSpent = statement<SpentHour>(
  'billing.list_spent_hours',
  `${hourly}
     and t.created_at >= least($3, $4) and t.position <= $5
   group by t.created_at / 3600`,
)
// The few that came later are found by their position, which no index has beside the type.
const selectSpentLater = statement<SpentHour>(
  'billing.list_later_spent_hours',
  `${hourly}
     and t.position > $4
   group by t.created_at / 3600`,
)
const selectPosition = statement<{ position: number }>(
  'billing.find_position',
  `select coalesce(max(position), 0) as position
   from ledger_transactions
   where account_id = $1`,
)
const selectHeld = statement<{ held_micros: bigint }>(
  'billing.sum_holds',
  `select coalesce(sum(h.amount_micros), 0) as held_micros
   from holds h
   where h.account_id = $1 and ($2::text is null or h.workspace_id = $2)`,
)

/** What was spent in an hour, and what of it counts from a time on; null if nothing does. */
type SpentHour = {
  readonly hour: number
  readonly spent_micros: bigint
  readonly counted_micros: bigint | null
}

/** Whose spending counts: a workspace of an account, or all of them; and from which second on. */
export type SpendingScope = {
  readonly account_id: string
  readonly workspace_id: string | null
  readonly since: number
}

export function findBudget(db: Db, id: string): Promise<BudgetRow | undefined> {
  return db.row(selectOne, [id])
}

/** Those of some budgets that an account has. */
export function listOwnBudgets(db: Db, ids: readonly string[], accountId: string): Promise<BudgetRow[]> {
  return db.rows(selectOwn, [ids, accountId])
}

export async function insertBudget(db: Db, row: BudgetRow): Promise<void> {
  const terms = [row.period, row.amount_micros, row.thresholds_percent, row.threshold_basis, row.hard_stop]
  const sums = [row.period_start, row.spent_micros, row.reached_percent, row.held_micros, JSON.stringify(row.recent)]
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

/** The last position in the ledger of an account. */
export async function findPosition(db: Db, accountId: string): Promise<number> {
  return ((await db.row(selectPosition, [accountId])) as { position: number }).position
}

/** What was spent by hour up to a position of the ledger: since the time of the scope, and after `recent_since`. */
export function listSpent(
  db: Db,
  { account_id, workspace_id, since }: SpendingScope,
  { recent_since, position }: { readonly recent_since: number; readonly position: number },
): Promise<SpentHour[]> {
  return db.rows(selectSpent, [account_id, workspace_id, since, recent_since, position])
}

/** What was spent by hour after a position of the ledger. */
export function listSpentAfter(db: Db, scope: SpendingScope, position: number): Promise<SpentHour[]> {
  return db.rows(selectSpentLater, [scope.account_id, scope.workspace_id, scope.since, position])
}

/** What is held now for a workspace of an account, or for all of them. */
export async function sumHeld(db: Db, accountId: string, workspaceId: string | null): Promise<bigint> {
  return ((await db.row(selectHeld, [accountId, workspaceId])) as { held_micros: bigint }).held_micros
}

/** A page of budgets; `where` selects them. */
export function listBudgetPage(ctx: Ctx, query: PageQuery, where: Conditions): Promise<Page<BudgetRow>> {
  const select = `select ${budgetColumns} from budgets b`
  return readPage<BudgetRow>(ctx, { prefix: 'bdgtc', query, select, where, sort: newestFirst('b') })
}
