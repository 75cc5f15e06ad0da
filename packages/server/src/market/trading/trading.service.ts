/**
 * Trades on one book within one transaction: places, cancels and lets time pass, then carries out what that means. All
 * locks and reads are sent at once, in the order of locks: the book, the money of those who are likely to be touched,
 * the takers' pools. Admission and matching happen in memory; then everything is written at once. Not this file's work:
 * gathering orders into one transaction (order-batches).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import { lockAllBalances, lockLateBalances, type Money, moneyOver } from '../../billing/money.service.ts'
import { type RefusalData, refuse } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { cancelOrder, nextLapse, passTime, placeOrder, resumeMatching } from '../book/book.rules.ts'
import type { Book, Outcome } from '../book/book-state.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { poolShareLock } from '../pools/pools.store.ts'
import { nodeMinutes, rectangle } from '../schedule/schedule.rules.ts'
import { noteHoldings } from '../skus/skus.service.ts'
import { bookOrderOf, enterBook, type LockedBook, openLockedBook } from './book-cache.service.ts'
import { type ReadOrder, refuseTimes } from './order-admission.rules.ts'
import { type Applicant, refuseEntry, usageBefore } from './order-admission.service.ts'
import { listUsage, type OrderRow, type UsageRow } from './orders.store.ts'
import { storeEffects, wakeForEffects } from './trade-effects.service.ts'
import { readForTrades, type TradeReading } from './trade-reading.service.ts'
import {
  applyOutcome,
  type BookOrder,
  type Effects,
  haltRefusal,
  isOpenRecord,
  noEffects,
  notePlaced,
  type Release,
  type Trade,
} from './trading.rules.ts'

/** Kind of the due row of a book: the key is its SKU. */
export const lapseKind = 'market.lapse'

/** A transaction releases money of one order when minutes pass and when it ends, no more often. */
const releasesMax = 8

/** An order that wants to enter. */
export type PlaceWish = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly pool_id: Id<'pool'>
  readonly order: ReadOrder
  readonly allow_standing: boolean
  readonly allow_partial: boolean
  readonly managed_by: string | null
  readonly actor: Actor
}

/** An order that shall end. */
export type CancelWish = { readonly id: Id<'order'>; readonly reason: CancelReason; readonly actor: Actor }

/** What became of the wishes, in their order. */
export type TradeResult = {
  readonly placed: readonly (
    | { readonly row: OrderRow; readonly trades: readonly Trade[] }
    | { readonly refusal: RefusalData }
  )[]
  /** False: it did not rest any more. */
  readonly cancelled: readonly boolean[]
  /** When the next minute falls out of what rests, in seconds. */
  readonly next_lapse_at: number | undefined
}

/** What is wished for on one book. `resumes`: matching goes on after a halt. */
export type TradeWishes = {
  readonly places?: readonly PlaceWish[]
  readonly cancels?: readonly CancelWish[]
  readonly resumes?: boolean
}

/** Wishes that depend on what is only known once the book is locked. */
export type TradeDecision<T> = {
  /** Those for whom something may be placed. */
  readonly applicants: readonly Applicant[]
  /** What is decided on. Its statements travel behind the lock, so they see what it protects. */
  readonly read: () => Promise<T>
  /** `now` is the time of decisions on the book, in seconds. */
  readonly decide: (found: T, now: number) => TradeWishes
}

/** What was decided; `store` sends all writes at once. */
export type Decided = TradeResult & { readonly store: () => Promise<void> }

type Move = (money: Money) => RefusalData | undefined
type Session = {
  readonly ctx: Ctx
  readonly sku_id: Id<'sku'>
  readonly locked: LockedBook
  readonly book: Book<BookOrder>
  readonly reading: TradeReading
  readonly effects: Effects
  /** Movements of money in their order, to be made again where more accounts had to be locked. */
  readonly moves: Move[]
  readonly money: Money
  readonly actors: Map<string, Actor>
  /** What was held for orders before this transaction touched them. */
  readonly holds: Map<string, { order_id: string; account_id: string; workspace_id: string; amount_micros: bigint }>
  readonly rows: Map<string, OrderRow>
  /** How many orders had ended before the first was placed. */
  ended_first: number
  /** How many releases of an order there were: each has a part of its own in the ledger. */
  readonly releases: Map<string, number>
}

