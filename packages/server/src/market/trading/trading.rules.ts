/**
 * Translates outcomes of a book into their effects: changed order rows, fills with price and fee, money to move,
 * allocation and promises that change, counts of open orders. It decides nothing: the book, the ledger and the limits
 * do. The rows of orders and fills are here too, with the columns that a statement selects for them.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import type { OrderSide } from '@bourse/api/market/orders.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { BookOutcome } from '../book/book-state.rules.ts'
import type { Order } from '../book/resting-order.rules.ts'
import { type FeeTerms, fillCut, fillFee, fillValue, holdFor } from '../schedule/prices.rules.ts'
import { add, nodeMinutes, type Schedule, span, toDeltas } from '../schedule/schedule.rules.ts'

/** The states of stored orders. */
export type StoredState = 'standing' | 'partially_filled' | 'filled' | 'cancelled'

/** A stored order. Schedules are edges: minute, count, minute, count, … */
export type OrderRow = {
  id: Id<'order'>
  account_id: string
  workspace_id: Id<'workspace'>
  pool_id: Id<'pool'>
  sku_id: Id<'sku'>
  side: OrderSide
  state: StoredState
  allow_standing: boolean
  allow_partial: boolean
  start_minute: number
  end_minute: number
  node_count: number
  price_micros: bigint
  seq: number
  /** The seq whose place in the queue it keeps, of the order that it amends; null: its own. */
  priority_seq: number | null
  /** What it asks for, where that is not all of its rectangle; null: all. */
  requested: number[] | null
  /** What the orders that it continues had filled. */
  filled_before: number[]
  remaining: number[]
  filled: number[]
  lapsed: boolean
  filled_node_minutes: number
  filled_value_micros: bigint
  /** What rounding the values of its fills down cut off, in sixtieths of a micro-dollar. */
  filled_cut_sixtieths: bigint
  managed_by: string | null
  /** The order that it continues. */
  amends: Id<'order'> | null
  /** The order that continues it. */
  amended_by: Id<'order'> | null
  created_by_token_id: Id<'token'> | null
  created_at: number
  filled_at: number | null
  cancelled_at: number | null
  cancel_reason: CancelReason | null
}

/** The columns of {@link OrderRow}, of a table `orders o`. */
export const orderColumns = `o.id, o.account_id, o.workspace_id, o.pool_id, o.sku_id, o.side, o.state,
  o.allow_standing, o.allow_partial, o.start_minute, o.end_minute, o.node_count,
  o.price_micros::numeric as price_micros, o.seq, o.priority_seq, o.requested, o.filled_before, o.remaining, o.filled,
  o.lapsed, o.filled_node_minutes,
  o.filled_value_micros::numeric as filled_value_micros,
  o.filled_cut_sixtieths::numeric as filled_cut_sixtieths, o.managed_by, o.amends, o.amended_by, o.created_by_token_id,
  o.created_at, o.filled_at, o.cancelled_at, o.cancel_reason`

/** The condition of {@link isOpenRecord}, of a table `orders o`. */
export const isOpenSql = `o.state in ('standing', 'partially_filled')`

/** A stored fill. The schedule is edges: minute, count, minute, count, … */
export type FillRow = {
  id: Id<'fill'>
  sku_id: Id<'sku'>
  buy_order_id: Id<'order'>
  sell_order_id: Id<'order'>
  price_micros: bigint
  schedule: number[]
  start_minute: number
  end_minute: number
  node_minutes: number
  value_micros: bigint
  fee_micros: bigint
  filled_at: number
}

/** A fill to store, with the accounts of its orders. */
export type NewFillRow = FillRow & { buyer_id: string; seller_id: string }

/** A fill as it was stored. */
export type StoredFillRow = FillRow & {
  /** Whether its accounts shared a person when they traded. */
  related: boolean
}

/** The columns of {@link StoredFillRow}, of a table `fills f`. */
export const fillColumns = `f.id, f.sku_id, f.buy_order_id, f.sell_order_id, f.price_micros::numeric as price_micros,
  f.schedule, f.start_minute, f.end_minute, f.node_minutes, f.value_micros::numeric as value_micros,
  f.fee_micros::numeric as fee_micros, f.filled_at, f.related`

/** The number of open orders of an account, and the node-minutes that its open buys still want. */
export type OrderUsageRow = { account_id: string; open_orders: number; open_buy_node_minutes: number }

