/**
 * The reference model of every SKU's order book: the naive book gets the orders of each transaction that the database
 * journaled, and its fills, ends and remainders must equal those that were committed (market.duplicate, and with it
 * priority, settled and replay). It also checks what only the history shows: versions, states, fills after an end,
 * trades during a halt.
 */
import { orderStates } from '@bourse/api/market/order-states.ts'
import { rowsOf } from '../../../src/market/book/book.rules.ts'
import type { Book } from '../../../src/market/book/book-state.rules.ts'
import type { CancelReason, Order } from '../../../src/market/book/resting-order.rules.ts'
import * as naive from '../../market/naive-book.ts'
import type { JournalBook, JournalFill, JournalOrder, MarketEntry } from './market-journal.ts'
import { cutAt, minutesAmong, type Spans } from './spans.ts'

/** The changes of one transaction to one book. */
type BookChange = {
  readonly book: JournalBook
  readonly placed: JournalOrder[]
  readonly changed: JournalOrder[]
  readonly fills: JournalFill[]
}

type ReferenceBook = {
  readonly sku_id: string
  /** Orders as last committed. */
  readonly orders: Map<string, JournalOrder>
  /** Resting orders, oldest first. */
  resting: readonly JournalOrder[]
  /** Resting orders at each version, to compare caches with. */
  readonly prints: Map<number, string>
  book: JournalBook | undefined
  /** Since a halt, until matching has resumed. */
  isBehind: boolean
}

/** The reference books of one run. */
export type ReferenceBooks = {
  /** Applies new journal entries; returns violations, one line each. */
  follow(notes: readonly MarketEntry[], resuming: readonly string[]): string[]
  /** Describes a wrong book in a server's cache. */
  verifyCache(sku_id: string, cached: { readonly book: Book<Order>; readonly version: number }): string | undefined
  /** Counts of transitions. */
  readonly counts: Map<string, number>
  /** Orders that were filled in the transaction that placed them. */
  readonly filledAtOnce: ReadonlySet<string>
}

export function openReferenceBooks(): ReferenceBooks {
  const references = new Map<string, ReferenceBook>()
  const counts = new Map<string, number>()
  const filledAtOnce = new Set<string>()
  let isHalted = false
  const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by)
  const referenceOf = (sku_id: string): ReferenceBook => {
    const known = references.get(sku_id)
    if (known) return known
    const made = { sku_id, orders: new Map(), resting: [], prints: new Map(), book: undefined, isBehind: false }
    references.set(sku_id, made)
    return made
  }
  return {
    counts,
    filledAtOnce,
    follow: (notes, resuming) => {
      const violations: string[] = []
      const open = new Map<string, BookChange>()
      const close = (sku_id: string) => {
        const change = open.get(sku_id)
        open.delete(sku_id)
        for (const { id } of change?.placed ?? []) if (isFilled(change, id)) filledAtOnce.add(id)
        if (change) violations.push(...take(referenceOf(sku_id), change, { isHalted, count }))
      }
      for (const { kind, is_new, row } of notes) {
        if (kind === 'market_halt') {
          for (const sku_id of open.keys()) close(sku_id)
          isHalted = row.is_halted
          if (isHalted) for (const reference of references.values()) reference.isBehind = true
          continue
        }
        if (kind === 'books') {
          close(row.sku_id)
          const reference = referenceOf(row.sku_id)
          if (row.halted) reference.isBehind = true
          if (reference.book?.version !== row.version)
            open.set(row.sku_id, { book: row, placed: [], changed: [], fills: [] })
          else reference.book = row
          continue
        }
        const change = open.get(row.sku_id)
        if (!change) violations.push(`market.version: ${kind} of ${row.sku_id} changed without its book`)
        else if (kind === 'fills') change.fills.push(row)
        else if (is_new) change.placed.push(row)
        else change.changed.push(row)
      }
      for (const sku_id of [...open.keys()]) close(sku_id)
      for (const reference of references.values()) {
        const waits = isHalted || reference.book?.halted || resuming.includes(reference.sku_id)
        if (!waits && reference.isBehind) violations.push(...catchUp(reference))
      }
      return violations
    },
    verifyCache: (sku_id, { book, version }) => {
      const print = references.get(sku_id)?.prints.get(version)
      const cached = countRows(
        rowsOf(book).map(({ order, remaining, lapsed }) => ({ id: order.id, remaining, lapsed })),
      )
      if (print === undefined || print === cached) return undefined
      return `market.version: a cached book of ${sku_id} at version ${version} is ${cached}, stored was ${print}`
    },
  }
}

function isFilled(change: BookChange | undefined, id: string): boolean {
  return [...(change?.placed ?? []), ...(change?.changed ?? [])].some(
    (order) => order.id === id && order.state === 'filled',
  )
}