/** Carries out wishes on the book of one SKU. Refusals are data; what is thrown takes the whole transaction with it. */
export function tradeOn(ctx: Ctx, sku_id: Id<'sku'>, wishes: TradeWishes): Promise<TradeResult> {
  const { places = [] } = wishes
  return decideOn(ctx, sku_id, { applicants: places, read: async () => undefined, decide: () => wishes })
}

/** Carries out on the book of one SKU what is decided under its lock. */
export async function decideOn<T>(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { applicants, read, decide }: TradeDecision<T>,
): Promise<TradeResult> {
  // Taken at the place of the row's lock in the order of locks, so that nobody waits here holding what is asked for
  // later.
  ctx.onEnd(await enterBook(ctx.services, sku_id))
  const [reading, found] = await Promise.all([readForTrades(ctx, sku_id, applicants), read()])
  const { store, ...result } = await decideTrades(ctx, sku_id, (now) => decide(found, now), reading)
  await store()
  return result
}

/** Decides wishes on a locked book in memory. Nothing is stored before the writes are sent. */
export async function decideTrades(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  decide: (now: number) => TradeWishes,
  reading: TradeReading,
): Promise<Decided> {
  const { row, orders } = reading.book
  if (!row) refuse('sku_not_available', 'There is no such SKU.', 'sku')
  const locked = await openLockedBook(ctx, { row, orders })
  const { places = [], cancels = [], resumes = false } = decide(locked.now)
  const session: Session = {
    ...{ ctx, sku_id, locked, reading, book: locked.begin(), effects: noEffects(), money: moneyOver(reading.balances) },
    ...{ moves: [], ended_first: 0, actors: new Map(), holds: new Map(), rows: new Map(), releases: new Map() },
  }
  apply(session, passTime(session.book, minuteOf(locked.now)))
  if (resumes && !row.halted) apply(session, resumeMatching(session.book))
  const cancelled = cancels.map((wish) => cancel(session, wish))
  session.ended_first = session.effects.ended.length
  const placed = places.map((wish) => place(session, wish))
  const next = nextLapse(session.book)
  const next_lapse_at = next === undefined ? undefined : next * 60
  // The step that lets time pass gives the time to its own row, which a wish would wake at once.
  const isStep = places.length === 0 && cancels.length === 0 && !resumes
  planLapse(session, next_lapse_at, isStep)
  const store = await settle(session, { places, isStep })
  return { placed, cancelled, next_lapse_at, store }
}

/** Makes the due row of the next lapse, unless there is one already that is no later. */
function planLapse({ ctx, sku_id, locked }: Session, at: number | undefined, isStep: boolean): void {
  const { lapse_at } = locked
  if (at !== undefined && !isStep) {
    const isPlanned = lapse_at !== undefined && lapse_at > locked.now && lapse_at <= at
    if (isPlanned) return
    ctx.due(lapseKind, sku_id, at)
  }
  locked.lapse_at = at
}

function cancel(session: Session, { id, reason, actor }: CancelWish): boolean {
  const outcome = cancelOrder(session.book, id, reason)
  if (!outcome) return false
  session.actors.set(`cancelled ${id}`, actor)
  apply(session, outcome)
  return true
}

function place(session: Session, wish: PlaceWish): TradeResult['placed'][number] {
  const { ctx, locked, book, effects, money, reading } = session
  if (locked.row.halted) return { refusal: haltRefusal(locked.row.halt_message) }
  if (locked.row.is_retired)
    return { refusal: { code: 'sku_not_available', field: 'sku', message: 'The SKU is retired.' } }
  const refusal = refuseTimes(wish.order, locked.now) ?? refuseEntry(reading.admission, wish, effects)
  if (refusal) return { refusal }
  const row = newRow(ctx, session.sku_id, wish, { seq: book.last_seq + 1, now: locked.now })
  money.meet(row.account_id)
  if (wish.order.side === 'buy') {
    const hold = {
      order_id: row.id,
      account_id: row.account_id,
      workspace_id: row.workspace_id,
      amount_micros: wish.order.value_micros,
    }
    const unpaid = money.hold(hold)
    if (unpaid) return { refusal: unpaid }
    session.moves.push((again) => again.hold(hold))
  }
  const order = bookOrderOf(row)
  session.rows.set(row.id, row)
  session.actors.set(`created ${row.id}`, wish.actor)
  notePlaced(effects, order, rectangle(row.start_minute, row.end_minute, row.node_count))
  const trades = apply(session, placeOrder(book, order))
  Object.assign(row, order.record)
  // Filled later in the same transaction it was resting already, like one from before.
  if (row.state === 'filled') session.actors.set(`filled ${row.id}`, wish.actor)
  return { row, trades: trades.filter(({ buy, sell }) => buy.id === row.id || sell.id === row.id) }
}

