/**
 * Trades on one book within one transaction: places and cancels orders, lets time pass, and stores the effects. Locks
 * and reads are sent at once, in the lock order: the book, the balances that are likely to change, the pools of the
 * applicants. Admission and matching run in memory. Then all writes are sent at once. Orders of several requests are
 * batched into one transaction by order-batches.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import { lockAllBalances, lockLateBalances, type Money, moneyOver } from '../../billing/money.service.ts'
import { type RefusalData, refuse } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import { cancelOrder, nextLapse, passTime, placeOrder, resumeMatching } from '../book/book.rules.ts'
import type { Book, Outcome } from '../book/book-state.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { relyOnPools } from '../pools/pools.service.ts'
import { holdFor } from '../schedule/prices.rules.ts'
import { nodeMinutes, rectangle } from '../schedule/schedule.rules.ts'
import { recordSkuHolders } from '../skus/skus.service.ts'
import { bookOrderOf, enterBook, type LockedBook, openLockedBook } from './book-cache.service.ts'
import { type ReadOrder, refuseTerms } from './order-admission.rules.ts'
import { type Applicant, readUsage, refuseEntry, usageBefore } from './order-admission.service.ts'
import type { BeforePlaces } from './order-events.rules.ts'
import { actorKey, emitOrderEvents } from './order-events.service.ts'
import { publishEffects, storeEffects } from './trade-effects.service.ts'
import { readForTrades, type TradeReading } from './trade-reading.service.ts'
import {
  applyOutcome,
  type BookOrder,
  type Effects,
  isOpenRecord,
  noEffects,
  type OrderRow,
  type Release,
  recordPlaced,
  refuseClosed,
  type Trade,
  type UsageRow,
} from './trading.rules.ts'

/** Kind of the due row that expires minutes of a book; the key is its SKU. */
export const lapseKind = 'market.lapse'

/** The most releases of one order in a transaction: one for passed minutes, one when it ends, and some room. */
const releasesMax = 8

/** A request to place an order. */
export type PlaceRequest = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly pool_id: Id<'pool'>
  readonly order: ReadOrder
  readonly allow_standing: boolean
  readonly allow_partial: boolean
  readonly managed_by: string | null
  readonly actor: Actor
}

/** A request to cancel an order. */
export type CancelRequest = { readonly id: Id<'order'>; readonly reason: CancelReason; readonly actor: Actor }

/** The results of the requests, in their order. */
export type TradeResult = {
  readonly placed: readonly (
    | { readonly row: OrderRow; readonly trades: readonly Trade[] }
    | { readonly refusal: RefusalData }
  )[]
  /** False where the order no longer rested. */
  readonly cancelled: readonly boolean[]
  /** When the next minute of a resting order expires, in seconds. */
  readonly next_lapse_at: number | undefined
}

/** The requests on one book. `resumes` takes up matching after a halt. */
export type TradeRequest = {
  readonly places?: readonly PlaceRequest[]
  readonly cancels?: readonly CancelRequest[]
  readonly resumes?: boolean
}

/** Requests that depend on data that can only be read behind the lock of the book. */
export type TradeDecision<T> = {
  /** The accounts and pools for which orders may be placed. */
  readonly applicants: readonly Applicant[]
  /** Reads the data. Its statements are sent behind the lock. */
  readonly read: () => Promise<T>
  /** `now` is the time of decisions on the book, in seconds. */
  readonly decide: (found: T, now: number) => TradeRequest
}

/** The results, and `store`, which sends all writes at once. */
export type Decided = TradeResult & { readonly store: () => Promise<void> }

