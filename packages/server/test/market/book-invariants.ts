// The invariants of the market, checked on the public results of a book: its rows and the outcome of its last command.

import assert from 'node:assert/strict'
import type { StandingRow } from '../../src/market/book/book.rules.ts'
import type { Book, BookOutcome, Fill } from '../../src/market/book/book-state.rules.ts'
import { planOrder } from '../../src/market/book/matching.rules.ts'
import { type Order, requestedOf } from '../../src/market/book/resting-order.rules.ts'
import { add, empty, min, type Schedule } from '../../src/market/schedule/schedule.rules.ts'

/** The filled and lost minutes of each order so far. */
export type Ledger = Map<string, { filled: Schedule; lost: Schedule }>

export type CheckedBook = {
  readonly book: Book<Order>
  readonly rows: readonly StandingRow<Order>[]
  readonly outcome: BookOutcome<Order>
  readonly ledger: Ledger
}

export function checkMarket(checked: CheckedBook): void {
  for (const fill of checked.outcome.fills) checkFill(fill)
  checkVector(checked)
  checkUncrossed(checked.rows)
  checkPriority(checked)
  if (!checked.book.halted) checkSettled(checked.book)
}

/** Whether a schedule has exactly these counts. */
export function sameMinutes(schedule: Schedule, minutes: ReadonlyMap<number, number>): boolean {
  let counted = 0
  for (let index = 0; index + 2 < schedule.length; index += 2) {
    const count = schedule[index + 1] as number
    if (count === 0) continue
    for (let minute = schedule[index] as number; minute < (schedule[index + 2] as number); minute += 1) {
      if (minutes.get(minute) !== count) return false
      counted += 1
    }
  }
  return counted === minutes.size
}

function checkFill({ buy, sell, price_micros, schedule }: Fill<Order>): void {
  const older = buy.seq < sell.seq ? buy : sell
  assert.equal(price_micros, older.price_micros, 'market.price: not the limit of the older order')
  assert.ok(sell.price_micros <= price_micros && price_micros <= buy.price_micros, 'market.price: outside the limits')
  assert.notEqual(buy.account_id, sell.account_id, 'market.pair: an account traded with itself')
  assert.ok(schedule.length > 0, 'market.pair: an empty fill')
}

function checkVector({ outcome, ledger }: CheckedBook): void {
  for (const { order } of outcome.changes) {
    if (!ledger.has(order.id)) ledger.set(order.id, { filled: empty, lost: empty })
  }
  for (const { buy, sell, schedule } of outcome.fills) {
    for (const { id } of [buy, sell]) {
      const entry = ledger.get(id)
      assert.ok(entry, 'market.vector: a fill of an order that is not in the changes')
      entry.filled = add(entry.filled, schedule)
    }
  }
  for (const { order, remaining, lost } of outcome.changes) {
    const entry = ledger.get(order.id) as { filled: Schedule; lost: Schedule }
    entry.lost = add(entry.lost, lost)
    const requested = requestedOf(order)
    assert.deepEqual(add(add(entry.filled, remaining), entry.lost), requested, `market.vector: ${order.id}`)
    if (order.allow_partial || entry.filled.length === 0) continue
    assert.deepEqual(entry.filled, requested, `market.whole: ${order.id} is filled in part`)
  }
}

function checkUncrossed(rows: readonly StandingRow<Order>[]): void {
  const partial = rows.filter(({ order }) => order.allow_partial)
  const sells = partial.filter(({ order }) => order.side === 'sell')
  for (const buy of partial) {
    if (buy.order.side !== 'buy') continue
    for (const sell of sells) {
      if (buy.order.price_micros < sell.order.price_micros) continue
      if (buy.order.account_id === sell.order.account_id) continue
      const common = min(buy.remaining, sell.remaining)
      assert.deepEqual(common, empty, `market.uncrossed: ${buy.order.id} and ${sell.order.id}`)
    }
  }
}

function checkPriority({ rows, outcome }: CheckedBook): void {
  for (const { buy, sell, schedule, taker: side } of outcome.fills) {
    const [taker, maker] = side === 'buy' ? [buy, sell] : [sell, buy]
    for (const { order, remaining } of rows) {
      if (order.side !== maker.side || order.account_id === taker.account_id || !order.allow_partial) continue
      if (!isAhead(order, maker)) continue
      assert.deepEqual(min(remaining, schedule), empty, `market.priority: ${order.id} was skipped`)
    }
  }
}

function isAhead(order: Order, other: Order): boolean {
  if (order.price_micros === other.price_micros) return order.seq < other.seq
  return order.price_micros < other.price_micros === (other.side === 'sell')
}

/** Checks every all-or-nothing order, not only those near the change, so that a missing retry is found. */
function checkSettled(book: Book<Order>): void {
  for (const node of book.orders.values()) {
    if (!node.whole) continue
    assert.equal(planOrder(book, node).takes.length, 0, `market.settled: ${node.order.id} could be filled completely`)
  }
}