/** Brings an outcome into the effects and moves its money. */
function apply(session: Session, outcome: Outcome<BookOrder>): Trade[] {
  const { effects, locked, ctx, money } = session
  for (const { order } of outcome.changes) noteHold(session, order)
  const at = { now: locked.now, terms: locked.row, newFillId: () => ctx.newId('fill') }
  const { trades, releases } = applyOutcome(effects, outcome, at)
  const moves = [
    ...trades.map((trade) => settleMove(trade)),
    ...releases.map((release) => releaseMove(release, nextPart(session, release.order.id))),
  ]
  for (const { buy, sell } of trades) {
    money.meet(buy.account_id)
    money.meet(sell.account_id)
  }
  for (const move of moves) move(money)
  session.moves.push(...moves)
  return trades
}

function nextPart({ releases, locked }: Session, order_id: string): number {
  const before = releases.get(order_id) ?? 0
  releases.set(order_id, before + 1)
  return locked.next_version * releasesMax + before
}

function releaseMove({ order, amount_micros }: Release, part: number): Move {
  return (money) => {
    money.release(order.id, { amount_micros, part })
    return undefined
  }
}

function settleMove({ fill_id, buy, sell, value_micros, saved_micros, fee_micros }: Trade): Move {
  const partyOf = ({ id, account_id, record }: BookOrder) => ({
    order_id: id,
    account_id,
    workspace_id: record.workspace_id,
  })
  return (money) => {
    money.settle({ fill_id, buyer: partyOf(buy), seller: partyOf(sell), value_micros, saved_micros, fee_micros })
    return undefined
  }
}

/** What is held for an open buy is exactly its limit × what is left of it. */
function noteHold({ holds, effects, money }: Session, order: BookOrder): void {
  if (order.side !== 'buy' || effects.placed.has(order.id) || holds.has(order.id) || !isOpenRecord(order.record)) return
  const { id, account_id, price_micros, record } = order
  const amount_micros = price_micros * nodeMinutes(record.remaining)
  const hold = { order_id: id, account_id, workspace_id: record.workspace_id, amount_micros }
  holds.set(id, hold)
  money.open(hold)
}

/** Makes sure that the money of everybody who is touched is locked, and gives what stores everything. */
async function settle(
  session: Session,
  { places, isStep }: { places: readonly PlaceWish[]; isStep: boolean },
): Promise<() => Promise<void>> {
  const { ctx, effects, locked, book, sku_id, reading } = session
  if (effects.placed.size === 0 && effects.changed.size === 0) {
    // A step plans the next lapse all the same, and other processes have to hear that they do not know when it is.
    if (isStep) return () => locked.store(book.last_seq)
    locked.keep()
    return async () => {}
  }
  const { money, usage } = reading.holds ? await lockRest(session) : await lockAll(session, places)
  await noteNewHolders(session)
  await wakeForEffects(ctx, effects, { sku_id, mandates: reading.mandates })
  tell(session)
  const place = { sku_id, version: locked.next_version, rows: session.rows, now: locked.now, usage }
  return async () => {
    await Promise.all([locked.store(book.last_seq), money.save(ctx), storeEffects(ctx, effects, place)])
  }
}

type Settled = { readonly money: Money; readonly usage: readonly UsageRow[] }

/** Where nothing is locked but the book: the money of everybody who is touched, then the pools, in their order. */
async function lockAll(session: Session, places: readonly PlaceWish[]): Promise<Settled> {
  const { ctx, effects } = session
  const accounts = [...effects.placed.values(), ...effects.changed.values()].map(({ account_id }) => account_id)
  const pools = [...new Set(places.map(({ pool_id }) => pool_id))]
  const [balances, held, usage] = await Promise.all([
    lockAllBalances(ctx, accounts),
    ctx.lockRows(poolShareLock, pools),
    listUsage(ctx.db, [...effects.usage.keys()]),
  ])
  const money = moveAgain(session, balances)
  if (!money) throw collision('The money of an account moved meanwhile.')
  const pool_ids = new Set<string>(held.map(({ id }) => id))
  if ([...effects.placed.values()].some(({ record }) => !pool_ids.has(record.pool_id))) {
    throw collision('A pool was deleted meanwhile.')
  }
  return { money, usage }
}

