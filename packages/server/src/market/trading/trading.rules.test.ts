import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type BookCommand, type BookStream, randomStream } from '../../../test/market/book-commands.ts'
import { sized } from '../../../test/support/size.ts'
import { holdMoney, type MoneyLedger, openMoneyLedger, releaseMoney, settleFill } from '../../billing/money.rules.ts'
import { createSeededRandom } from '../../core/base/random.ts'
import { cancelOrder, loadBook, passTime, placeOrder } from '../book/book.rules.ts'
import type { BookOutcome } from '../book/book-state.rules.ts'
import { fillValue, holdFor } from '../schedule/prices.rules.ts'
import { nodeMinutes, rectangle } from '../schedule/schedule.rules.ts'
import {
  applyOutcome,
  type BookOrder,
  type CapacityDeltas,
  type Effects,
  isOpenRecord,
  noEffects,
  recordPlaced,
  refuseClosed,
} from './trading.rules.ts'

const streams = sized(300)
const streamLength = 120
const funds = 10n ** 15n
/** Fees that are never a whole number of micro-dollars. */
const terms = { hourly_fee_micros: 17n, fee_bps: 333 }

/** How often each case occurred. */
type SeenCases = ReturnType<typeof nothingSeen>
const nothingSeen = () => ({ fills: 0, cut: 0, released: 0, rounded_holds: 0 })

/** Places, fills, lapses and cancels the orders of a stream, with their money. */
function createTrading({ start_minute }: BookStream) {
  const accounts = Array.from({ length: 8 }, (_, n) => ({
    account_id: `a${n}`,
    credit_micros: funds,
    held_micros: 0n,
    credit_limit_micros: 0n,
    low_at_micros: null,
    is_low: false,
  }))
  const ledger = openMoneyLedger(accounts, [])
  const book = loadBook<BookOrder>([], { minute: start_minute, last_seq: 0 })
  const orders: BookOrder[] = []
  const seen = nothingSeen()
  let parts = 0

  const settle = (outcome: BookOutcome<BookOrder> | undefined) => {
    if (!outcome) return
    const newFillId = () => `fill_${++parts}`
    const { trades, releases } = applyOutcome(noEffects(), outcome, { now: 0, terms, newFillId })
    for (const { fill_id, buy, sell, price_micros, node_minutes, value_micros, saved_micros, fee_micros } of trades) {
      assert.equal(value_micros, fillValue(price_micros, node_minutes))
      assert.ok(saved_micros >= 0n, 'the hold of a buy does not cover its fill')
      assert.ok(fee_micros >= 0n && fee_micros <= value_micros)
      settleFill(ledger, {
        fill_id,
        value_micros,
        saved_micros,
        fee_micros,
        buyer: partyOf(buy),
        seller: partyOf(sell),
      })
      seen.fills += 1
      if ((price_micros * node_minutes) % 60n !== 0n) seen.cut += 1
    }
    for (const { order, amount_micros } of releases) {
      releaseMoney(ledger, order.id, { amount_micros, part: ++parts })
      seen.released += 1
    }
  }

  const run = (command: BookCommand) => {
    if (command.kind === 'place') {
      const order = orderOf(command, { seq: book.last_seq + 1, minute: book.minute })
      orders.push(order)
      if (order.side === 'buy') {
        const amount_micros = holdFor(order.price_micros, nodeMinutes(order.record.remaining))
        assert.equal(holdMoney(ledger, { ...partyOf(order), amount_micros }), undefined)
      }
      recordPlaced(noEffects(), order, order.record.remaining)
      settle(placeOrder(book, order))
    }
    if (command.kind === 'cancel') settle(cancelOrder(book, command.id, 'user'))
    if (command.kind === 'pass') settle(passTime(book, book.minute + command.minutes))
  }

  return { run, check: () => checkHolds(orders, ledger, seen), seen }
}