type Move = (money: Money) => RefusalData | undefined
type Session = {
  readonly ctx: Ctx
  readonly sku_id: Id<'sku'>
  readonly locked: LockedBook
  readonly book: Book<BookOrder>
  readonly reading: TradeReading
  readonly effects: Effects
  /** Movements of money in their order. They are replayed if more accounts have to be locked. */
  readonly moves: Move[]
  readonly money: Money
  readonly actors: Map<string, Actor>
  /** The holds of orders before this transaction changed them. */
  readonly holds: Map<string, { order_id: string; account_id: string; workspace_id: string; amount_micros: bigint }>
  readonly rows: Map<string, OrderRow>
  /** What happened before the first order was placed. */
  before_places: BeforePlaces
  /** The number of releases by order. Each release has its own part in the ledger. */
  readonly releases: Map<string, number>
}

/** Carries out requests on the book of one SKU. A refusal is data. An error rolls back the whole transaction. */
export function tradeOn(ctx: Ctx, sku_id: Id<'sku'>, request: TradeRequest): Promise<TradeResult> {
  const { places = [] } = request
  return decideOn(ctx, sku_id, { applicants: places, read: async () => undefined, decide: () => request })
}

/** Carries out requests that are decided under the lock of the book. */
export async function decideOn<T>(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { applicants, read, decide }: TradeDecision<T>,
): Promise<TradeResult> {
  // Entered where the row lock of the book stands in the lock order, so that the wait cannot be part of a deadlock.
  ctx.onFinish(await enterBook(ctx.services, sku_id))
  const [reading, found] = await Promise.all([readForTrades(ctx, sku_id, applicants), read()])
  const { store, ...result } = await decideTrades(ctx, sku_id, (now) => decide(found, now), reading)
  await store()
  return result
}

/** Decides requests on a locked book in memory. The returned `store` writes the result. */
export async function decideTrades(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  decide: (now: number) => TradeRequest,
  reading: TradeReading,
): Promise<Decided> {
  const { row } = reading.book
  if (!row) refuse('sku_not_available', 'There is no such SKU.', 'sku')
  const locked = await openLockedBook(ctx, row, reading.book)
  const { places = [], cancels = [], resumes = false } = decide(locked.now)
  const session: Session = {
    ctx,
    sku_id,
    locked,
    book: locked.begin(),
    reading,
    effects: noEffects(),
    moves: [],
    money: moneyOver(ctx, reading.balances),
    actors: new Map(),
    holds: new Map(),
    rows: new Map(),
    before_places: { ended: 0, trades: 0 },
    releases: new Map(),
  }
  apply(session, passTime(session.book, minuteOf(locked.now)))
  if (resumes && !row.halted) apply(session, resumeMatching(session.book))
  const cancelled = cancels.map((request) => cancel(session, request))
  session.before_places = { ended: session.effects.ended.length, trades: session.effects.trades.length }
  const placed = places.map((request) => place(session, request))
  const next = nextLapse(session.book)
  const next_lapse_at = next === undefined ? undefined : next * 60
  // The reconciler that expires minutes returns the next time for its own due row. Scheduling it here would wake it.
  const isStep = places.length === 0 && cancels.length === 0 && !resumes
  planLapse(session, next_lapse_at, isStep)
  const store = await settle(session, { places, isStep })
  return { placed, cancelled, next_lapse_at, store }
}

/** Schedules the due row of the next lapse, unless one exists that is not later. */
function planLapse({ ctx, sku_id, locked }: Session, at: number | undefined, isStep: boolean): void {
  const { lapse_at } = locked
  if (at !== undefined && !isStep) {
    const isPlanned = lapse_at !== undefined && lapse_at > locked.now && lapse_at <= at
    if (isPlanned) return
    ctx.schedule(lapseKind, sku_id, at)
  }
  locked.lapse_at = at
}

function cancel(session: Session, { id, reason, actor }: CancelRequest): boolean {
  const outcome = cancelOrder(session.book, id, reason)
  if (!outcome) return false
  session.actors.set(actorKey('cancelled', id), actor)
  apply(session, outcome)
  return true
}

