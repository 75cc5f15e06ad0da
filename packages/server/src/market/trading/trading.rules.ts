/**
 * What the outcomes of a book mean for everybody else: changed order rows, fills at their price and fee, money to move,
 * capacity that changes hands, promises, counts of open orders, events. Nothing is decided here that the book, the
 * ledger or the limits decide; this file only translates, exactly.
 */
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { Outcome } from '../book/book-state.rules.ts'
import type { Order } from '../book/resting-order.rules.ts'
import { type FeeTerms, fillFee } from '../schedule/prices.rules.ts'
import { add, nodeMinutes, type Schedule, span, toDeltas } from '../schedule/schedule.rules.ts'

/** An order as the book carries it: what never changes, and its record, which does. */
export type BookOrder = Order & { readonly record: OrderRecord }

/** The part of an order's record that trading changes. */
export type OrderRecord = {
  readonly id: string
  readonly pool_id: string
  readonly workspace_id: string
  state: 'standing' | 'partially_filled' | 'filled' | 'cancelled'
  remaining: readonly number[]
  filled: readonly number[]
  lapsed: boolean
  filled_node_minutes: number
  filled_value_micros: bigint
  filled_at: number | null
  cancelled_at: number | null
  cancel_reason: CancelReason | null
}

/** One trade, ready to be stored and settled. */
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

/** Minutes of a buy that were lost, and what was held for them. */
export type Release = { readonly order: BookOrder; readonly amount_micros: bigint }

/** Capacity that changes, by pool: at a minute, so many nodes more or less. */
export type CapacityDeltas = Map<string, Map<number, number>>

/** Everything that the commands of one transaction did to one book. */
export type Effects = {
  /** Orders that are new, by id. */
  readonly placed: Map<string, BookOrder>
  /** Orders that were there before and changed, by id. */
  readonly changed: Map<string, BookOrder>
  readonly trades: Trade[]
  readonly owned: CapacityDeltas
  readonly promised: CapacityDeltas
  /** By account: how many more open orders, how many more node-minutes wanted. */
  readonly usage: Map<string, { open_orders: number; open_buy_node_minutes: number }>
  /** New orders that `usage` counts as open: they can change again before they are stored. */
  readonly counted: Set<string>
  /** Orders that ended, in the order in which they did. */
  readonly ended: BookOrder[]
}

/** Why neither orders nor transfers are taken while the market is halted. */
export function haltRefusal(message: string | null): RefusalData {
  const why = message ? `: ${message}` : '.'
  return { code: 'unavailable', message: `The market is halted${why}`, retry_after_seconds: 60 }
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
 * Adds an outcome to the effects and brings the records of its orders up to date. `is_new` says which order had no
 * record before. Gives what was lost of buys, whose hold is to be released, and the trades, in their order.
 */
export function applyOutcome(
  effects: Effects,
  outcome: Outcome<BookOrder>,
  { now, terms, newFillId }: { now: number; terms: FeeTerms; newFillId: () => string },
): { trades: Trade[]; releases: Release[] } {
  const trades = outcome.fills.map(({ buy, sell, price_micros, schedule }): Trade => {
    const node_minutes = nodeMinutes(schedule)
    const value_micros = price_micros * node_minutes
    const saved_micros = buy.price_micros * node_minutes - value_micros
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
  for (const trade of trades) noteTrade(effects, trade)
  const releases: Release[] = []
  for (const { order, state, reason, remaining, lost, lapsed } of outcome.changes) {
    const { record } = order
    const isNew = effects.placed.has(order.id)
    if (!isNew) effects.changed.set(order.id, order)
    const before = record.remaining
    const wasOpen = isOpenRecord(record)
    record.remaining = remaining
    record.lapsed = lapsed
    if (state === 'resting') record.state = record.filled_node_minutes > 0 ? 'partially_filled' : 'standing'
    else endRecord(record, { state, reason, now })
    if (!isOpenRecord(record) && wasOpen) effects.ended.push(order)
    noteUsage(effects, order, { before, wasCounted: isNew ? effects.counted.has(order.id) : wasOpen })
    if (order.side === 'sell') notePromise(effects, order, lost, -1)
    else if (lost.length > 0) releases.push({ order, amount_micros: order.price_micros * nodeMinutes(lost) })
  }
  effects.trades.push(...trades)
  return { trades, releases }
}

/** Notes an order that is about to be placed: a sell promises all that it offers. */
export function notePlaced(effects: Effects, order: BookOrder, offered: Schedule): void {
  effects.placed.set(order.id, order)
  if (order.side === 'sell') notePromise(effects, order, offered, 1)
}

function noteTrade(effects: Effects, { buy, sell, schedule, node_minutes, value_micros }: Trade): void {
  for (const { record } of [buy, sell]) {
    record.filled = add(record.filled, schedule)
    record.filled_node_minutes += Number(node_minutes)
    record.filled_value_micros += value_micros
  }
  addDeltas(effects.owned, sell.record.pool_id, schedule, -1)
  addDeltas(effects.owned, buy.record.pool_id, schedule, 1)
  notePromise(effects, sell, schedule, -1)
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

function noteUsage(
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

function notePromise(effects: Effects, order: BookOrder, schedule: Schedule, sign: 1 | -1): void {
  addDeltas(effects.promised, order.record.pool_id, schedule, sign)
}

function addDeltas(deltas: CapacityDeltas, pool_id: string, schedule: Schedule, sign: 1 | -1): void {
  if (span(schedule) === undefined) return
  const own = deltas.get(pool_id) ?? new Map<number, number>()
  deltas.set(pool_id, own)
  for (const { minute, delta } of toDeltas(schedule)) own.set(minute, (own.get(minute) ?? 0) + sign * delta)
}
