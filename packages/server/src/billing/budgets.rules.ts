/**
 * Budgets: their periods, what counts towards them, what they refuse and which of their thresholds are reached. The
 * sums of a budget change only with the balances of its account, under the lock of the account's money.
 */

import type { Budget } from '@bourse/api/billing/budgets.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { comparedMoney, moneyText } from '@bourse/text/formats/short.ts'
import { printDollars } from '@bourse/text/money.ts'
import { daySeconds, hourSeconds } from '@bourse/text/time/units.ts'
import type { RefusalData } from '../core/base/refusal.ts'

/** A budget with its sums. */
export type BudgetRow = {
  readonly id: Id<'budget'>
  readonly account_id: string
  /** Null: the whole account. */
  readonly workspace_id: Id<'workspace'> | null
  readonly name: string | null
  readonly period: Budget['period']
  readonly amount_micros: bigint
  readonly thresholds_percent: readonly number[]
  readonly threshold_basis: Budget['threshold_basis']
  readonly hard_stop: boolean
  /** The period of `spent_micros` and `reached_percent`, by its first second; 0 for `total`. */
  period_start: number
  spent_micros: bigint
  reached_percent: readonly number[]
  held_micros: bigint
  /** What was spent in each of the last hours, oldest first, for the forecast. */
  recent: RecentSpending
  readonly created_at: number
  readonly updated_at: number
}

/** Hours since 1970, and the micro-dollars that were spent in them as text, which JSON keeps exactly. */
export type RecentSpending = readonly (readonly [hour: number, micros: string])[]

/** The columns of {@link BudgetRow}, of a table `budgets b`. */
export const budgetColumns = `b.id, b.account_id, b.workspace_id, b.name, b.period,
  b.amount_micros::numeric as amount_micros,
  b.thresholds_percent, b.threshold_basis, b.hard_stop, b.period_start, b.spent_micros::numeric as spent_micros,
  b.reached_percent, b.held_micros::numeric as held_micros, b.recent, b.created_at, b.updated_at`

/** The first second of a period, and that of the next one; null where there is none. */
type BudgetSpan = { readonly start: number; readonly end: number | null }

/** The running hour and those before it whose spending is the pace of a forecast. */
const recentHours = 24

const periodWords: Readonly<Record<Budget['period'], string>> = {
  day: 'each day',
  month: 'each month',
  total: 'in all',
}

/** What people call a budget: its name, else its amount and period, such as `$500.00 each month`. */
export function budgetName({ name, amount_micros, period }: Pick<BudgetRow, 'name' | 'amount_micros' | 'period'>) {
  return name ?? `${moneyText(printDollars(amount_micros))} ${periodWords[period]}`
}

/** The period that contains a time. */
export function spanOf(period: Budget['period'], now: number): BudgetSpan {
  if (period === 'total') return { start: 0, end: null }
  if (period === 'day') {
    const start = now - (now % daySeconds)
    return { start, end: start + daySeconds }
  }
  const date = new Date(now * 1000)
  const firstOf = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000
  return { start: firstOf(date.getUTCMonth()), end: firstOf(date.getUTCMonth() + 1) }
}

/** A budget at a time: in a new period nothing is spent and no threshold is reached yet. */
export function atTime(budget: BudgetRow, now: number): BudgetRow {
  const { start } = spanOf(budget.period, now)
  if (start <= budget.period_start) return { ...budget }
  return { ...budget, period_start: start, spent_micros: 0n, reached_percent: [] }
}

/** Whether the spending of a workspace counts towards a budget of its account. */
export function countsFor({ workspace_id }: Pick<BudgetRow, 'workspace_id'>, workspace: string): boolean {
  return workspace_id === null || workspace_id === workspace
}

