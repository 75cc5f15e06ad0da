// Runs each command on the fast book and on the naive one. Both must agree, and the invariants of the market must hold
// (named as in the list of audits). Throws on the first difference.

import assert from 'node:assert/strict'
import * as fast from '../../src/market/book/book.rules.ts'
import type { Book, BookOutcome } from '../../src/market/book/book-state.rules.ts'
import type { Order } from '../../src/market/book/resting-order.rules.ts'
import type { Schedule } from '../../src/market/schedule/schedule.rules.ts'
import { amendmentOf } from '../../src/market/trading/order-amendment.rules.ts'
import type { BookCommand } from './book-commands.ts'
import { checkMarket, type Ledger, sameMinutes } from './book-invariants.ts'
import * as naive from './naive-book.ts'

/** How often each important case occurred. A run with a zero has not tested that case. */
export type CaseTally = Record<
  | 'commands'
  | 'fills'
  | 'partial_fills'
  | 'whole_as_taker'
  | 'whole_as_maker'
  | 'own_orders_skipped'
  | 'retried'
  | 'chained'
  | 'lapsed'
  | 'expired'
  | 'unfilled'
  | 'cancelled'
  | 'amended'
  | 'kept_places'
  | 'amended_in_steps'
  | 'reloaded'
  | 'resumed',
  number
>

export type ComparedBooks = {
  book: Book<Order>
  readonly naive: naive.NaiveBook<Order>
  readonly ledger: Ledger
  readonly tally: CaseTally
  seq: number
}

export function createComparedBooks(start_minute: number, tally: CaseTally): ComparedBooks {
  const book = fast.loadBook<Order>([], { minute: start_minute, last_seq: 0 })
  return { book, naive: naive.emptyNaiveBook(start_minute), ledger: new Map(), tally, seq: 0 }
}

export function emptyTally(): CaseTally {
  return {
    commands: 0,
    fills: 0,
    partial_fills: 0,
    whole_as_taker: 0,
    whole_as_maker: 0,
    own_orders_skipped: 0,
    retried: 0,
    chained: 0,
    lapsed: 0,
    expired: 0,
    unfilled: 0,
    cancelled: 0,
    amended: 0,
    kept_places: 0,
    amended_in_steps: 0,
    reloaded: 0,
    resumed: 0,
  }
}

/** Runs one command on both books and compares the results. */
export function step(compared: ComparedBooks, command: BookCommand): void {
  compared.tally.commands += 1
  const placed = placedBy(compared, command)
  const [outcome, expected] = run(compared, command, placed)
  assert.equal(outcome === undefined, expected === undefined, 'one book knows the order, the other does not')
  if (outcome === undefined || expected === undefined) return
  const rows = fast.rowsOf(compared.book)
  count(compared, outcome, placed)
  compareFills(outcome, expected)
  compareChanges(outcome, expected)
  compareRows(rows, compared.naive)
  checkMarket({ book: compared.book, rows, outcome, ledger: compared.ledger })
}

function run(
  compared: ComparedBooks,
  command: BookCommand,
  placed: Order | undefined,
): [BookOutcome<Order> | undefined, naive.NaiveOutcome<Order> | undefined] {
  const { book, naive: plain } = compared
  switch (command.kind) {
    case 'place':
      if (book.halted || placed === undefined) return [undefined, undefined]
      return [fast.placeOrder(book, placed), naive.placeNaively(plain, placed)]
    case 'amend': {
      if (book.halted || placed === undefined) return [undefined, undefined]
      return [amend(compared, command.amends, placed), naive.amendNaively(plain, command.amends, placed)]
    }
    case 'cancel':
      return [fast.cancelOrder(book, command.id, 'user'), naive.cancelNaively(plain, command.id, 'user')]
    case 'pass': {
      const minute = book.minute + command.minutes
      const lapses = (fast.nextLapse(book) ?? Number.POSITIVE_INFINITY) <= minute
      const outcome = fast.passTime(book, minute)
      assert.equal(outcome.changes.length > 0, lapses, 'nextLapse does not say when time changes the book')
      return [outcome, naive.passTimeNaively(plain, minute)]
    }
    case 'reload':
      compared.tally.reloaded += 1
      compared.book = fast.loadBook(fast.rowsOf(book).toReversed(), book)
      return [undefined, undefined]
    case 'halt':
      fast.haltMatching(book)
      naive.haltNaively(plain)
      return [undefined, undefined]
    case 'resume':
      compared.tally.resumed += 1
      return [fast.resumeMatching(book), naive.resumeNaively(plain)]
  }
}

function placedBy(compared: ComparedBooks, command: BookCommand): Order | undefined {
  if (command.kind === 'place') return orderFrom(compared, command)
  return command.kind === 'amend' ? amendedFrom(compared, command) : undefined
}

/** The order that continues a resting one, by the rules of amendments. Undefined where that is refused. */
function amendedFrom(compared: ComparedBooks, command: BookCommand & { kind: 'amend' }): Order | undefined {
  const old = compared.book.orders.get(command.amends)
  if (!old) return undefined
  const { order, remaining } = old
  const entry = compared.ledger.get(order.id) ?? { filled: [], lost: [] }
  const { price = Number(order.price_micros), nodes, minutes, partial = order.allow_partial } = command
  const end_minute = minutes === undefined ? order.end_minute : order.start_minute + minutes
  const before = { ...order, filled_before: filledBefore.get(order) ?? [], record: { filled: entry.filled, remaining } }
  const { account_id, side, start_minute } = order
  const wanted = { side, start_minute, end_minute, node_count: nodes, price_micros: BigInt(price), value_micros: 0n }
  const amendment = amendmentOf(
    before,
    { order: wanted, keeps_start: true, allow_standing: true, allow_partial: partial },
    compared.book.minute * 60,
  )
  if ('refusal' in amendment) return undefined
  compared.seq += 1
  const { requested, is_whole, priority_seq } = amendment
  if (priority_seq !== null) compared.tally.kept_places += 1
  if (requested.length > 4) compared.tally.amended_in_steps += 1
  const made: Order = {
    id: command.id,
    account_id,
    side,
    price_micros: BigInt(price),
    seq: priority_seq ?? compared.seq,
    start_minute: amendment.order.start_minute,
    end_minute,
    node_count: nodes,
    allow_standing: true,
    allow_partial: partial,
    ...(is_whole ? {} : { requested }),
  }
  filledBefore.set(made, amendment.filled_before)
  return made
}

