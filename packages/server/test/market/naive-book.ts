// The reference model of the order book, for tests. It has one list that every command walks
// completely, and each schedule is a map from minute to count. It has no index and no cache, and shares only the type
// of an order with the fast book. The fast book must agree with it after every command.

import type { CancelReason, Order, Side } from '../../src/market/book/resting-order.rules.ts'

/** Node counts by minute; a minute without nodes is absent. */
export type Minutes = Map<number, number>

export type NaiveOrder<O extends Order> = { order: O; left: Minutes; lapsed: boolean }

/** A book: its resting orders, oldest first. */
export type NaiveBook<O extends Order> = { resting: NaiveOrder<O>[]; minute: number; halted: boolean }

export type NaiveFill<O extends Order> = { buy: O; sell: O; price_micros: bigint; minutes: Minutes; taker: Side }

/** The fills in their order, and the orders that ended, with the reason. */
export type NaiveOutcome<O extends Order> = {
  fills: NaiveFill<O>[]
  ended: Map<string, { state: 'filled' | 'cancelled'; reason: CancelReason | undefined }>
}

/** An empty book. */
export function emptyNaiveBook<O extends Order>(minute: number): NaiveBook<O> {
  return { resting: [], minute, halted: false }
}

/** Matches an order. The rest of it stands or is cancelled. */
export function placeNaively<O extends Order>(book: NaiveBook<O>, order: O): NaiveOutcome<O> {
  const outcome = emptyOutcome<O>()
  const left = requestedMinutes(order)
  const taker = { order, left, lapsed: false }
  match(book, taker, outcome)
  if (left.size > 0) {
    if (order.allow_standing) {
      book.resting.push(taker)
      book.resting.sort((a, b) => a.order.seq - b.order.seq)
    } else outcome.ended.set(order.id, { state: 'cancelled', reason: 'unfilled' })
  }
  retryAllOrNothing(book, outcome)
  return outcome
}

/** Ends a resting order, and matches the one that continues it; `undefined` when it does not rest. */
export function amendNaively<O extends Order>(book: NaiveBook<O>, id: string, order: O): NaiveOutcome<O> | undefined {
  const found = book.resting.find(({ order: old }) => old.id === id)
  if (found === undefined) return undefined
  book.resting = book.resting.filter((resting) => resting !== found)
  const outcome = placeNaively(book, order)
  outcome.ended.set(id, { state: 'cancelled', reason: 'amended' })
  return outcome
}

/** Cancels a resting order; `undefined` when it does not rest. */
export function cancelNaively<O extends Order>(
  book: NaiveBook<O>,
  id: string,
  reason: CancelReason,
): NaiveOutcome<O> | undefined {
  const found = book.resting.find(({ order }) => order.id === id)
  if (found === undefined) return undefined
  const outcome = emptyOutcome<O>()
  book.resting = book.resting.filter((resting) => resting !== found)
  outcome.ended.set(id, { state: 'cancelled', reason })
  retryAllOrNothing(book, outcome)
  return outcome
}

/** Expires passed minutes of all resting orders. */
export function passTimeNaively<O extends Order>(book: NaiveBook<O>, now: number): NaiveOutcome<O> {
  const outcome = emptyOutcome<O>()
  book.minute = Math.max(book.minute, now)
  for (const resting of book.resting) {
    for (const minute of [...resting.left.keys()]) {
      if (minute >= book.minute) continue
      resting.left.delete(minute)
      resting.lapsed = true
    }
    if (resting.lapsed && !resting.order.allow_partial) resting.left.clear()
    if (resting.left.size === 0) outcome.ended.set(resting.order.id, { state: 'cancelled', reason: 'expired' })
  }
  book.resting = book.resting.filter(({ left }) => left.size > 0)
  retryAllOrNothing(book, outcome)
  return outcome
}

/** Stops matching. */
export function haltNaively<O extends Order>(book: NaiveBook<O>): void {
  book.halted = true
}

/** Resumes matching. */
export function resumeNaively<O extends Order>(book: NaiveBook<O>): NaiveOutcome<O> {
  const outcome = emptyOutcome<O>()
  book.halted = false
  retryAllOrNothing(book, outcome)
  return outcome
}

