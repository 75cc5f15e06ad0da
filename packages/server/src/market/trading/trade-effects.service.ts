import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { recordLimitUses } from '../../iam/names/limit-usage.service.ts'
import { addAllocation, allocationChanged, allocationKey } from '../pools/capacity.service.ts'
import type { MandateRow } from '../pools/mandates.rules.ts'
import { notifyMandateHolder, notifyMandateHolders } from '../pools/mandates.service.ts'
import type { AllocationDelta } from '../pools/pools.rules.ts'
import { span } from '../schedule/schedule.rules.ts'
import { addPromises, insertFills, insertOrders, putUsage, updateOrders } from './trade-effects.store.ts'
import type { BookOrder, CapacityDeltas, Effects, FillRow, OrderRow, OrderUsageRow, Trade } from './trading.rules.ts'

/** The mandates of `pools`. Those of other pools are not known. */
type KnownMandates = { readonly pools: ReadonlySet<string>; readonly rows: readonly MandateRow[] }

type StoredBook = {
  readonly sku_id: Id<'sku'>
  /** The version of the book after this transaction. */
  readonly version: number
  readonly now: number
  /** The rows of new orders, by id. */
  readonly rows: ReadonlyMap<string, OrderRow>
  /** The usage of the accounts before this transaction. */
  readonly usage: readonly OrderUsageRow[]
}

/** Wakes the reconcilers that depend on the allocation or the open orders of pools. */
export async function publishEffects(
  ctx: Ctx,
  effects: Effects,
  { sku_id, mandates }: { sku_id: Id<'sku'>; mandates: KnownMandates },
): Promise<void> {
  for (const pool_id of ownersChanged(effects, sku_id))
    ctx.publish(allocationChanged, allocationKey({ pool_id, sku_id }))
  const pools = poolsOf(effects)
  for (const { pool_id, holder_id } of mandates.rows) if (pools.has(pool_id)) notifyMandateHolder(ctx, holder_id)
  const others = [...pools].filter((pool_id) => !mandates.pools.has(pool_id))
  if (others.length > 0) await notifyMandateHolders(ctx, sku_id, others)
}

/**
 * Stores the effects of trading with one statement for each table. All are sent at once. The caller has locked the
 * money of all accounts.
 */
export async function storeEffects(ctx: Ctx, effects: Effects, place: StoredBook): Promise<void> {
  const { sku_id, version, rows } = place
  const placed = [...effects.placed.values()].map((order) => ({
    ...(rows.get(order.id) as OrderRow),
    ...changesOf(order),
  }))
  const changed = [...effects.changed.values()].map((order) => ({ ...changesOf(order), id: order.id }))
  const owned = deltasOf(effects.owned, sku_id)
  const promised = deltasOf(effects.promised, sku_id)
  await Promise.all([
    placed.length > 0 ? insertOrders(ctx.db, placed, version) : undefined,
    // Fills reference orders, so they are sent after the new orders.
    storeFills(ctx, effects.trades, place),
    changed.length > 0 ? updateOrders(ctx.db, changed, version) : undefined,
    owned.length > 0 ? addAllocation(ctx, owned) : undefined,
    promised.length > 0 ? addPromises(ctx.db, promised) : undefined,
    storeUsage(ctx, effects, place.usage),
  ])
}

async function storeFills(ctx: Ctx, trades: readonly Trade[], { sku_id, now }: StoredBook): Promise<void> {
  if (trades.length === 0) return
  const rows = trades.map((trade) => {
    const { buy, sell } = trade
    return { ...fillRowOf(trade, { sku_id, now }), buyer_id: buy.account_id, seller_id: sell.account_id }
  })
  await insertFills(ctx.db, rows)
}

/** The row of a trade. */
export function fillRowOf(trade: Trade, { sku_id, now }: { sku_id: Id<'sku'>; now: number }): FillRow {
  const { start, end } = span(trade.schedule) as { start: number; end: number }
  return {
    id: trade.fill_id as Id<'fill'>,
    sku_id,
    buy_order_id: trade.buy.id as Id<'order'>,
    sell_order_id: trade.sell.id as Id<'order'>,
    price_micros: trade.price_micros,
    schedule: [...trade.schedule],
    start_minute: start,
    end_minute: end,
    node_minutes: Number(trade.node_minutes),
    value_micros: trade.value_micros,
    fee_micros: trade.fee_micros,
    filled_at: now,
  }
}

/** The pools whose automations may have to plan again. Orders that only lost passed minutes do not count. */
function poolsOf({ placed, ended, trades }: Effects): Set<Id<'pool'>> {
  const orders = [...placed.values(), ...ended, ...trades.flatMap(({ buy, sell }) => [buy, sell])]
  return new Set(orders.map(({ record }) => record.pool_id as Id<'pool'>))
}

/** The columns of an order that trading changes. */
function changesOf({ record }: BookOrder) {
  return {
    state: record.state,
    remaining: [...record.remaining],
    filled: [...record.filled],
    lapsed: record.lapsed,
    filled_node_minutes: record.filled_node_minutes,
    filled_value_micros: record.filled_value_micros,
    filled_cut_sixtieths: record.filled_cut_sixtieths,
    filled_at: record.filled_at,
    cancelled_at: record.cancelled_at,
    cancel_reason: record.cancel_reason,
    amended_by: record.amended_by,
  }
}

function deltasOf(deltas: CapacityDeltas, sku_id: Id<'sku'>): AllocationDelta[] {
  const rows: AllocationDelta[] = []
  for (const [pool_id, own] of deltas) {
    for (const [minute, delta] of own) {
      if (delta !== 0) rows.push({ pool_id: pool_id as Id<'pool'>, sku_id, minute, delta })
    }
  }
  return rows
}

function ownersChanged({ owned }: Effects, sku_id: Id<'sku'>): Set<Id<'pool'>> {
  return new Set(deltasOf(owned, sku_id).map(({ pool_id }) => pool_id))
}

/** Stores the counts of open orders, and reports them to the limit `open_orders`. */
async function storeUsage(ctx: Ctx, { usage }: Effects, rows: readonly OrderUsageRow[]): Promise<void> {
  const changed = [...usage].filter(
    ([, { open_orders, open_buy_node_minutes }]) => open_orders !== 0 || open_buy_node_minutes !== 0,
  )
  if (changed.length === 0) return
  const before = new Map(rows.map((row) => [row.account_id, row]))
  const after = changed.map(([account_id, more]) => {
    const known = before.get(account_id) ?? { open_orders: 0, open_buy_node_minutes: 0 }
    const open_orders = known.open_orders + more.open_orders
    return { account_id, open_orders, open_buy_node_minutes: known.open_buy_node_minutes + more.open_buy_node_minutes }
  })
  const counted = after.filter(({ account_id }) => usage.get(account_id)?.open_orders !== 0)
  const uses = counted.map(({ account_id, open_orders }) => {
    return { account_id, name: 'open_orders' as const, used: open_orders }
  })
  await Promise.all([putUsage(ctx.db, after), recordLimitUses(ctx, uses)])
}