type CheckContext = { readonly isHalted: boolean; readonly count: (what: string, by?: number) => void }

function take(reference: ReferenceBook, change: BookChange, { isHalted, count }: CheckContext): string[] {
  const { book } = change
  const violations = [...verifyHistory(reference, change, isHalted || book.halted)]
  count('fills', change.fills.length)
  count('related fills', change.fills.filter(({ related }) => related).length)
  const expected = reference.isBehind ? undefined : replay(reference, change)
  for (const order of [...change.placed, ...change.changed]) {
    const before = reference.orders.get(order.id)
    if (order.cancel_reason !== null) count(`cancelled ${order.cancel_reason}`)
    if (order.state === 'partially_filled' && before?.state !== 'partially_filled') count('partly filled orders')
    reference.orders.set(order.id, order)
  }
  count('partial fills', change.fills.filter((fill) => isPartial(reference, fill)).length)
  reference.book = book
  reference.resting = restingAfter(reference, change)
  reference.prints.set(book.version, countRows(reference.resting))
  if (expected) {
    violations.push(...compare(reference, change, expected))
    count('reference transactions')
  }
  return violations
}

/** Violations that the history shows without a book. */
function* verifyHistory(
  { sku_id, orders, book: before }: ReferenceBook,
  change: BookChange,
  isHalted: boolean,
): Iterable<string> {
  const { book, placed, changed, fills } = change
  const where = `${sku_id} at version ${book.version}`
  if (before && book.version !== before.version + 1) yield `market.version: ${where} follows ${before.version}`
  if (before && book.decided_at < before.decided_at) yield `market.version: ${where} was decided before its predecessor`
  if (isHalted && placed.length + fills.length > 0) yield `market.status: ${where} traded while halted`
  for (const { buy_order_id, sell_order_id } of fills) {
    for (const id of [buy_order_id, sell_order_id]) {
      const state = orders.get(id)?.state
      if (state && !orderStates[state].is_open) yield `market.cancel-or-fill: ${where} filled ${id}, which is ${state}`
    }
  }
  for (const { id, state, book_version } of [...placed, ...changed]) {
    const from = orders.get(id)?.state
    if (book_version !== book.version) yield `market.version: ${id} changed at ${where} and says ${book_version}`
    if (from && from !== state && !(orderStates[from].next as readonly string[]).includes(state)) {
      yield `market.status: ${id} went from ${from} to ${state}`
    }
    if (from && !orderStates[from].is_open) yield `market.status: ${id} changed after it was ${from}`
  }
}

type ExpectedChange = {
  readonly fills: string[]
  readonly ended: Map<string, string>
  readonly plain: naive.NaiveBook<Order>
  readonly spans: Spans
}

/** Applies a transaction to the naive book: time first, then ends, then new orders. */
function replay(reference: ReferenceBook, change: BookChange): ExpectedChange {
  const { book, placed, changed, fills } = change
  const spans = spansOf(reference, change)
  const plain = naiveFrom(reference, spans)
  const expected: ExpectedChange = { fills: [], ended: new Map(), plain, spans }
  const note = (outcome: naive.NaiveOutcome<Order> | undefined) => {
    for (const fill of outcome?.fills ?? []) expected.fills.push(printFill(fill, spans))
    for (const [id, { state, reason }] of outcome?.ended ?? []) expected.ended.set(id, `${state} ${reason ?? ''}`)
  }
  note(naive.passTimeNaively(plain, spans.at(minuteOf(book))))
  const isAsked = ({ cancel_reason }: JournalOrder) =>
    cancel_reason !== null && !['expired', 'amended'].includes(cancel_reason)
  for (const { id, cancel_reason } of bySeq(changed.filter(isAsked))) {
    note(naive.cancelNaively(plain, id, cancel_reason as CancelReason))
  }
  for (const order of bySeq(placed)) {
    const entering = orderOf(order, spans)
    note(
      order.amends === null ? naive.placeNaively(plain, entering) : naive.amendNaively(plain, order.amends, entering),
    )
  }
  if (placed.length + changed.length === 0 && fills.length === 0) note(naive.resumeNaively(plain))
  return expected
}

