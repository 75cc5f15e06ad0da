import type {
  Budget,
  createBudget as createContract,
  updateBudget as updateContract,
} from '@bourse/api/billing/budgets.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { parseDollars, printDollars } from '@bourse/text/money.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { refuse, throwIfRefused } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { conditions, type PageQuery, pageResponse } from '../core/work/page.ts'
import { allow, chooseWorkspace, refuseNotFound } from '../iam/access/permissions.service.ts'
import { mayReadOrList, type ReadNames } from '../iam/access/shown-names.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { idToLoad } from '../iam/names/names.service.ts'
import { announceBudgets, announceReached, budgetDue } from './budget-sums.service.ts'
import {
  atTime,
  type BudgetRow,
  budgetName,
  forecastMicros,
  recentOf,
  refuseThresholds,
  spanOf,
} from './budgets.rules.ts'
import {
  findBudget,
  findPosition,
  insertBudget,
  listBudgetPage,
  listOwnBudgets,
  listSpent,
  listSpentAfter,
  putBudget,
  removeBudget,
  type SpendingScope,
  sumHeld,
} from './budgets.store.ts'
import { fundsAdded, lockAllBalances } from './money.service.ts'

const thresholdsByDefault = [50, 80, 100]

/** Creates a budget. What was spent in the running period, and what is held, counts from the beginning. */
export async function createBudget(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Budget> {
  const { account_id } = callerOf(ctx)
  await allow(ctx, 'billing:create', null)
  const { period, thresholds_percent = thresholdsByDefault, threshold_basis = 'actual', hard_stop = false } = body
  const terms = { period, thresholds_percent, threshold_basis }
  const amount_micros = readAmount(body.amount_dollars, 'amount_dollars')
  throwIfRefused(refuseThresholds(terms))
  const workspace_id = body.workspace === undefined ? null : await chooseWorkspace(ctx, body.workspace)
  await takeLimit(ctx, account_id, 'budgets')
  const { start } = spanOf(period, ctx.now)
  const sums = await sumUnderLock(ctx, { account_id, workspace_id, since: start })
  const row: BudgetRow = {
    id: ctx.newId('budget'),
    account_id,
    workspace_id,
    name: body.name ?? null,
    ...terms,
    amount_micros,
    hard_stop,
    period_start: start,
    reached_percent: [],
    ...sums,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  announceBudgets(ctx, [row])
  await insertBudget(ctx.db, row)
  scheduleEnd(ctx, row)
  return present(row, ctx.now)
}

/**
 * Locks the money of an account and adds up what counts towards a new budget, so that no hold and no fill is missed or
 * counted twice. What is in the ledger before the lock is added up before it, as buys would wait for a long history.
 */
async function sumUnderLock(ctx: Ctx, scope: SpendingScope): Promise<NewBudgetSums> {
  const { account_id, workspace_id } = scope
  const position = await findPosition(ctx.db, account_id)
  const known = await listSpent(ctx.db, scope, { recent_since: ctx.now - daySeconds, position })
  await lockAllBalances(ctx, [account_id])
  const [later, held_micros] = await Promise.all([
    listSpentAfter(ctx.db, scope, position),
    sumHeld(ctx.db, account_id, workspace_id),
  ])
  const spent = [...known, ...later]
  return {
    held_micros,
    spent_micros: spent.reduce((sum, { counted_micros }) => sum + (counted_micros ?? 0n), 0n),
    recent: recentOf(spent, ctx.now),
  }
}

type NewBudgetSums = Pick<BudgetRow, 'spent_micros' | 'held_micros' | 'recent'>

/** Lists the budgets of the caller's account. */
export async function listBudgets(ctx: Ctx, query: PageQuery & { workspace?: Ref<'workspace'> }) {
  await allow(ctx, 'billing:list', null)
  const { account_id } = callerOf(ctx)
  const where = conditions().add('b.account_id = $', account_id)
  if (query.workspace !== undefined)
    where.check('b.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  const page = await listBudgetPage(ctx, query, where)
  return pageResponse(
    page,
    page.rows.map((row) => present(row, ctx.now)),
  )
}

/** Budgets by their names, those without one by their amount and period. */
export const readBudgetNames: ReadNames = async (ctx, ids) => {
  const wanted = ids.filter((id) => id.startsWith('bdgt_'))
  if (wanted.length === 0 || !mayReadOrList(ctx, 'billing', null)) return []
  const rows = await listOwnBudgets(ctx.db, wanted, callerOf(ctx).account_id)
  return rows.map((row) => ({ id: row.id, type: 'budget', name: budgetName(row) }))
}

/** Reads one budget. */
export async function getBudget(ctx: Ctx, id: Id<'budget'>): Promise<Budget> {
  return present(await loadBudget(ctx, id, 'billing:read'), ctx.now)
}

/** Changes the terms of a budget. What is spent and reached in its period stays. */
export async function updateBudget(
  ctx: Ctx,
  id: Id<'budget'>,
  body: Input<typeof updateContract>['body'],
): Promise<Budget> {
  const known = await loadBudget(ctx, id, 'billing:write')
  const sentMicros = body.amount_dollars === undefined ? undefined : readAmount(body.amount_dollars, 'amount_dollars')
  const row = await lockBudget(ctx, known)
  const changed: BudgetRow = {
    ...row,
    name: body.name === undefined ? row.name : body.name,
    amount_micros: sentMicros ?? row.amount_micros,
    thresholds_percent: body.thresholds_percent ?? row.thresholds_percent,
    threshold_basis: body.threshold_basis ?? row.threshold_basis,
    hard_stop: body.hard_stop ?? row.hard_stop,
    updated_at: Object.keys(body).length === 0 ? row.updated_at : ctx.now,
  }
  throwIfRefused(refuseThresholds(changed))
  announceBudgets(ctx, [changed])
  await putBudget(ctx.db, changed)
  if (allowsMore(row, changed)) ctx.publish(fundsAdded, row.account_id)
  return present(changed, ctx.now)
}

/** Deletes a budget. */
export async function deleteBudget(ctx: Ctx, id: Id<'budget'>): Promise<void> {
  const known = await loadBudget(ctx, id, 'billing:delete')
  await remove(ctx, await lockBudget(ctx, known))
}

/** Deletes the budgets of a workspace that is deleted. */
export async function removeBudgetsOfWorkspace(
  ctx: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): Promise<void> {
  const [balance] = await lockAllBalances(ctx, [account_id])
  for (const row of balance?.budgets ?? []) if (row.workspace_id === workspace_id) await remove(ctx, row)
}

/**
 * One step of a budget: begins a new period, compares the forecast with the thresholds, and lets automations try again
 * that it kept from buying. Returns the end of the period; undefined if it has none or the budget is deleted.
 */
export async function stepBudget(ctx: Ctx, id: Id<'budget'>): Promise<number | undefined> {
  const known = await findBudget(ctx.db, id)
  if (!known) return undefined
  const [balance] = await lockAllBalances(ctx, [known.account_id])
  const found = balance?.budgets.find((budget) => budget.id === id)
  if (!found) return undefined
  const row = atTime(found, ctx.now)
  const forecast = forecastMicros(row, ctx.now)
  const isForecast = row.threshold_basis === 'forecast' && forecast !== null
  const after = isForecast ? announceReached(ctx, row, forecast) : row
  await putBudget(ctx.db, after)
  if (row.hard_stop) ctx.publish(fundsAdded, row.account_id)
  return spanOf(row.period, ctx.now).end ?? undefined
}

async function remove(ctx: Ctx, row: BudgetRow): Promise<void> {
  if (!(await removeBudget(ctx.db, row.id))) refuseNotFound()
  await returnLimit(ctx, row.account_id, 'budgets')
  ctx.unschedule(budgetDue, row.id)
  if (row.hard_stop) ctx.publish(fundsAdded, row.account_id)
}

/** The step at the end of the period. */
function scheduleEnd(ctx: Ctx, { id, period }: BudgetRow): void {
  const { end } = spanOf(period, ctx.now)
  if (end !== null) ctx.schedule(budgetDue, id, end)
}

function allowsMore(before: BudgetRow, after: BudgetRow): boolean {
  return before.hard_stop && (!after.hard_stop || after.amount_micros > before.amount_micros)
}

async function loadBudget(
  ctx: Ctx,
  id: Id<'budget'>,
  permission: 'billing:read' | 'billing:write' | 'billing:delete',
): Promise<BudgetRow> {
  const row = await findBudget(ctx.db, id)
  if (row?.account_id !== callerOf(ctx).account_id) refuseNotFound()
  await allow(ctx, permission, null)
  return row
}

/** Locks the money of an account and reads one of its budgets again, in its period of now. */
async function lockBudget(ctx: Ctx, { id, account_id }: BudgetRow): Promise<BudgetRow> {
  const [balance] = await lockAllBalances(ctx, [account_id])
  const row = balance?.budgets.find((budget) => budget.id === id)
  return row ? atTime(row, ctx.now) : refuseNotFound()
}

/** Reads an amount of a request that is not zero. */
export function readAmount(text: string, field: string): bigint {
  const micros = parseDollars(text) ?? 0n
  if (micros === 0n) refuse('out_of_range', 'The amount must not be zero.', field)
  return micros
}

function present(stored: BudgetRow, now: number): Budget {
  const row = atTime(stored, now)
  const { start, end } = spanOf(row.period, now)
  const forecast = forecastMicros(row, now)
  return {
    object: 'budget',
    id: row.id,
    name: row.name,
    workspace: row.workspace_id,
    period: row.period,
    amount_dollars: printDollars(row.amount_micros),
    thresholds_percent: [...row.thresholds_percent],
    threshold_basis: row.threshold_basis,
    reached_percent: [...row.reached_percent],
    hard_stop: row.hard_stop,
    spent_dollars: printDollars(row.spent_micros),
    held_dollars: printDollars(row.held_micros),
    forecast_dollars: forecast === null ? null : printDollars(forecast),
    period_start: end === null ? null : start,
    period_end: end,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
