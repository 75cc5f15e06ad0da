/** The money of a month, added up from the ledger and the sums of usage. */
import { hourSeconds } from '@bourse/text/time/units.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { readPoolsEver } from '../../market/pools/pools.service.ts'
import { type Remainder, readRemainder, requireVersion } from '../usage/usage-fold.service.ts'
import { findPosted, listTraded, type TradedRow } from './month-sums.store.ts'
import { changeOf, linesOf, type Month, type StatementSums, totalOf } from './statements.rules.ts'

/** What a month opened with, in micro-dollars, and its lines. */
export type MonthSums = { readonly opening: bigint; readonly lines: readonly StatementSums[] }

/** The balance at the end of an earlier month. */
type EarlierBalance = { readonly end: number; readonly closing: bigint }

/** Adds up a month. It opens with an earlier balance and what came after it; without one with all that came before. */
export async function readMonth(
  ctx: Ctx,
  accountId: string,
  { start, end }: Month,
  before: EarlierBalance = { end: 0, closing: 0n },
): Promise<MonthSums> {
  // Only trades count here, so no cost has to be spread.
  const remainder = await readRemainder(ctx, accountId, { from: 0, to: 0 })
  const since = before.end
  const [stored, between, posted, postedBetween] = await Promise.all([
    listTraded(ctx.db, accountId, start / hourSeconds, end / hourSeconds),
    listTraded(ctx.db, accountId, since / hourSeconds, start / hourSeconds),
    findPosted(ctx.db, accountId, start, end),
    findPosted(ctx.db, accountId, since, start),
  ])
  await requireVersion(ctx, accountId, remainder)
  const rest = (from: number, to: number) => restOf(remainder.cells, from / hourSeconds, to / hourSeconds)
  const trades = [...stored, ...rest(start, end)]
  const pools = await readPoolsEver(ctx, [...new Set(trades.map(({ pool_id }) => pool_id))])
  const workspaces = new Map(pools.map(({ id, workspace_id }) => [id as string, workspace_id as string]))
  const lines = linesOf([...trades.map((row) => sumsOf(row, workspaces.get(row.pool_id) ?? null)), postings(posted)])
  const past = [...between, ...rest(since, start)].map((row) => sumsOf(row, null))
  const opening = before.closing + changeOf(totalOf([...past, postings(postedBetween)]))
  return { opening, lines }
}

/** What is not folded yet of the hours `[first, end)`. */
function restOf(cells: Remainder['cells'], first: number, end: number): TradedRow[] {
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