function* compare(
  reference: ReferenceBook,
  { book, placed, changed, fills }: BookChange,
  expected: ExpectedChange,
): Iterable<string> {
  const { plain, spans } = expected
  const where = `market.reference: ${reference.sku_id} at version ${book.version}`
  const made = fills.map(({ buy_order_id, sell_order_id, price_micros, schedule }) =>
    [buy_order_id, sell_order_id, price_micros, spans.print(spans.of(schedule))].join(' '),
  )
  if (made.join('\n') !== expected.fills.join('\n')) {
    yield `${where} filled ${JSON.stringify(made)}, the naive book ${JSON.stringify(expected.fills)}`
  }
  for (const { id, state, cancel_reason } of [...placed, ...changed]) {
    const ended = orderStates[state].is_open ? undefined : `${state} ${cancel_reason ?? ''}`
    if (ended !== expected.ended.get(id)) yield `${where} ended ${id} as ${ended}, not ${expected.ended.get(id)}`
    expected.ended.delete(id)
  }
  if (expected.ended.size > 0) yield `${where} did not end ${JSON.stringify([...expected.ended])}`
  const left = plain.resting.map(({ order, left, lapsed }) => `${order.id} ${spans.print(left)} ${lapsed}`)
  const stored = reference.resting.map(
    ({ id, remaining, lapsed }) => `${id} ${spans.print(spans.of(remaining))} ${lapsed}`,
  )
  if (left.join('\n') !== stored.join('\n'))
    yield `${where} keeps ${stored.join(', ')}; the naive book ${left.join(', ')}`
}

/** After a halt, when matching has resumed, no order that could be filled may remain (market.settled). */
function catchUp(reference: ReferenceBook): string[] {
  reference.isBehind = false
  const spans = spansOf(reference, undefined)
  const { fills } = naive.resumeNaively(naiveFrom(reference, spans))
  if (fills.length === 0) return []
  const left = fills.map((fill) => printFill(fill, spans))
  return [`market.settled: ${reference.sku_id} left ${JSON.stringify(left)} unfilled after a halt`]
}

/** The naive book of the resting orders as last committed. */
function naiveFrom({ book, resting }: ReferenceBook, spans: Spans): naive.NaiveBook<Order> {
  const plain = naive.emptyNaiveBook<Order>(spans.at(minuteOf(book)))
  for (const order of resting) {
    plain.resting.push({ order: orderOf(order, spans), left: spans.of(order.remaining), lapsed: order.lapsed })
  }
  return plain
}

/** Spans at whose edges all resting orders and all parts of a change begin and end. */
function spansOf({ book, resting }: ReferenceBook, change: BookChange | undefined): Spans {
  const orders = [...resting, ...(change?.placed ?? []), ...(change?.changed ?? [])]
  return cutAt([
    ...[book, change?.book].map(minuteOf),
    ...orders.flatMap(({ start_minute, end_minute }) => [start_minute, end_minute]),
    ...orders.flatMap(({ remaining, requested }) => [...minutesAmong(remaining), ...minutesAmong(requested ?? [])]),
    ...(change?.fills ?? []).flatMap(({ schedule }) => [...minutesAmong(schedule)]),
  ])
}

function minuteOf(book: JournalBook | undefined): number {
  return Math.floor((book?.decided_at ?? 0) / 60)
}

function restingAfter({ resting, orders }: ReferenceBook, { placed, changed }: BookChange): JournalOrder[] {
  const ids = new Set([...resting, ...placed, ...changed].map(({ id }) => id))
  const now = [...ids].map((id) => orders.get(id) as JournalOrder)
  return byAge(now.filter(({ state }) => orderStates[state].is_open))
}

/** In the order in which they were placed. */
function bySeq(orders: readonly JournalOrder[]): JournalOrder[] {
  return orders.toSorted((a, b) => a.seq - b.seq)
}

/** By their places in the queue. */
function byAge(orders: readonly JournalOrder[]): JournalOrder[] {
  return orders.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function placeOf({ priority_seq, seq }: JournalOrder): number {
  return priority_seq ?? seq
}

function orderOf(order: JournalOrder, spans: Spans): Order {
  const [start_minute, end_minute] = [spans.at(order.start_minute), spans.at(order.end_minute)]
  const { requested, ...terms } = order
  return {
    ...terms,
    seq: placeOf(order),
    start_minute,
    end_minute,
    price_micros: BigInt(order.price_micros),
    ...(requested ? { requested: requested.map((part, index) => (index % 2 === 0 ? spans.at(part) : part)) } : {}),
  }
}

function isPartial({ orders }: ReferenceBook, { buy_order_id, sell_order_id, schedule }: JournalFill): boolean {
  return [buy_order_id, sell_order_id].some((id) => {
    const order = orders.get(id) as JournalOrder
    return schedule[0] !== order.start_minute || schedule[2] !== order.end_minute || schedule[1] !== order.node_count
  })
}

function printFill({ buy, sell, price_micros, minutes }: naive.NaiveFill<Order>, spans: Spans): string {
  return [buy.id, sell.id, price_micros, spans.print(minutes)].join(' ')
}

type RestingRemainder = { readonly id: string; readonly remaining: readonly number[]; readonly lapsed: boolean }

function countRows(rows: readonly RestingRemainder[]): string {
  return rows.map(({ id, remaining, lapsed }) => `${id} ${remaining.join(',')} ${lapsed}`).join('; ')
}