/** Fills the oldest all-or-nothing order that the book can fill, then starts again from the oldest. */
function retryAllOrNothing<O extends Order>(book: NaiveBook<O>, outcome: NaiveOutcome<O>): void {
  if (book.halted) return
  const moved = book.resting.find((resting) => !resting.order.allow_partial && match(book, resting, outcome))
  if (moved !== undefined) retryAllOrNothing(book, outcome)
}

/** Matches one order with all resting orders; returns whether anything was filled. */
function match<O extends Order>(book: NaiveBook<O>, taker: NaiveOrder<O>, outcome: NaiveOutcome<O>): boolean {
  const wanted = new Map(taker.left)
  const takes: { maker: NaiveOrder<O>; minutes: Minutes }[] = []
  for (const maker of book.resting.filter((other) => mayMeet(taker.order, other.order)).sort(byPriority)) {
    const minutes = takenFrom(maker, wanted)
    if (minutes.size === 0) continue
    takes.push({ maker, minutes })
    takeAway(wanted, minutes)
  }
  if (takes.length === 0 || (!taker.order.allow_partial && wanted.size > 0)) return false
  for (const { maker, minutes } of takes) exchange(taker, maker, minutes, outcome)
  book.resting = book.resting.filter(({ left }) => left.size > 0)
  return true
}

/** What is taken from a maker. An all-or-nothing maker gives all of its remaining schedule or nothing. */
function takenFrom<O extends Order>({ order, left }: NaiveOrder<O>, wanted: Minutes): Minutes {
  const minutes: Minutes = new Map()
  for (const [minute, offered] of left) {
    const count = Math.min(offered, wanted.get(minute) ?? 0)
    if (count < offered && !order.allow_partial) return new Map()
    if (count > 0) minutes.set(minute, count)
  }
  return minutes
}

function exchange<O extends Order>(
  taker: NaiveOrder<O>,
  maker: NaiveOrder<O>,
  minutes: Minutes,
  outcome: NaiveOutcome<O>,
): void {
  const [buy, sell] = taker.order.side === 'buy' ? [taker, maker] : [maker, taker]
  const older = taker.order.seq < maker.order.seq ? taker : maker
  const { price_micros } = older.order
  outcome.fills.push({ buy: buy.order, sell: sell.order, price_micros, minutes, taker: taker.order.side })
  for (const side of [maker, taker]) {
    takeAway(side.left, minutes)
    if (side.left.size > 0) continue
    const end = side.lapsed ? ({ state: 'cancelled', reason: 'expired' } as const) : ({ state: 'filled' } as const)
    outcome.ended.set(side.order.id, { reason: undefined, ...end })
  }
}

function mayMeet(a: Order, b: Order): boolean {
  if (a.side === b.side || a.account_id === b.account_id) return false
  if (a.start_minute >= b.end_minute || b.start_minute >= a.end_minute) return false
  const [buy, sell] = a.side === 'buy' ? [a, b] : [b, a]
  return buy.price_micros >= sell.price_micros
}

function requestedMinutes({ start_minute, end_minute, node_count, requested }: Order): Minutes {
  const minutes: Minutes = new Map()
  const steps = requested ?? [start_minute, node_count, end_minute, 0]
  for (let index = 0; index + 2 < steps.length; index += 2) {
    const count = steps[index + 1] as number
    if (count === 0) continue
    for (let minute = steps[index] as number; minute < (steps[index + 2] as number); minute += 1)
      minutes.set(minute, count)
  }
  return minutes
}

/** Better price first, then the earlier order. Only orders of one side are compared. */
function byPriority<O extends Order>(a: NaiveOrder<O>, b: NaiveOrder<O>): number {
  const better = a.order.side === 'sell' ? 1 : -1
  if (a.order.price_micros !== b.order.price_micros) {
    return a.order.price_micros < b.order.price_micros ? -better : better
  }
  return a.order.seq - b.order.seq
}

function takeAway(from: Minutes, minutes: Minutes): void {
  for (const [minute, count] of minutes) {
    const left = (from.get(minute) ?? 0) - count
    if (left > 0) from.set(minute, left)
    else from.delete(minute)
  }
}

function emptyOutcome<O extends Order>(): NaiveOutcome<O> {
  return { fills: [], ended: new Map() }
}