/** Checks that each hold is exactly what the open node-minutes of its order need, and that money adds up. */
function checkHolds(orders: readonly BookOrder[], ledger: MoneyLedger, seen: SeenCases): void {
  for (const { id, side, price_micros, record } of orders) {
    const open = isOpenRecord(record) ? nodeMinutes(record.remaining) : 0n
    const exact = side === 'buy' ? holdFor(price_micros, open) : 0n
    assert.equal(ledger.holds.get(id)?.amount_micros ?? 0n, exact, `the hold of ${id}`)
    if ((price_micros * open) % 60n !== 0n) seen.rounded_holds += 1
    const { filled_value_micros, filled_cut_sixtieths, filled_node_minutes } = record
    assert.ok(60n * filled_value_micros + filled_cut_sixtieths <= 60n * funds)
    if (side === 'buy') assert.ok(filled_value_micros <= holdFor(price_micros, BigInt(filled_node_minutes)))
  }
  for (const { account_id, held_micros } of ledger.balances.values()) {
    const holds = [...ledger.holds.values()].filter((hold) => hold.account_id === account_id)
    const held = holds.reduce((sum, { amount_micros }) => sum + amount_micros, 0n)
    assert.equal(held_micros, held, `what ${account_id} has set aside`)
  }
  assert.equal(
    ledger.legs.reduce((sum, { amount_micros }) => sum + amount_micros, 0n),
    0n,
  )
}

function orderOf(
  command: BookCommand & { kind: 'place' },
  { seq, minute }: { seq: number; minute: number },
): BookOrder {
  const start_minute = minute + command.in_minutes
  const end_minute = start_minute + command.minutes
  const remaining = rectangle(start_minute, end_minute, command.nodes)
  return {
    id: command.id,
    account_id: command.account,
    side: command.side,
    // Few of its products with node-minutes are whole micro-dollars.
    price_micros: BigInt(command.price) * 7n + 1n,
    seq,
    start_minute,
    end_minute,
    node_count: command.nodes,
    allow_standing: command.standing,
    allow_partial: command.partial,
    filled_before: [],
    record: {
      id: command.id,
      pool_id: `pool_${command.account}`,
      workspace_id: 'wksp',
      state: 'standing',
      remaining,
      filled: [],
      lapsed: false,
      filled_node_minutes: 0,
      filled_value_micros: 0n,
      filled_cut_sixtieths: 0n,
      filled_at: null,
      cancelled_at: null,
      cancel_reason: null,
      amended_by: null,
    },
  }
}

function partyOf({ id, account_id }: BookOrder) {
  return { order_id: id, account_id, workspace_id: 'wksp' }
}

test('a hold covers every fill, is the exact rest after each, and nothing is left of it in the end', () => {
  const random = createSeededRandom(12)
  const seen = nothingSeen()
  for (let n = 0; n < streams; n += 1) {
    const stream = randomStream(random, streamLength)
    const trading = createTrading(stream)
    for (const command of stream.commands) {
      trading.run(command)
      trading.check()
    }
    trading.run({ kind: 'pass', minutes: 100_000 })
    trading.check()
    for (const name of Object.keys(seen) as (keyof typeof seen)[]) seen[name] += trading.seen[name]
  }
  const missed = Object.entries(seen).filter(([, count]) => count < streams)
  assert.deepEqual(missed, [], 'these hardly happened, so the run has not tested them')
})

/** What a transaction has done, as plain values. */
function plain({ placed, changed, trades, owned, promised, usage, counted, ended }: Effects) {
  const deltas = (all: CapacityDeltas) =>
    Object.fromEntries([...all].map(([pool, own]) => [pool, Object.fromEntries(own)]))
  return {
    placed: [...placed.keys()],
    changed: [...changed.keys()],
    trades: trades.map(({ fill_id }) => fill_id),
    owned: deltas(owned),
    promised: deltas(promised),
    usage: Object.fromEntries(usage),
    counted: [...counted],
    ended: ended.map(({ id }) => id),
  }
}

/** A book whose commands are transactions of their own. Orders are from minute 10 up to 60 at 22 micro-dollars. */
function createBook() {
  const book = loadBook<BookOrder>([], { minute: 0, last_seq: 0 })
  const apply = (effects: Effects, outcome: BookOutcome<BookOrder> | undefined) => {
    assert.ok(outcome)
    const { releases } = applyOutcome(effects, outcome, { now: 77, terms, newFillId: () => 'fill_1' })
    return { effects: plain(effects), released: releases.map((release) => [release.order.id, release.amount_micros]) }
  }
  return {
    place: (id: string, side: 'buy' | 'sell', nodes: number) => {
      const terms = { in_minutes: 10, minutes: 50, nodes, price: 3, standing: true, partial: true }
      const order = orderOf(
        { kind: 'place', id, account: `of_${id}`, side, ...terms },
        { seq: book.last_seq + 1, minute: 0 },
      )
      const effects = noEffects()
      recordPlaced(effects, order, order.record.remaining)
      return { order, ...apply(effects, placeOrder(book, order)) }
    },
    cancel: (id: string) => apply(noEffects(), cancelOrder(book, id, 'user')),
  }
}