/** What the orders before an amended one had filled. */
const filledBefore = new WeakMap<Order, Schedule>()

/** Withdraws an order and places the one that continues it. The outcome is that of both. */
function amend(compared: ComparedBooks, id: string, order: Order): BookOutcome<Order> | undefined {
  const { book } = compared
  const freed = book.orders.get(id)?.remaining ?? []
  const withdrawn = fast.withdrawOrder(book, id)
  if (!withdrawn) return undefined
  const { fills, changes } = fast.placeAmended(book, { order, last_seq: compared.seq, freed })
  return { fills, changes: [...withdrawn.changes, ...changes] }
}

function orderFrom(compared: ComparedBooks, command: BookCommand & { kind: 'place' }): Order {
  compared.seq += 1
  const start_minute = compared.book.minute + command.in_minutes
  return {
    id: command.id,
    account_id: command.account,
    side: command.side,
    price_micros: BigInt(command.price),
    seq: compared.seq,
    start_minute,
    end_minute: start_minute + command.minutes,
    node_count: command.nodes,
    allow_standing: command.standing,
    allow_partial: command.partial,
  }
}

function compareFills(outcome: BookOutcome<Order>, expected: naive.NaiveOutcome<Order>): void {
  assert.equal(outcome.fills.length, expected.fills.length, 'market.reference: another number of fills')
  for (const [index, fill] of outcome.fills.entries()) {
    const reference = expected.fills[index] as naive.NaiveFill<Order>
    assert.equal(fill.buy.id, reference.buy.id, 'market.reference: another buyer')
    assert.equal(fill.sell.id, reference.sell.id, 'market.reference: another seller')
    assert.equal(fill.price_micros, reference.price_micros, 'market.reference: another price')
    assert.equal(fill.taker, reference.taker, 'market.reference: another taker')
    assert.ok(sameMinutes(fill.schedule, reference.minutes), 'market.reference: the schedules differ')
  }
}

function compareChanges(outcome: BookOutcome<Order>, expected: naive.NaiveOutcome<Order>): void {
  const ended = outcome.changes.filter(({ state }) => state !== 'resting')
  assert.equal(ended.length, expected.ended.size, 'market.reference: another number of orders ended')
  for (const { order, state, reason } of ended) {
    assert.deepEqual(
      { state, reason },
      { reason: undefined, ...expected.ended.get(order.id) },
      'market.reference: ended',
    )
  }
}

function compareRows(rows: readonly fast.StandingRow<Order>[], plain: naive.NaiveBook<Order>): void {
  assert.equal(rows.length, plain.resting.length, 'market.reference: another number of orders rests')
  for (const [index, row] of rows.entries()) {
    const reference = plain.resting[index] as naive.NaiveOrder<Order>
    assert.equal(row.order.id, reference.order.id, 'market.reference: another order rests')
    assert.ok(sameMinutes(row.remaining, reference.left), `market.reference: ${row.order.id} has a different remainder`)
    assert.equal(row.lapsed, reference.lapsed, `market.reference: ${row.order.id} lapsed in one book only`)
  }
}

function count({ tally, naive: plain }: ComparedBooks, outcome: BookOutcome<Order>, placed: Order | undefined): void {
  const takers = new Set<Order>()
  for (const { buy, sell, schedule, taker: side } of outcome.fills) {
    const taker = side === 'buy' ? buy : sell
    tally.fills += 1
    for (const order of [buy, sell]) {
      const isWholeFill = schedule[0] === order.start_minute && schedule[2] === order.end_minute
      if (!isWholeFill || schedule[1] !== order.node_count) tally.partial_fills += 1
      if (!order.allow_partial && order === taker) tally.whole_as_taker += 1
      if (!order.allow_partial && order !== taker) tally.whole_as_maker += 1
    }
    if (taker !== placed) takers.add(taker)
  }
  if (takers.size > 0) tally.retried += 1
  if (takers.size > 1) tally.chained += 1
  for (const { state, reason, lapsed } of outcome.changes) {
    if (lapsed) tally.lapsed += 1
    if (reason === 'expired') tally.expired += 1
    if (reason === 'unfilled') tally.unfilled += 1
    if (state === 'cancelled' && reason === 'user') tally.cancelled += 1
    if (reason === 'amended') tally.amended += 1
  }
  if (placed !== undefined && plain.resting.some(({ order }) => isOwnCrossed(order, placed))) {
    tally.own_orders_skipped += 1
  }
}

function isOwnCrossed(order: Order, placed: Order): boolean {
  if (order.account_id !== placed.account_id || order.side === placed.side) return false
  const [buy, sell] = order.side === 'buy' ? [order, placed] : [placed, order]
  const overlaps = order.start_minute < placed.end_minute && placed.start_minute < order.end_minute
  return overlaps && buy.price_micros >= sell.price_micros
}