/** An order in the book: its terms, which never change, and its record, which trading changes. */
export type BookOrder = Order & {
  readonly filled_before: Schedule
  readonly record: OrderRecord
}

/** The part of an order that trading changes. */
export type OrderRecord = {
  readonly id: string
  readonly pool_id: string
  readonly workspace_id: string
  state: StoredState
  remaining: readonly number[]
  filled: readonly number[]
  lapsed: boolean
  filled_node_minutes: number
  filled_value_micros: bigint
  filled_cut_sixtieths: bigint
  filled_at: number | null
  cancelled_at: number | null
  cancel_reason: CancelReason | null
  amended_by: Id<'order'> | null
}

/** A trade, ready to store and to settle. */
export type Trade = {
  readonly fill_id: string
  readonly buy: BookOrder
  readonly sell: BookOrder
  readonly price_micros: bigint
  readonly schedule: Schedule
  readonly node_minutes: bigint
  readonly value_micros: bigint
  readonly saved_micros: bigint
  readonly fee_micros: bigint
}

/** The hold of minutes that a buy lost. */
export type HoldRelease = { readonly order: BookOrder; readonly amount_micros: bigint }

/** Changes of capacity by pool and minute, as differences. */
export type CapacityDeltas = Map<string, Map<number, number>>

/** The effects of the commands of one transaction on one book. */
export type Effects = {
  /** New orders, by id. */
  readonly placed: Map<string, BookOrder>
  /** Existing orders that changed, by id. */
  readonly changed: Map<string, BookOrder>
  readonly trades: Trade[]
  readonly owned: CapacityDeltas
  readonly promised: CapacityDeltas
  /** By account: the change of its open orders and of the node-minutes that its open buys want. */
  readonly usage: Map<string, { open_orders: number; open_buy_node_minutes: number }>
  /** New orders that `usage` counts as open. They can change again before they are stored. */
  readonly counted: Set<string>
  /** Orders that ended, in that order. */
  readonly ended: BookOrder[]
}

/**
 * Asks to wait for five minutes. Clients wait for one at most, so they say at once that the market is halted: how long
 * that lasts, only the operator knows.
 */
const haltSeconds = 300

/** Refuses orders and transfers while the market is halted. */
export function haltRefusal(message: string | null): RefusalData {
  const why = message ? `: ${message}` : '.'
  return { code: 'unavailable', message: `The market is halted${why}`, retry_after_seconds: haltSeconds }
}

/** Refuses orders on a book that is halted or whose SKU is retired. */
export function refuseClosed({
  halted,
  halt_message,
  is_retired,
}: {
  readonly halted: boolean
  readonly halt_message: string | null
  readonly is_retired: boolean
}): RefusalData | undefined {
  if (halted) return haltRefusal(halt_message)
  return is_retired ? { code: 'sku_not_available', field: 'sku', message: 'The SKU is retired.' } : undefined
}

/** No effects yet. */
export function noEffects(): Effects {
  return {
    placed: new Map(),
    changed: new Map(),
    trades: [],
    owned: new Map(),
    promised: new Map(),
    usage: new Map(),
    counted: new Set(),
    ended: [],
  }
}

/** Whether an order can still be filled. */
export function isOpenRecord({ state }: Pick<OrderRecord, 'state'>): boolean {
  return state === 'standing' || state === 'partially_filled'
}

/**
 * Adds an outcome to the effects and updates the records of its orders. Returns the trades in their order, and the
 * releases of holds for minutes that buys lost.
 */
