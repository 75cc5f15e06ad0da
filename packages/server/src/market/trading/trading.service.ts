/**
 * Trades on one book within one transaction: places and cancels orders, lets time pass, and stores the effects. Locks
 * and reads are sent at once, in the lock order: the book, the balances that are likely to change, the pools of the
 * applicants. Admission and matching run in memory. Then all writes are sent at once. Orders of several requests are
 * batched into one transaction by order-batches.
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { CancelReason } from '@bourse/api/market/order-states.ts'
import { type RefusalData, refuse } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import {
  cancelOrder,
  nextLapse,
  passTime,
  placeAmended,
  placeOrder,
  resumeMatching,
  withdrawOrder,
} from '../book/book.rules.ts'
import { minuteOf } from '../pools/pools.rules.ts'
import { holdFor } from '../schedule/prices.rules.ts'
import { nodeMinutes, type Schedule } from '../schedule/schedule.rules.ts'
import { recordSkuHolders } from '../skus/skus.service.ts'
import { bookOrderOf, enterBook, openLockedBook } from './book-cache.service.ts'
import { type ReadOrder, rectangleOf, refuseTerms } from './order-admission.rules.ts'
import { type Applicant, refuseEntry } from './order-admission.service.ts'
import { type Amendment, type AmendmentRequest, amendmentOf, amendmentRefusal } from './order-amendment.rules.ts'
import { actorKey, emitOrderEvents } from './order-events.service.ts'
import { publishEffects, storeEffects } from './trade-effects.service.ts'
import { lockAll, lockRest } from './trade-locks.service.ts'
import { readForTrades, type TradeReading } from './trade-reading.service.ts'
import { applyToSession, openSession, type TradeSession } from './trade-session.service.ts'
import { type BookOrder, type OrderRow, recordPlaced, refuseClosed, type Trade } from './trading.rules.ts'

/** Kind of the due row that expires minutes of a book; the key is its SKU. */
export const lapseKind = 'market.lapse'

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
  /** The open order that this one continues. */
  readonly amends?: AmendedPlace
}

/** The order that a request amends. */
export type AmendedPlace = { readonly id: Id<'order'> } & Pick<AmendmentRequest, 'keeps_start'>

/** A request to cancel an order. */
type CancelRequest = { readonly id: Id<'order'>; readonly reason: CancelReason; readonly actor: Actor }

const orderFinal: RefusalData = { code: 'order_final', message: 'This order has ended already.' }

