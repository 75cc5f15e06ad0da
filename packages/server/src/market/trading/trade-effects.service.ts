import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { noteLimitUses } from '../../iam/accounts/limits.service.ts'
import { allocationChanged, keyOf } from '../pools/capacity.service.ts'
import { tellMandateHolders, wakeMandateHolder } from '../pools/mandates.service.ts'
import type { MandateRow } from '../pools/mandates.store.ts'
import { type AllocationDelta, addAllocation, addPromises } from '../pools/pools.store.ts'
import { span } from '../schedule/schedule.rules.ts'
import {
  type FillRow,
  insertFills,
  insertOrders,
  type OrderRow,
  putUsage,
  type UsageRow,
  updateOrders,
} from './orders.store.ts'
import type { BookOrder, CapacityDeltas, Effects, Trade } from './trading.rules.ts'

/** Who orders for pools; `pools` are those of which it is known. */
type KnownMandates = { readonly pools: ReadonlySet<string>; readonly rows: readonly MandateRow[] }

type Place = {
  readonly sku_id: Id<'sku'>
  /** The book's version after this transaction. */
  readonly version: number
  readonly now: number
  /** The rows of orders that are new, by id. */
  readonly rows: ReadonlyMap<string, OrderRow>
  /** What the accounts had open before. */
  readonly usage: readonly UsageRow[]
}

/** Wakes whoever keeps something that follows from what pools own or have open. */
export async function wakeForEffects(
  ctx: Ctx,
  effects: Effects,
  { sku_id, mandates }: { sku_id: Id<'sku'>; mandates: KnownMandates },
): Promise<void> {
  for (const pool_id of ownersChanged(effects, sku_id)) ctx.wake(allocationChanged, keyOf({ pool_id, sku_id }))
  const pools = poolsOf(effects)
  for (const { pool_id, holder_id } of mandates.rows) if (pools.has(pool_id)) wakeMandateHolder(ctx, holder_id)
  const others = [...pools].filter((pool_id) => !mandates.pools.has(pool_id))
  if (others.length > 0) await tellMandateHolders(ctx, sku_id, others)
}

/**
 * Stores what trading did, with a statement for each table; all are sent at once. The money of all accounts is locked.
 */
export async function storeEffects(ctx: Ctx, effects: Effects, place: Place): Promise<void> {
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
    // They refer to orders, so they are sent behind those that are new.
    storeFills(ctx, effects.trades, place),
    changed.length > 0 ? updateOrders(ctx.db, changed, version) : undefined,
    owned.length > 0 ? addAllocation(ctx.db, owned) : undefined,
    promised.length > 0 ? addPromises(ctx.db, promised) : undefined,
    storeUsage(ctx, effects, place.usage),
  ])
}

async function storeFills(ctx: Ctx, trades: readonly Trade[], { sku_id, now }: Place): Promise<void> {
  if (trades.length > 0)
    await insertFills(
      ctx.db,
      trades.map((trade) => fillRowOf(trade, { sku_id, now })),
    )
}

/** A trade as it is stored. */
export function fillRowOf(trade: Trade, { sku_id, now }: { sku_id: Id<'sku'>; now: number }): FillRow {
  const { start, end } = span(trade.schedule) as { start: number; end: number }
  const { price_micros, value_micros, fee_micros } = trade
  return {
    id: trade.fill_id as Id<'fill'>,
    sku_id,
    buy_order_id: trade.buy.id as Id<'order'>,
    sell_order_id: trade.sell.id as Id<'order'>,
    ...{ price_micros, value_micros, fee_micros },
    schedule: [...trade.schedule],
    start_minute: start,
    end_minute: end,
    node_minutes: Number(trade.node_minutes),
    filled_at: now,
  }
}

/** The pools in which an automation may have other orders to place now. Minutes that only passed make no difference. */
function poolsOf({ placed, ended, trades }: Effects): Set<Id<'pool'>> {
  const orders = [...placed.values(), ...ended, ...trades.flatMap(({ buy, sell }) => [buy, sell])]
  return new Set(orders.map(({ record }) => record.pool_id as Id<'pool'>))
}

function changesOf({ record }: BookOrder) {
  const { state, remaining, filled, lapsed, filled_node_minutes, filled_value_micros } = record
  const { filled_at, cancelled_at, cancel_reason } = record
  return {
    ...{ state, lapsed, filled_node_minutes, filled_value_micros, filled_at, cancelled_at, cancel_reason },
    remaining: [...remaining],
    filled: [...filled],
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

/** Counts of open orders, and the same for the limits that look at them. */
async function storeUsage(ctx: Ctx, { usage }: Effects, rows: readonly UsageRow[]): Promise<void> {
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
  await Promise.all([
    putUsage(ctx.db, after),
    noteLimitUses(
      ctx,
      counted.map(({ account_id, open_orders }) => ({ account_id, name: 'open_orders', used: open_orders })),
    ),
  ])
}