/** Where much is locked: the money of those who turned out to be touched besides. */
async function lockRest(session: Session): Promise<Settled> {
  const { ctx, money, effects, reading } = session
  const usage = usageBefore(reading.admission)
  const rest = new Set([...money.unlocked(), ...effects.usage.keys()])
  for (const { account_id } of reading.balances) rest.delete(account_id)
  if (rest.size === 0) return { money, usage }
  const accounts = [...rest].sort()
  const [late, more] = await Promise.all([lockLateBalances(ctx, accounts), listUsage(ctx.db, accounts)])
  const again = late.length === accounts.length ? moveAgain(session, [...reading.balances, ...late]) : undefined
  if (!again) throw collision('The money of accounts that were met late is in use.', accounts)
  return { money: again, usage: [...usage, ...more] }
}

/** Makes all movements again on locked balances; undefined where one is refused there. */
function moveAgain({ holds, moves }: Session, balances: TradeReading['balances']): Money | undefined {
  const money = moneyOver(balances)
  for (const hold of holds.values()) money.open(hold)
  return moves.some((move) => move(money)) ? undefined : money
}

/** Notes that buyers hold allocation of the SKU from now on, those of whom it is not known. */
async function noteNewHolders({ ctx, sku_id, effects, locked, reading }: Session): Promise<void> {
  const { holders } = locked
  for (const { account_id, is_holder } of reading.admission.standings.values()) if (is_holder) holders.add(account_id)
  const buyers = new Set(effects.trades.map(({ buy }) => buy.account_id))
  const added = [...buyers].filter((account_id) => !holders.has(account_id)).sort()
  if (added.length === 0) return
  await noteHoldings(ctx, added, sku_id)
  for (const account_id of added) holders.add(account_id)
}

/** Runs the transaction again: it will see what moved, and may lock these accounts from its beginning. */
function collision(message: string, accounts: readonly string[] = []): Error {
  return Object.assign(new Error(message), { code: '40001', severity: 'ERROR', accounts })
}

/** The accounts that a transaction met late and could not have, where it failed for that. */
export function accountsMissed(error: unknown): readonly string[] {
  return (error as { accounts?: readonly string[] } | undefined)?.accounts ?? []
}

/** The events of a transaction: what ended, then what was placed, then what ended of it and by it. */
function tell({ ctx, effects, actors, ended_first }: Session): void {
  const system: Actor = { type: 'system' }
  const emit = (order: BookOrder, action: string, actor: Actor) => {
    const { account_id, record, id } = order
    const workspace_id = record.workspace_id as Id<'workspace'>
    ctx.emit({ account_id, workspace_id, action, target_type: 'order', target_id: id, actor })
  }
  const emitEnd = (order: BookOrder) => {
    // A resting order that somebody else fills, and one that time or the book ends, is the system's doing.
    if (order.record.state === 'filled') emit(order, 'order.filled', actors.get(`filled ${order.id}`) ?? system)
    else emit(order, 'order.cancelled', actors.get(`cancelled ${order.id}`) ?? system)
  }
  for (const order of effects.ended.slice(0, ended_first)) emitEnd(order)
  for (const order of effects.placed.values()) emit(order, 'order.created', actors.get(`created ${order.id}`) ?? system)
  for (const order of effects.ended.slice(ended_first)) emitEnd(order)
}

function newRow(ctx: Ctx, sku_id: Id<'sku'>, wish: PlaceWish, { seq, now }: { seq: number; now: number }): OrderRow {
  const { account_id, workspace_id, pool_id, order, allow_standing, allow_partial, managed_by, actor } = wish
  const { side, start_minute, end_minute, node_count, price_micros } = order
  return {
    ...{ id: ctx.newId('order'), account_id, workspace_id, pool_id, sku_id, side, state: 'standing' },
    ...{ allow_standing, allow_partial, start_minute, end_minute, node_count, price_micros, seq },
    remaining: [...rectangle(start_minute, end_minute, node_count)],
    ...{ filled: [], lapsed: false, filled_node_minutes: 0, filled_value_micros: 0n, managed_by },
    created_by_token_id: actor.type === 'token' ? actor.id : null,
    ...{ created_at: now, filled_at: null, cancelled_at: null, cancel_reason: null },
  }
}
