// Small books for tests that read like tables: orders on one line each, minutes counted from 0.

import assert from 'node:assert/strict'
import { cancelOrder, loadBook, passTime, placeOrder } from '../../src/market/book/book.rules.ts'
import type { Book, Outcome } from '../../src/market/book/book-state.rules.ts'
import type { Order, Side } from '../../src/market/book/resting-order.rules.ts'
import { toEntries } from '../../src/market/schedule/schedule.rules.ts'

/** A book that hands out `seq` by itself and remembers what its last command did. */
export type Scene = { readonly book: Book<Order>; seq: number; last: Outcome<Order> }

export function openScene(minute = 0): Scene {
  return { book: loadBook<Order>([], { minute, last_seq: 0 }), seq: 0, last: { fills: [], changes: [] } }
}

/**
 * Places an order written as `<id> <account> buy|sell <nodes>x[<start>,<end>) @<price> [whole] [now]`; `whole` = all or
 * nothing, `now` = not standing.
 */
export function place(scene: Scene, line: string): Outcome<Order> {
  scene.seq += 1
  scene.last = placeOrder(scene.book, orderOf(line, scene.seq))
  return scene.last
}

export function placeAll(scene: Scene, lines: readonly string[]): void {
  for (const line of lines) place(scene, line)
}

export function cancel(scene: Scene, id: string): void {
  const outcome = cancelOrder(scene.book, id, 'user')
  assert.ok(outcome, `${id} does not rest`)
  scene.last = outcome
}

export function pass(scene: Scene, minute: number): void {
  scene.last = passTime(scene.book, minute)
}

/** The fills of the last command, as `<buy>-<sell> <schedule> @<price>`. */
export function fillsOf({ last }: Scene): string[] {
  return last.fills.map(({ buy, sell, schedule, price_micros }) => {
    return `${buy.id}-${sell.id} ${printed(schedule)} @${price_micros}`
  })
}

/** What the last command left of each order, as `<id> resting <schedule>`, `<id> filled` or `<id> <reason>`. */
export function changesOf({ last }: Scene): string[] {
  return last.changes.map(({ order, state, reason, remaining }) => {
    return `${order.id} ${state === 'resting' ? `resting ${printed(remaining)}` : (reason ?? state)}`
  })
}

/** What rests, oldest first, as `<id> <schedule>`. */
export function restingOf({ book }: Scene): string[] {
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