/** Refuses budget_exceeded where a hold would take a budget with a hard stop past its amount. */
export function refuseByBudget(budgets: readonly BudgetRow[], amountMicros: bigint): RefusalData | undefined {
  for (const { hard_stop, amount_micros: limit, spent_micros, held_micros, id, name } of budgets) {
    const left = limit - spent_micros - held_micros
    if (!hard_stop || amountMicros <= left) continue
    const [needed, room] = comparedMoney(printDollars(amountMicros), printDollars(left > 0n ? left : 0n))
    const message = `This needs ${needed}, and the budget ${name ?? id} has ${room} left.`
    return { code: 'budget_exceeded', message }
  }
  return undefined
}

/** The spending of recent hours after something more was spent. Hours that no forecast counts are left out. */
export function withRecent(recent: RecentSpending, now: number, micros: bigint): RecentSpending {
  const hour = Math.floor(now / hourSeconds)
  const hours = new Map(recent.map(([known, spent]) => [known, BigInt(spent)]))
  hours.set(hour, (hours.get(hour) ?? 0n) + micros)
  return [...hours]
    .filter(([known]) => known > hour - recentHours)
    .sort(([a], [b]) => a - b)
    .map(([known, spent]) => [known, String(spent)] as const)
}

/** The spending of recent hours, from sums of hours in any order. */
export function recentOf(
  hours: readonly { readonly hour: number; readonly spent_micros: bigint }[],
  now: number,
): RecentSpending {
  const sorted = hours.toSorted((a, b) => a.hour - b.hour)
  const all = sorted.reduce<RecentSpending>((recent, { hour, spent_micros }) => {
    return withRecent(recent, hour * hourSeconds, spent_micros)
  }, [])
  return withRecent(all, now, 0n)
}

/** What a period comes to: spent and held, and the pace of the last 24 hours until its end. Null without an end. */
export function forecastMicros(
  { period, spent_micros, held_micros, recent }: Pick<BudgetRow, 'period' | 'spent_micros' | 'held_micros' | 'recent'>,
  now: number,
): bigint | null {
  const { end } = spanOf(period, now)
  if (end === null) return null
  const oldest = Math.floor(now / hourSeconds) - recentHours
  const dayMicros = recent.reduce((sum, [hour, spent]) => (hour > oldest ? sum + BigInt(spent) : sum), 0n)
  return spent_micros + held_micros + (dayMicros * BigInt(end - now)) / BigInt(daySeconds)
}

/** The thresholds of a budget that an amount reaches and that were not reached in its period before. */
export function newlyReached(
  { amount_micros, thresholds_percent, reached_percent }: BudgetRow,
  comparedMicros: bigint,
): number[] {
  const isReached = (percent: number) => 100n * comparedMicros >= BigInt(percent) * amount_micros
  return thresholds_percent.filter((percent) => isReached(percent) && !reached_percent.includes(percent))
}

/** The budget after thresholds were reached. */
export function withReached(budget: BudgetRow, percents: readonly number[]): BudgetRow {
  return { ...budget, reached_percent: [...budget.reached_percent, ...percents].sort((a, b) => a - b) }
}

/** Refuses thresholds that do not rise, and those of a forecast where the period has no end. */
export function refuseThresholds({
  period,
  thresholds_percent,
  threshold_basis,
}: Pick<BudgetRow, 'period' | 'thresholds_percent' | 'threshold_basis'>): RefusalData | undefined {
  const falls = thresholds_percent.findIndex((percent, n) => n > 0 && percent <= (thresholds_percent[n - 1] as number))
  if (falls > 0) {
    const [before, after] = thresholds_percent.slice(falls - 1)
    const field = `thresholds_percent.${falls}`
    return { code: 'invalid_value', field, message: `Thresholds rise: ${after} follows ${before}.` }
  }
  if (period === 'total' && threshold_basis === 'forecast') {
    const message = 'A budget of the period total has no end, so there is no forecast.'
    return { code: 'not_applicable', field: 'threshold_basis', message }
  }
  return undefined
}
