/** Sums of money as the API writes it, and usage as series. Pure; exact, in millionths of a dollar. */
import type { Budget, Transaction, Usage } from '@bourse/sdk'
import { microsOf, printDollars } from '@bourse/text/money.ts'

/** The sum of amounts. */
export function sumOf(amounts: readonly string[]): string {
  return printDollars(amounts.reduce((sum, one) => sum + microsOf(one), 0n))
}

/** What a chart of usage shows. */
export type Measure = 'effective_cost_dollars' | 'bought_dollars' | 'sold_dollars' | 'used_node_minutes'

/** A line of a chart. */
export type UsageSeries = { readonly name: string; readonly values: readonly (number | null)[] }

/** Groups beyond this number are one line. */
const linesMax = 6

/** The groups of usage, the largest first, each with a value for every period. Periods without a row count as zero. */
export function usageSeries(rows: readonly Usage[], measure: Measure, times: readonly number[]): UsageSeries[] {
  const places = new Map(times.map((time, index) => [time, index]))
  const byGroup = new Map<string, number[]>()
  for (const row of rows) {
    const name = groupName(row.group)
    const values = byGroup.get(name) ?? times.map(() => 0)
    const at = places.get(row.period_start)
    if (at !== undefined) values[at] = (values[at] as number) + valueIn(row, measure)
    byGroup.set(name, values)
  }
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const ordered = [...byGroup].toSorted(([, a], [, b]) => total(b) - total(a))
  const shown = ordered.slice(0, linesMax).map(([name, values]) => ({ name, values }))
  const rest = ordered.slice(linesMax).map(([, values]) => values)
  if (rest.length === 0) return shown
  const others = times.map((_, at) => total(rest.map((values) => values[at] as number)))
  return [...shown, { name: `${rest.length} others`, values: others }]
}

function valueIn(row: Usage, measure: Measure): number {
  return measure === 'used_node_minutes' ? row.used_node_minutes / 60 : Number(row[measure])
}

/** A group in words; rows that are not grouped are `all`. */
export function groupName(group: Usage['group']): string {
  const values = Object.values(group).map((value) => value ?? 'without')
  return values.length === 0 ? 'all' : values.join(' · ')
}

/** How much of a budget is used: what is spent and held, as whole percentages of the amount. */
export function budgetShares({ amount_dollars, spent_dollars, held_dollars }: BudgetSums): BudgetShares {
  const amount = microsOf(amount_dollars)
  const share = (micros: bigint) => (amount === 0n ? 0 : Number((micros * 100n) / amount))
  const spent = share(microsOf(spent_dollars))
  return { spent, reserved: share(microsOf(spent_dollars) + microsOf(held_dollars)) }
}

type BudgetSums = Pick<Budget, 'amount_dollars' | 'spent_dollars' | 'held_dollars'>
type BudgetShares = { readonly spent: number; readonly reserved: number }

type Movement = Pick<Transaction, 'created_at' | 'amount_dollars' | 'balance_after_dollars'>

/**
 * The total at each of some moments, from movements with the newest first. Before the first movement it is what that
 * one began with; without any movement it is the present one.
 */
export function totalsAt(movements: readonly Movement[], total: string, times: readonly number[]): readonly number[] {
  const first = movements.at(-1)
  const before = first ? printDollars(microsOf(first.balance_after_dollars) - microsOf(first.amount_dollars)) : total
  return times.map((at) => {
    const last = movements.find(({ created_at }) => created_at <= at)
    return Number(last?.balance_after_dollars ?? before)
  })
}

/** The number of a statement: each account has one a month. */
export function statementNumber(account: string, month: string): string {
  return `${month}-${account}`
}
