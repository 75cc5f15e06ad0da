/**
 * The state of a transaction that trades on one book: outcomes of matching become effects and movements of money. Not
 * this file's work: what is placed and cancelled (trading), which rows are locked (trade-locks).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Money, moneyOver } from '../../billing/money.service.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import type { Actor, Ctx } from '../../core/work/ctx.ts'
import type { Book, BookOutcome } from '../book/book-state.rules.ts'
import { holdFor } from '../schedule/prices.rules.ts'
import { nodeMinutes } from '../schedule/schedule.rules.ts'
import type { LockedBook } from './book-cache.service.ts'
import type { BeforePlaces } from './order-events.rules.ts'
import type { TradeReading } from './trade-reading.service.ts'
import {
  applyOutcome,
  type BookOrder,
  type Effects,
  type HoldRelease,
  isOpenRecord,
  noEffects,
  type OrderRow,
  type Trade,
} from './trading.rules.ts'

/** The most releases of one order in a transaction: one for passed minutes, one when it ends, and some room. */
const releasesMax = 8

/** A movement of money, which may run again on other balances. It returns a refusal, or nothing. */
type MoneyMove = (money: Money) => RefusalData | undefined

/** What one transaction decides on a book, in memory. */
export type TradeSession = {
  readonly ctx: Ctx
  readonly sku_id: Id<'sku'>
  readonly locked: LockedBook
  readonly book: Book<BookOrder>
  readonly reading: TradeReading
  readonly effects: Effects
  /** Movements of money in their order. They are replayed if more accounts have to be locked. */
  readonly moves: MoneyMove[]
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

/** Begins to decide on a locked book. */
export function openSession(
  ctx: Ctx,
  sku_id: Id<'sku'>,
  { locked, reading }: Pick<TradeSession, 'locked' | 'reading'>,
): TradeSession {
  return {
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
}

/** Adds an outcome to the effects and moves its money. */
export function applyToSession(session: TradeSession, outcome: BookOutcome<BookOrder>): Trade[] {
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

function nextPart({ releases, locked }: TradeSession, order_id: string): number {
  const before = releases.get(order_id) ?? 0
  releases.set(order_id, before + 1)
  return locked.next_version * releasesMax + before
}

function releaseMove({ order, amount_micros }: HoldRelease, part: number): MoneyMove {
  return (money) => {
    money.release(order.id, { amount_micros, part })
    return undefined
  }
}

function settleMove({ fill_id, buy, sell, value_micros, saved_micros, fee_micros }: Trade): MoneyMove {
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
function recordHold({ holds, effects, money }: TradeSession, order: BookOrder): void {
  if (order.side !== 'buy' || effects.placed.has(order.id) || holds.has(order.id) || !isOpenRecord(order.record)) return
  const { id, account_id, price_micros, record } = order
  const amount_micros = holdFor(price_micros, nodeMinutes(record.remaining))
  const hold = { order_id: id, account_id, workspace_id: record.workspace_id, amount_micros }
  holds.set(id, hold)
  money.open(hold)
}

/** Replays all movements on locked balances; undefined where one is refused. */
export function repeatMoves(
  { ctx, holds, moves }: TradeSession,
  balances: TradeReading['balances'],
): Money | undefined {
  const money = moneyOver(ctx, balances)
  for (const hold of holds.values()) money.open(hold)
  return moves.some((move) => move(money)) ? undefined : money
}