export function applyOutcome(
  effects: Effects,
  outcome: BookOutcome<BookOrder>,
  { now, terms, newFillId }: { now: number; terms: FeeTerms; newFillId: () => string },
): { trades: Trade[]; releases: HoldRelease[] } {
  const open: OpenMinutes = new Map()
  const trades = outcome.fills.map(({ buy, sell, price_micros, schedule }): Trade => {
    const node_minutes = nodeMinutes(schedule)
    const value_micros = fillValue(price_micros, node_minutes)
    const saved_micros = takeFromHold(open, buy, node_minutes) - value_micros
    const fee_micros = fillFee(terms, value_micros, node_minutes)
    return {
      fill_id: newFillId(),
      buy,
      sell,
      price_micros,
      schedule,
      node_minutes,
      value_micros,
      saved_micros,
      fee_micros,
    }
  })
  for (const trade of trades) recordTrade(effects, trade)
  const releases: HoldRelease[] = []
  for (const { order, state, reason, remaining, lost, lapsed } of outcome.changes) {
    const { record } = order
    const isNew = effects.placed.has(order.id)
    if (!isNew) effects.changed.set(order.id, order)
    const before = record.remaining
    const wasOpen = isOpenRecord(record)
    if (order.side === 'sell') recordPromise(effects, order, lost, -1)
    else if (lost.length > 0) releases.push({ order, amount_micros: takeFromHold(open, order, nodeMinutes(lost)) })
    record.remaining = remaining
    record.lapsed = lapsed
    if (state === 'resting') record.state = record.filled_node_minutes > 0 ? 'partially_filled' : 'standing'
    else endRecord(record, { state, reason, now })
    if (!isOpenRecord(record) && wasOpen) effects.ended.push(order)
    recordUsage(effects, order, { before, wasCounted: isNew ? effects.counted.has(order.id) : wasOpen })
  }
  effects.trades.push(...trades)
  return { trades, releases }
}

/** Adds a new order to the effects. A sell promises its whole schedule. */
export function recordPlaced(effects: Effects, order: BookOrder, offered: Schedule): void {
  effects.placed.set(order.id, order)
  if (order.side === 'sell') recordPromise(effects, order, offered, 1)
}

/** By order: the node-minutes that its hold covers while an outcome is translated. */
type OpenMinutes = Map<string, bigint>

/**
 * What the hold of a buy no longer needs when `node_minutes` of it are filled or lost. The rounding of the hold depends
 * on what was open before, so the differences add up to the hold. The record of the order is still the one before the
 * outcome.
 */
function takeFromHold(open: OpenMinutes, { id, price_micros, record }: BookOrder, node_minutes: bigint): bigint {
  const before = open.get(id) ?? nodeMinutes(record.remaining)
  const after = before - node_minutes
  open.set(id, after)
  return holdFor(price_micros, before) - holdFor(price_micros, after)
}

function recordTrade(effects: Effects, { buy, sell, price_micros, schedule, node_minutes, value_micros }: Trade): void {
  for (const { record } of [buy, sell]) {
    record.filled = add(record.filled, schedule)
    record.filled_node_minutes += Number(node_minutes)
    record.filled_value_micros += value_micros
    record.filled_cut_sixtieths += fillCut(price_micros, node_minutes)
  }
  addDeltas(effects.owned, sell.record.pool_id, schedule, -1)
  addDeltas(effects.owned, buy.record.pool_id, schedule, 1)
  recordPromise(effects, sell, schedule, -1)
}

function endRecord(
  record: OrderRecord,
  { state, reason, now }: { state: 'filled' | 'cancelled'; reason: CancelReason | undefined; now: number },
): void {
  record.state = state
  if (state === 'filled') record.filled_at = now
  else {
    record.cancelled_at = now
    record.cancel_reason = reason ?? null
  }
}

function recordUsage(
  effects: Effects,
  { id, account_id, side, record }: BookOrder,
  { before, wasCounted }: { before: Schedule; wasCounted: boolean },
): void {
  const usage = effects.usage.get(account_id) ?? { open_orders: 0, open_buy_node_minutes: 0 }
  const isCounted = isOpenRecord(record)
  usage.open_orders += Number(isCounted) - Number(wasCounted)
  if (isCounted) effects.counted.add(id)
  else effects.counted.delete(id)
  if (side === 'buy') {
    if (wasCounted) usage.open_buy_node_minutes -= Number(nodeMinutes(before))
    if (isCounted) usage.open_buy_node_minutes += Number(nodeMinutes(record.remaining))
  }
  effects.usage.set(account_id, usage)
}

function recordPromise(effects: Effects, order: BookOrder, schedule: Schedule, sign: 1 | -1): void {
  addDeltas(effects.promised, order.record.pool_id, schedule, sign)
}

function addDeltas(deltas: CapacityDeltas, poolId: string, schedule: Schedule, sign: 1 | -1): void {
  if (span(schedule) === undefined) return
  const own = deltas.get(poolId) ?? new Map<number, number>()
  deltas.set(poolId, own)
  for (const { minute, delta } of toDeltas(schedule)) own.set(minute, (own.get(minute) ?? 0) + sign * delta)
}
