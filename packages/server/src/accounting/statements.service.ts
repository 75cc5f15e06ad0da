import type { Statement, StatementLine } from '@bourse/api/billing/statements.ts'
import { printDollars } from '@bourse/api/kit/money.ts'
import { refuse } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { hasPermission, refuseNotFound } from '../iam/access/permissions.service.ts'
import { readPoolsEver } from '../market/pools/pools.service.ts'
import { closingSeconds } from './focus.rules.ts'
import { changeOf, linesOf, monthOf, type StatementSums, totalOf } from './statements.rules.ts'
import { findPosted, listTraded, type TradedRow } from './statements.store.ts'
import { readRemainder, requireVersion } from './usage-fold.service.ts'

const hourSeconds = 3600

/**
 * Reads the statement of a month. Nothing is stored when a month closes: the ledger is only ever added to, and by then
 * no transaction of the month can still be on its way.
 */
export async function getStatement(ctx: Ctx, month: string): Promise<Statement> {
  // A month hides nothing, so a missing right is 403 and not 404.
  if (!hasPermission(ctx, 'billing:read', null)) refuse('forbidden', 'This needs the permission billing:read.')
  const { account_id } = callerOf(ctx)
  const { start, end } = monthOf(month)
  // A month that has not begun has no statement.
  if (start > ctx.now) refuseNotFound()
  // Only trades count here, so no cost has to be spread.
  const remainder = await readRemainder(ctx, account_id, { from: 0, to: 0 })
  const [stored, before, posted, postedBefore] = await Promise.all([
    listTraded(ctx.db, account_id, start / hourSeconds, end / hourSeconds),
    listTraded(ctx.db, account_id, 0, start / hourSeconds),
    findPosted(ctx.db, account_id, start, end),
    findPosted(ctx.db, account_id, 0, start),
  ])
  await requireVersion(ctx, account_id, remainder)
  const rest = (from: number, to: number) => restOf(remainder.cells, from / hourSeconds, to / hourSeconds)
  const trades = [...stored, ...rest(start, end)]
  const pools = await readPoolsEver(ctx, [...new Set(trades.map(({ pool_id }) => pool_id))])
  const workspaces = new Map(pools.map(({ id, workspace_id }) => [id as string, workspace_id as string]))
  const lines = linesOf([...trades.map((row) => sumsOf(row, workspaces.get(row.pool_id) ?? null)), postings(posted)])
  const past = [...before, ...rest(0, start)].map((row) => sumsOf(row, null))
  const opening = changeOf(totalOf([...past, postings(postedBefore)]))
  const total = totalOf(lines)
  return {
    object: 'statement',
    month,
    period_start: start,
    period_end: end,
    state: ctx.now >= end + closingSeconds ? 'closed' : 'open',
    opening_balance_dollars: printDollars(opening),
    closing_balance_dollars: printDollars(opening + changeOf(total)),
    ...presentSums(total),
    lines: lines.map((line): StatementLine => {
      const { sku_id, workspace_id } = line
      return {
        sku: sku_id as StatementLine['sku'],
        workspace: workspace_id as StatementLine['workspace'],
        ...presentSums(line),
      }
    }),
  }
}

type Cells = Awaited<ReturnType<typeof readRemainder>>['cells']

/** What is not folded yet of the hours `[first, end)`. */
function restOf(cells: Cells, first: number, end: number): TradedRow[] {
  const rows: TradedRow[] = []
  for (const { pool_id, sku_id, hours } of cells.values()) {
    for (const [hour, { bought_micros, sold_micros, fee_micros }] of hours) {
      if (hour >= first && hour < end) rows.push({ pool_id, sku_id, bought_micros, sold_micros, fee_micros })
    }
  }
  return rows
}

function sumsOf(
  { sku_id, bought_micros, sold_micros, fee_micros }: TradedRow,
  workspace_id: string | null,
): StatementSums {
  const sales = sold_micros + fee_micros
  return { sku_id, workspace_id, purchases: bought_micros, sales, fees: fee_micros, credits: 0n }
}

function postings(credits: bigint): StatementSums {
  return { sku_id: null, workspace_id: null, purchases: 0n, sales: 0n, fees: 0n, credits }
}

function presentSums({ purchases, sales, fees, credits }: StatementSums) {
  return {
    purchases_dollars: printDollars(purchases),
    sales_dollars: printDollars(sales),
    fees_dollars: printDollars(fees),
    credits_dollars: printDollars(credits),
  }
}