/** The results of the requests, in their order. */
type TradeResult = {
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
type TradeRequest = {
  readonly places?: readonly PlaceRequest[]
  readonly cancels?: readonly CancelRequest[]
  readonly resumes?: boolean
}

/** Requests that depend on data that can only be read behind the lock of the book. */
type TradeDecision<T> = {
  /** The accounts and pools for which orders may be placed. */
  readonly applicants: readonly Applicant[]
  /** Reads the data. Its statements are sent behind the lock. */
  readonly read: () => Promise<T>
  /** `now` is the time of decisions on the book, in seconds. */
  readonly decide: (found: T, now: number) => TradeRequest
}

/** The results, and `store`, which sends all writes at once. */
type DecidedTrades = TradeResult & { readonly store: () => Promise<void> }

/** Carries out requests on the book of one SKU. A refusal is data. An error rolls back the whole transaction. */
export function tradeOn(ctx: Ctx, sku_id: Id<'sku'>, request: TradeRequest): Promise<TradeResult> {
  const { places = [] } = request
  return decideOn(ctx, sku_id, { applicants: places, read: async () => undefined, decide: () => request })
}

/** Carries out requests that are decided under the lock of the book. `found` is what `read` returned. */
export async function decideOn<T>(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { applicants, read, decide }: TradeDecision<T>,
): Promise<TradeResult & { readonly found: T }> {
  // Entered where the row lock of the book stands in the lock order, so that the wait cannot be part of a deadlock.
  ctx.onFinish(await enterBook(ctx.services, sku_id))
  const [reading, found] = await Promise.all([readForTrades(ctx, sku_id, applicants), read()])
  const { store, ...result } = await decideTrades(ctx, sku_id, (now) => decide(found, now), reading)
  await store()
  return { ...result, found }
}

/** Decides requests on a locked book in memory. The returned `store` writes the result. */
export async function decideTrades(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  decide: (now: number) => TradeRequest,
  reading: TradeReading,
): Promise<DecidedTrades> {
  const { row } = reading.book
  if (!row) refuse('sku_not_available', 'There is no such SKU.', 'sku')
  const locked = await openLockedBook(ctx, row, reading.book)
  const { places = [], cancels = [], resumes = false } = decide(locked.now)
  const session = openSession(ctx, sku_id, { locked, reading })
  applyToSession(session, passTime(session.book, minuteOf(locked.now)))
  if (resumes && !row.halted) applyToSession(session, resumeMatching(session.book))
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
function planLapse({ ctx, sku_id, locked }: TradeSession, at: number | undefined, isStep: boolean): void {
  const { lapse_at } = locked
  if (at !== undefined && !isStep) {
    const isPlanned = lapse_at !== undefined && lapse_at > locked.now && lapse_at <= at
    if (isPlanned) return
    ctx.schedule(lapseKind, sku_id, at)
  }
  locked.lapse_at = at
}

function cancel(session: TradeSession, { id, reason, actor }: CancelRequest): boolean {
  const outcome = cancelOrder(session.book, id, reason)
  if (!outcome) return false
  session.actors.set(actorKey('cancelled', id), actor)
  applyToSession(session, outcome)
  return true
}

function place(session: TradeSession, request: PlaceRequest): TradeResult['placed'][number] {
  const { ctx, locked, book, effects, money } = session
  const entry = entryOf(session, request)
  if ('refusal' in entry) return entry
  const row = newRow(ctx, session.sku_id, request, { entry, seq: book.last_seq + 1, now: locked.now })
  money.touch(row.account_id)
  const { amended } = entry
  const freed = amended ? [...amended.record.remaining] : []
  const unpaid = moveMoney(session, row, entry, request.actor)
  if (unpaid) return { refusal: unpaid }
  const order = bookOrderOf(row)
  session.rows.set(row.id, row)
  session.actors.set(actorKey('created', row.id), request.actor)
  recordPlaced(effects, order, entry.requested)
  const outcome = amended ? placeAmended(book, { order, last_seq: row.seq, freed }) : placeOrder(book, order)
  const trades = applyToSession(session, outcome)
  Object.assign(row, order.record)
  const own = trades.filter(({ buy, sell }) => buy.id === row.id || sell.id === row.id)
  // Of trades that it makes later in this transaction the system is the actor: it was resting by then.
  for (const { fill_id } of own) session.actors.set(actorKey('filled', row.id, fill_id), request.actor)
  return { row, trades: own }
}

/** An order that may enter the book. */
type OrderEntry = {
  readonly order: ReadOrder
  readonly requested: Schedule
  /** The open order that it continues, and how. */
  readonly amended?: BookOrder
  readonly amendment?: Amendment
}

/** Decides whether an order may enter the book. Nothing has changed where it is refused. */
function entryOf(session: TradeSession, request: PlaceRequest): OrderEntry | { readonly refusal: RefusalData } {
  const { locked, book, effects, reading } = session
  const closed = refuseClosed(locked.row)
  if (closed) return { refusal: closed }
  const { amends } = request
  const amended = amends && book.orders.get(amends.id)?.order
  if (amends && !amended) return { refusal: orderFinal }
  const amendment =
    amended && amendmentOf(amended, { ...request, keeps_start: amends?.keeps_start ?? false }, locked.now)
  if (amendment && 'refusal' in amendment) return amendment
  const { order } = amendment ?? request
  const requested = amendment?.requested ?? rectangleOf(order)
  const entrant = { ...request, order, requested, amended: amended?.record }
  const refusal = refuseTerms(order, locked) ?? refuseEntry(reading.admission, entrant, effects)
  if (refusal) return { refusal: amends ? amendmentRefusal(refusal) : refusal }
  return { order, requested, ...(amended && amendment ? { amended, amendment } : {}) }
}

/** Moves the money of a new order: what an amended one held is released, and what the new one needs is held. */
function moveMoney(
  session: TradeSession,
  row: OrderRow,
  { order, amended }: OrderEntry,
  actor: Actor,
): RefusalData | undefined {
  const { money } = session
  const { id: order_id, account_id, workspace_id } = row
  const hold = { order_id, account_id, workspace_id, amount_micros: order.value_micros }
  if (amended) {
    const freed = order.side === 'buy' ? holdFor(amended.price_micros, nodeMinutes(amended.record.remaining)) : 0n
    const unpaid = order.side === 'buy' ? money.refuseHold(hold, freed) : undefined
    if (unpaid) return unpaid
    withdraw(session, amended, { by: row, actor })
  }
  if (order.side === 'sell') return undefined
  const unpaid = money.hold(hold)
  if (!unpaid) session.moves.push((again) => again.hold(hold))
  return unpaid
}

/** Takes an order out of the book for the one that continues it. */
function withdraw(
  session: TradeSession,
  { id, record }: BookOrder,
  { by, actor }: { readonly by: OrderRow; readonly actor: Actor },
): void {
  const outcome = withdrawOrder(session.book, id)
  if (!outcome) throw new Error(`${id} does not rest and is amended`)
  record.amended_by = by.id
  session.actors.set(actorKey('cancelled', id), actor)
  applyToSession(session, outcome)
}

/** Locks the balances that changed and are not locked yet, and returns the function that stores the effects. */
async function settle(
  session: TradeSession,
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

/** Records buyers that are not known to hold allocation of the SKU as holders. */
async function recordNewHolders({ ctx, sku_id, effects, locked, reading }: TradeSession): Promise<void> {
  const { holders } = locked
  for (const { account_id, is_holder } of reading.admission.standings.values()) if (is_holder) holders.add(account_id)
  const buyers = new Set(effects.trades.map(({ buy }) => buy.account_id))
  const added = [...buyers].filter((account_id) => !holders.has(account_id)).sort()
  if (added.length === 0) return
  await recordSkuHolders(ctx, added, sku_id)
  for (const account_id of added) holders.add(account_id)
}

function newRow(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  request: PlaceRequest,
  { entry, seq, now }: { entry: OrderEntry; seq: number; now: number },
): OrderRow {
  const { actor } = request
  const { order, requested, amendment } = entry
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
    priority_seq: amendment?.priority_seq ?? null,
    requested: amendment && !amendment.is_whole ? [...requested] : null,
    filled_before: [...(amendment?.filled_before ?? [])],
    remaining: [...requested],
    filled: [],
    lapsed: false,
    filled_node_minutes: 0,
    filled_value_micros: 0n,
    filled_cut_sixtieths: 0n,
    managed_by: request.managed_by,
    amends: request.amends?.id ?? null,
    amended_by: null,
    created_by_token_id: actor.type === 'token' ? actor.id : null,
    created_at: now,
    filled_at: null,
    cancelled_at: null,
    cancel_reason: null,
  }
}