const nothing = plain(noEffects())

test('a transaction has what its orders promise, trade and count, and nothing of older ones', () => {
  const book = createBook()
  const sell = book.place('s', 'sell', 2)
  assert.deepEqual(sell.effects, {
    ...nothing,
    placed: ['s'],
    promised: { pool_of_s: { 10: 2, 60: -2 } },
    usage: { of_s: { open_orders: 1, open_buy_node_minutes: 0 } },
    counted: ['s'],
  })
  const buy = book.place('b', 'buy', 1)
  assert.deepEqual(buy.effects, {
    placed: ['b'],
    changed: ['s'],
    trades: ['fill_1'],
    owned: { pool_of_s: { 10: -1, 60: 1 }, pool_of_b: { 10: 1, 60: -1 } },
    promised: { pool_of_s: { 10: -1, 60: 1 } },
    usage: {
      of_b: { open_orders: 0, open_buy_node_minutes: 0 },
      of_s: { open_orders: 0, open_buy_node_minutes: 0 },
    },
    counted: ['s'],
    ended: ['b'],
  })
  const { record } = sell.order
  assert.deepEqual(
    [record.state, record.filled, record.remaining],
    ['partially_filled', [10, 1, 60, 0], [10, 1, 60, 0]],
  )
  assert.deepEqual(
    [record.filled_node_minutes, record.filled_value_micros, record.filled_cut_sixtieths],
    [50, 18n, 20n],
  )
  assert.deepEqual([buy.order.record.state, buy.order.record.filled_at], ['filled', 77])
  assert.deepEqual(book.cancel('s').effects, {
    ...nothing,
    changed: ['s'],
    promised: { pool_of_s: { 10: -1, 60: 1 } },
    usage: { of_s: { open_orders: -1, open_buy_node_minutes: 0 } },
    ended: ['s'],
  })
  const { state, cancelled_at, cancel_reason, filled_at } = record
  assert.deepEqual([state, cancelled_at, cancel_reason, filled_at], ['cancelled', 77, 'user', null])
})

test('an open buy wants its node-minutes, and gives back its hold when it is cancelled', () => {
  const book = createBook()
  const buy = book.place('b', 'buy', 3)
  assert.deepEqual(buy.effects, {
    ...nothing,
    placed: ['b'],
    usage: { of_b: { open_orders: 1, open_buy_node_minutes: 150 } },
    counted: ['b'],
  })
  assert.equal(buy.order.record.state, 'standing')
  const sell = book.place('s', 'sell', 1)
  assert.deepEqual(sell.effects.usage.of_b, { open_orders: 0, open_buy_node_minutes: -50 })
  const cancelled = book.cancel('b')
  assert.deepEqual(cancelled.effects, {
    ...nothing,
    changed: ['b'],
    usage: { of_b: { open_orders: -1, open_buy_node_minutes: -100 } },
    ended: ['b'],
  })
  assert.deepEqual(cancelled.released, [['b', holdFor(22n, 100n)]])
})

test('a halted market and a retired SKU take no orders', () => {
  const open = { halted: false, halt_message: null, is_retired: false }
  assert.equal(refuseClosed(open), undefined)
  const halted = refuseClosed({ ...open, halted: true, is_retired: true })
  assert.deepEqual([halted?.code, halted?.retry_after_seconds], ['unavailable', 300])
  assert.equal(halted?.message, 'The market is halted.')
  assert.equal(refuseClosed({ ...open, halted: true, halt_message: 'a test' })?.message, 'The market is halted: a test')
  const retired = refuseClosed({ ...open, is_retired: true })
  assert.deepEqual([retired?.code, retired?.field], ['sku_not_available', 'sku'])
})