function place(session: Session, request: PlaceRequest): TradeResult['placed'][number] {
  const { ctx, locked, book, effects, money, reading } = session
  const { order: requested } = request
  const refusal =
    refuseClosed(locked.row) ?? refuseTerms(requested, locked) ?? refuseEntry(reading.admission, request, effects)
  if (refusal) return { refusal }
  const row = newRow(ctx, session.sku_id, request, { seq: book.last_seq + 1, now: locked.now })
  money.touch(row.account_id)
  if (requested.side === 'buy') {
    const hold = {
      order_id: row.id,
      account_id: row.account_id,
      workspace_id: row.workspace_id,
      amount_micros: requested.value_micros,
    }
    const unpaid = money.hold(hold)
    if (unpaid) return { refusal: unpaid }
    session.moves.push((again) => again.hold(hold))
  }
  const order = bookOrderOf(row)
  session.rows.set(row.id, row)
  session.actors.set(actorKey('created', row.id), request.actor)
  recordPlaced(effects, order, rectangle(row.start_minute, row.end_minute, row.node_count))
  const trades = apply(session, placeOrder(book, order))
  Object.assign(row, order.record)
  const own = trades.filter(({ buy, sell }) => buy.id === row.id || sell.id === row.id)
  // Of trades that it makes later in this transaction the system is the actor: it was resting by then.
  for (const { fill_id } of own) session.actors.set(actorKey('filled', row.id, fill_id), request.actor)
  return { row, trades: own }
}

