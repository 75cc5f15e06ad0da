// Small books for table-like tests: one line per order, minutes counted from 0.

import assert from 'node:assert/strict'
import { cancelOrder, loadBook, passTime, placeOrder } from '../../src/market/book/book.rules.ts'
import type { Book, BookOutcome } from '../../src/market/book/book-state.rules.ts'
import type { Order, Side } from '../../src/market/book/resting-order.rules.ts'
import { toEntries } from '../../src/market/schedule/schedule.rules.ts'

/** A book that assigns `seq` and stores the outcome of its last command. */
export type BookFixture = { readonly book: Book<Order>; seq: number; last: BookOutcome<Order> }

export function openBookFixture(minute = 0): BookFixture {
  return { book: loadBook<Order>([], { minute, last_seq: 0 }), seq: 0, last: { fills: [], changes: [] } }
}

/**
 * Places an order of the form `<id> <account> buy|sell <nodes>x[<start>,<end>) @<price> [whole] [now]`. `whole`: all or
 * nothing; `now`: not standing.
 */
export function place(fixture: BookFixture, line: string): BookOutcome<Order> {
  fixture.seq += 1
  fixture.last = placeOrder(fixture.book, orderOf(line, fixture.seq))
  return fixture.last
}

export function placeAll(fixture: BookFixture, lines: readonly string[]): void {
  for (const line of lines) place(fixture, line)
}

export function cancel(fixture: BookFixture, id: string): void {
  const outcome = cancelOrder(fixture.book, id, 'user')
  assert.ok(outcome, `${id} does not rest`)
  fixture.last = outcome
}

export function pass(fixture: BookFixture, minute: number): void {
  fixture.last = passTime(fixture.book, minute)
}

/** The fills of the last command, as `<buy>-<sell> <schedule> @<price>`. */
export function fillsOf({ last }: BookFixture): string[] {
  return last.fills.map(({ buy, sell, schedule, price_micros }) => {
    return `${buy.id}-${sell.id} ${printed(schedule)} @${price_micros}`
  })
}

/** The orders that the last command changed, as `<id> resting <schedule>`, `<id> filled` or `<id> <reason>`. */
export function changesOf({ last }: BookFixture): string[] {
  return last.changes.map(({ order, state, reason, remaining }) => {
    return `${order.id} ${state === 'resting' ? `resting ${printed(remaining)}` : (reason ?? state)}`
  })
}

/** The resting orders, oldest first, as `<id> <schedule>`. */
export function restingOf({ book }: BookFixture): string[] {
  const nodes = [...book.orders.values()].sort((a, b) => a.seq - b.seq)
  return nodes.map(({ order, remaining }) => `${order.id} ${printed(remaining)}`)
}

/** A schedule as `2x[0,5) 1x[5,9)`. */
export function printed(schedule: readonly number[]): string {
  return toEntries(schedule)
    .map(({ start_at, end_at, node_count }) => `${node_count}x[${start_at / 60},${Number(end_at) / 60})`)
    .join(' ')
}

function orderOf(line: string, seq: number): Order {
  const match = /^(\S+) (\S+) (buy|sell) (\d+)x\[(\d+),(\d+)\) @(\d+)( whole)?( now)?$/.exec(line)
  assert.ok(match, `not an order: ${line}`)
  const [, id, account_id, side, nodes, start, end, price, whole, now] = match as unknown as string[]
  return {
    id: String(id),
    account_id: String(account_id),
    side: side as Side,
    price_micros: BigInt(price as string),
    seq,
    start_minute: Number(start),
    end_minute: Number(end),
    node_count: Number(nodes),
    allow_standing: now === undefined,
    allow_partial: whole === undefined,
  }
}
