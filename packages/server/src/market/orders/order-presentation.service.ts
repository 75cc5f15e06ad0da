import type { Id } from '@bourse/api/kit/ids.ts'
import { fillsShownMax, type Order } from '@bourse/api/market/orders.ts'
import { printDollars } from '@bourse/text/money.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { pickSummary, type Summary, summaries } from '../../iam/names/names.service.ts'
import { holdFor, printAveragePrice, printPrice } from '../schedule/prices.rules.ts'
import { nodeMinutes, toEntries } from '../schedule/schedule.rules.ts'
import { skuSummaries } from '../skus/skus.service.ts'
import { rectangleOf } from '../trading/order-admission.rules.ts'
import { presentFill } from '../trading/order-events.rules.ts'
import { type FillRow, isOpenRecord, type OrderRow } from '../trading/trading.rules.ts'

/** An order with its fills, the newest first. */
type ShownOrder = { readonly row: OrderRow; readonly fills: readonly FillRow[] }

/** Orders as their account sees them. */
export async function presentOrders(ctx: Ctx, orders: readonly ShownOrder[]): Promise<Order[]> {
  const rows = orders.map(({ row }) => row)
  const related = await loadRelated(ctx, rows)
  return orders.map((order) => presentOrder(order, related))
}

/** Reads the names and SKUs that orders refer to. They can be read before the orders are decided. */
async function loadRelated(ctx: Ctx, orders: readonly OrderPlace[]): Promise<OrderRelations> {
  const ids = orders.flatMap((row) => [row.workspace_id, row.pool_id, row.managed_by, row.created_by_token_id])
  const skuIds = orders.map(({ sku_id }) => sku_id)
  const [names, skus] = await Promise.all([summaries(ctx, ids), skuSummaries(ctx, skuIds)])
  return { names, skus }
}

/** The references of an order. */
type OrderPlace = Pick<OrderRow, 'workspace_id' | 'pool_id' | 'managed_by' | 'created_by_token_id' | 'sku_id'>

/** The names and SKUs that orders refer to. */
export type OrderRelations = { names: ReadonlyMap<string, Summary>; skus: Awaited<ReturnType<typeof skuSummaries>> }

/** An order as its account sees it. */
export function presentOrder({ row, fills }: ShownOrder, { names, skus }: OrderRelations): Order {
  const pool = names.get(row.pool_id)
  const manager = row.managed_by === null ? undefined : names.get(row.managed_by)
  const holder = row.side === 'buy' && isOpenRecord(row) ? holdFor(row.price_micros, nodeMinutes(row.remaining)) : 0n
  const token = row.created_by_token_id
  return {
    object: 'order',
    id: row.id,
    workspace: pickSummary(names, 'workspace', row.workspace_id),
    pool: pool ? (pool as Order['pool']) : null,
    sku: skus.get(row.sku_id) as Order['sku'],
    side: row.side,
    state: row.state,
    allow_standing: row.allow_standing,
    allow_partial: row.allow_partial,
    allocation_schedule_delta: entriesOf(row.requested ?? rectangleOf(row)),
    filled_allocation_schedule_delta: entriesOf(row.filled),
    total: { start_at: row.start_minute * 60, end_at: row.end_minute * 60, node_count: row.node_count },
    filled_before_allocation_schedule_delta: entriesOf(row.filled_before),
    limit_price_dollars_per_node_hour: printPrice(row.price_micros),
    filled_average_price_dollars_per_node_hour: printAveragePrice({
      value_micros: row.filled_value_micros,
      cut_sixtieths: row.filled_cut_sixtieths,
      node_minutes: BigInt(row.filled_node_minutes),
    }),
    held_dollars: printDollars(holder),
    fills: fills.slice(0, fillsShownMax).map((fill) => presentFill(fill, row.side)),
    amends: row.amends,
    amended_by: row.amended_by,
    managed_by: manager ? (manager as Order['managed_by']) : null,
    created_by:
      token === null ? { type: 'system' } : { type: 'token', id: token, name: names.get(token)?.name ?? token },
    created_at: row.created_at,
    filled_at: row.filled_at,
    cancelled_at: row.cancelled_at,
    cancel_reason: row.cancel_reason,
    rejected_reason: null,
  } as Order
}

function entriesOf(schedule: readonly number[]): Order['allocation_schedule_delta'] {
  return toEntries(schedule) as Order['allocation_schedule_delta']
}

/** The ids of some orders. */
export function idsOf(rows: readonly OrderRow[]): Id<'order'>[] {
  return rows.map(({ id }) => id)
}

/** The price of a fill in dollars per node-hour. */
export function shownPrice(priceMicros: bigint): string {
  return printPrice(priceMicros)
}