/** Adds an outcome to the effects and moves its money. */
function apply(session: Session, outcome: Outcome<BookOrder>): Trade[] {
  const { effects, locked, ctx, money } = session
  for (const { order } of outcome.changes) recordHold(session, order)
  const at = { now: locked.now, terms: locked.row, newFillId: () => ctx.newId('fill') }
  const { trades, releases } = applyOutcome(effects, outcome, at)
  const moves = [
    ...trades.map((trade) => settleMove(trade)),
    ...releases.map((release) => releaseMove(release, nextPart(session, release.order.id))),
  ]
  for (const { buy, sell } of trades) {
    money.touch(buy.account_id)
    money.touch(sell.account_id)
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

/** Opens the hold of an open buy, which follows from its limit and its remaining node-minutes. */
function recordHold({ holds, effects, money }: Session, order: BookOrder): void {
  if (order.side !== 'buy' || effects.placed.has(order.id) || holds.has(order.id) || !isOpenRecord(order.record)) return
  const { id, account_id, price_micros, record } = order
  const amount_micros = holdFor(price_micros, nodeMinutes(record.remaining))
  const hold = { order_id: id, account_id, workspace_id: record.workspace_id, amount_micros }
  holds.set(id, hold)
  money.open(hold)
}

/** Locks the balances that changed and are not locked yet, and returns the function that stores the effects. */
async function settle(
  session: Session,
  { places, isStep }: { places: readonly PlaceRequest[]; isStep: boolean },
): Promise<() => Promise<void>> {
  const { ctx, effects, locked, book, sku_id, reading } = session
  if (effects.placed.size === 0 && effects.changed.size === 0) {
    // A step has moved the due row of the book. The new version tells other processes that their copy of it is stale.
    if (isStep) return () => locked.store(book.last_seq)
    locked.keep()
    return async () => {}
  }
  const { money, usage } = reading.takes_locks ? await lockRest(session) : await lockAll(session, places)
  await recordNewHolders(session)
  await publishEffects(ctx, effects, { sku_id, mandates: reading.mandates })
  emitOrderEvents(ctx, session, { sku_id, now: locked.now })
  money.announce(ctx)
  const place = { sku_id, version: locked.next_version, rows: session.rows, now: locked.now, usage }
  return async () => {
    await Promise.all([locked.store(book.last_seq), money.save(ctx), storeEffects(ctx, effects, place)])
  }
}

type Settled = { readonly money: Money; readonly usage: readonly UsageRow[] }

/** Locks all balances that changed, then the pools, where only the book is locked. */
async function lockAll(session: Session, places: readonly PlaceRequest[]): Promise<Settled> {
  const { ctx, effects } = session
  const accounts = [...effects.placed.values(), ...effects.changed.values()].map(({ account_id }) => account_id)
  const pools = [...new Set(places.map(({ pool_id }) => pool_id))]
  const [balances, locked, usage] = await Promise.all([
    lockAllBalances(ctx, accounts),
    relyOnPools(ctx, pools),
    readUsage(ctx, [...effects.usage.keys()]),
  ])
  const money = repeatMoves(session, balances)
  if (!money) throw collision('The balance of an account changed before it was locked.')
  const pool_ids = new Set<string>(locked.map(({ id }) => id))
  if ([...effects.placed.values()].some(({ record }) => !pool_ids.has(record.pool_id))) {
    throw collision('A pool was deleted before it was locked.')
  }
  return { money, usage }
}

/** Locks the balances that were not forecast, where the forecast ones and the pools are locked. */
async function lockRest(session: Session): Promise<Settled> {
  const { ctx, money, effects, reading } = session
  const usage = usageBefore(reading.admission)
  const rest = new Set([...money.unlocked(), ...effects.usage.keys()])
  for (const { account_id } of reading.balances) rest.delete(account_id)
  if (rest.size === 0) return { money, usage }
  const accounts = [...rest].sort()
  const [late, more] = await Promise.all([lockLateBalances(ctx, accounts), readUsage(ctx, accounts)])
  const again = late.length === accounts.length ? repeatMoves(session, [...reading.balances, ...late]) : undefined
  if (!again) throw collision('The balances of accounts that were not forecast are locked.', accounts)
  return { money: again, usage: [...usage, ...more] }
}

/** Replays all movements on locked balances; undefined where one is refused. */
function repeatMoves({ ctx, holds, moves }: Session, balances: TradeReading['balances']): Money | undefined {
  const money = moneyOver(ctx, balances)
  for (const hold of holds.values()) money.open(hold)
  return moves.some((move) => move(money)) ? undefined : money
}

/** Records buyers that are not known to hold allocation of the SKU as holders. */
async function recordNewHolders({ ctx, sku_id, effects, locked, reading }: Session): Promise<void> {
  const { holders } = locked
  for (const { account_id, is_holder } of reading.admission.standings.values()) if (is_holder) holders.add(account_id)
  const buyers = new Set(effects.trades.map(({ buy }) => buy.account_id))
  const added = [...buyers].filter((account_id) => !holders.has(account_id)).sort()
  if (added.length === 0) return
  await recordSkuHolders(ctx, added, sku_id)
  for (const account_id of added) holders.add(account_id)
}

/** An error that retries the transaction. The retry can lock these accounts from its beginning. */
function collision(message: string, accounts: readonly string[] = []): Error {
  return Object.assign(new Error(message), { code: '40001', severity: 'ERROR', accounts })
}

/** The accounts that a failed transaction could not lock late. */
export function accountsMissed(error: unknown): readonly string[] {
  return (error as { accounts?: readonly string[] } | undefined)?.accounts ?? []
}

function newRow(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  request: PlaceRequest,
  { seq, now }: { seq: number; now: number },
): OrderRow {
  const { order, actor } = request
  const { start_minute, end_minute, node_count } = order
  return {
    id: ctx.newId('order'),
    account_id: request.account_id,
    workspace_id: request.workspace_id,
    pool_id: request.pool_id,
    sku_id,
    side: order.side,
    state: 'standing',
    allow_standing: request.allow_standing,
    allow_partial: request.allow_partial,
    start_minute,
    end_minute,
    node_count,
    price_micros: order.price_micros,
    seq,
    remaining: [...rectangle(start_minute, end_minute, node_count)],
    filled: [],
    lapsed: false,
    filled_node_minutes: 0,
    filled_value_micros: 0n,
    filled_cut_sixtieths: 0n,
    managed_by: request.managed_by,
    created_by_token_id: actor.type === 'token' ? actor.id : null,
    created_at: now,
    filled_at: null,
    cancelled_at: null,
    cancel_reason: null,
  }
}
