/** Statements: the money of an account in one month of UTC (docs/concepts/usage.md, "Statements"). */
import { daySeconds } from '@bourse/text/time/units.ts'

/** The sums of one pool and SKU, or of postings. Micro-dollars. */
export type StatementSums = {
  readonly sku_id: string | null
  readonly workspace_id: string | null
  readonly purchases: bigint
  /** Before fees. */
  readonly sales: bigint
  readonly fees: bigint
  readonly credits: bigint
}

/** Seconds after the end of a month in which its statement may still change. */
export const closingSeconds = 2 * daySeconds

/** A month: seconds. */
export type Month = { readonly start: number; readonly end: number }

/** The month that a text such as 2026-01 names. */
export function monthOf(text: string): Month {
  const [year = 0, month = 0] = text.split('-').map(Number)
  return { start: Date.UTC(year, month - 1, 1) / 1000, end: Date.UTC(year, month, 1) / 1000 }
}

/** The month that a time lies in. */
export function monthAt(seconds: number): Month {
  const date = new Date(seconds * 1000)
  const firstOf = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / 1000
  return { start: firstOf(date.getUTCMonth()), end: firstOf(date.getUTCMonth() + 1) }
}

/** Whether the statement of a month changes no more. */
export function isClosed({ end }: Month, now: number): boolean {
  return now >= end + closingSeconds
}

/** The beginning of the first month that is not closed. */
export function openMonthAt(now: number): number {
  return monthAt(now - closingSeconds).start
}

/** How many months later another one begins. */
export function monthsBetween(first: Month, later: Month): number {
  const [a, b] = [new Date(first.start * 1000), new Date(later.start * 1000)]
  return 12 * (b.getUTCFullYear() - a.getUTCFullYear()) + b.getUTCMonth() - a.getUTCMonth()
}

/** Adds up sums by SKU and workspace, in the order of both; postings last. Lines without money are left out. */
export function linesOf(sums: readonly StatementSums[]): StatementSums[] {
  const lines = new Map<string, StatementSums>()
  for (const one of sums) {
    const key = `${one.sku_id ?? '~'} ${one.workspace_id ?? '~'}`
    const known = lines.get(key)
    lines.set(key, known ? added(known, one) : one)
  }
  return [...lines]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => line)
    .filter(({ purchases, sales, fees, credits }) => [purchases, sales, fees, credits].some((sum) => sum !== 0n))
}

/** The sums of all lines. */
export function totalOf(lines: readonly StatementSums[]): StatementSums {
  const none = { sku_id: null, workspace_id: null, purchases: 0n, sales: 0n, fees: 0n, credits: 0n }
  return lines.reduce(added, none)
}

/** What the sums change the balance by. */
export function changeOf({ purchases, sales, fees, credits }: StatementSums): bigint {
  return sales + credits - purchases - fees
}

function added(a: StatementSums, b: StatementSums): StatementSums {
  return {
    ...a,
    purchases: a.purchases + b.purchases,
    sales: a.sales + b.sales,
    fees: a.fees + b.fees,
    credits: a.credits + b.credits,
  }
}
