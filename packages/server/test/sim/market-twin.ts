/**
 * The naive book of every SKU, led beside a run by what the database noted down: each transaction's orders go to it,
 * and its fills, ends and remainders have to be those that were committed (market.twin, and with it priority, settled
 * and replay). Also what needs the history alone: versions, states, fills after an end, trades while halted.
 */
import { orderStates } from '@bourse/api/market/order-states.ts'
import { rowsOf } from '../../src/market/book/book.rules.ts'
import type { Book } from '../../src/market/book/book-state.rules.ts'
import * as naive from '../../src/market/book/naive-book.rules.ts'
import type { CancelReason, Order } from '../../src/market/book/resting-order.rules.ts'
import type { Note, NotedBook, NotedFill, NotedOrder } from './market-record.ts'
import { cutAt, minutesAmong, type Spans } from './spans.ts'

/** What one transaction did to one book. */
type Change = {
  readonly book: NotedBook
  readonly placed: NotedOrder[]
  readonly changed: NotedOrder[]
  readonly fills: NotedFill[]
}

type Twin = {
  readonly sku_id: string
  /** Orders as they were committed last. */
  readonly orders: Map<string, NotedOrder>
  /** Those of them that rest, oldest first. */
  resting: readonly NotedOrder[]
  /** What rested at each version, to compare caches with. */
  readonly prints: Map<number, string>
  book: NotedBook | undefined
  /** Since a halt, until matching was taken up again: what has become ready meanwhile waits for that. */
  isBehind: boolean
}

/** The twins of one run. */
export type MarketTwins = {
  /** Takes what was noted since the last time; gives what is wrong, each as a line. */
  follow(notes: readonly Note[], resuming: readonly string[]): string[]
  /** What is wrong with a book that some server has in its memory. */
  judgeCache(sku_id: string, cached: { readonly book: Book<Order>; readonly version: number }): string | undefined
  /** What happened, by what the guards ask for. */
  readonly counts: Map<string, number>
  /** Orders that were filled by the transaction that placed them. */
  readonly filledAtOnce: ReadonlySet<string>
}

export function openTwins(): MarketTwins {
  const twins = new Map<string, Twin>()
  const counts = new Map<string, number>()
  const filledAtOnce = new Set<string>()
  let isHalted = false
  const count = (what: string, by = 1) => counts.set(what, (counts.get(what) ?? 0) + by)
  const twinOf = (sku_id: string): Twin => {
    const known = twins.get(sku_id)
    if (known) return known
    const made = { sku_id, orders: new Map(), resting: [], prints: new Map(), book: undefined, isBehind: false }
    twins.set(sku_id, made)
    return made
  }
  return {
    counts,
    filledAtOnce,
    follow: (notes, resuming) => {
      const flaws: string[] = []
      const open = new Map<string, Change>()
      const close = (sku_id: string) => {
        const change = open.get(sku_id)
        open.delete(sku_id)
        for (const { id } of change?.placed ?? []) if (isFilled(change, id)) filledAtOnce.add(id)
        if (change) flaws.push(...take(twinOf(sku_id), change, { isHalted, count }))
      }
      for (const { kind, is_new, row } of notes) {
        if (kind === 'market_halt') {
          for (const sku_id of open.keys()) close(sku_id)
          isHalted = row.is_halted
          if (isHalted) for (const twin of twins.values()) twin.isBehind = true
          continue
        }
        if (kind === 'books') {
          close(row.sku_id)
          const twin = twinOf(row.sku_id)
          if (row.halted) twin.isBehind = true
          if (twin.book?.version !== row.version)
            open.set(row.sku_id, { book: row, placed: [], changed: [], fills: [] })
          else twin.book = row
          continue
        }
        const change = open.get(row.sku_id)
        if (!change) flaws.push(`market.version: ${kind} of ${row.sku_id} changed, and its book did not`)
        else if (kind === 'fills') change.fills.push(row)
        else if (is_new) change.placed.push(row)
        else change.changed.push(row)
      }
      for (const sku_id of [...open.keys()]) close(sku_id)
      for (const twin of twins.values()) {
        const waits = isHalted || twin.book?.halted || resuming.includes(twin.sku_id)
        if (!waits && twin.isBehind) flaws.push(...catchUp(twin))
      }
      return flaws
    },
    judgeCache: (sku_id, { book, version }) => {
      const print = twins.get(sku_id)?.prints.get(version)
      const cached = printOf(rowsOf(book).map(({ order, remaining, lapsed }) => ({ id: order.id, remaining, lapsed })))
      if (print === undefined || print === cached) return undefined
      return `market.version: a cached book of ${sku_id} at version ${version} is ${cached}, stored was ${print}`
    },
  }
}

function isFilled(change: Change | undefined, id: string): boolean {
  return [...(change?.placed ?? []), ...(change?.changed ?? [])].some(
    (order) => order.id === id && order.state === 'filled',
  )
}

type Around = { readonly isHalted: boolean; readonly count: (what: string, by?: number) => void }

function take(twin: Twin, change: Change, { isHalted, count }: Around): string[] {
  const { book } = change
  const flaws = [...judgeHistory(twin, change, isHalted || book.halted)]
  count('fills', change.fills.length)
  const expected = twin.isBehind ? undefined : replay(twin, change)
  for (const order of [...change.placed, ...change.changed]) {
    const before = twin.orders.get(order.id)
    if (order.cancel_reason !== null) count(`cancelled ${order.cancel_reason}`)
    if (order.state === 'partially_filled' && before?.state !== 'partially_filled') count('partly filled orders')
    twin.orders.set(order.id, order)
  }
  count('partial fills', change.fills.filter((fill) => isPartial(twin, fill)).length)
  twin.book = book
  twin.resting = restingAfter(twin, change)
  twin.prints.set(book.version, printOf(twin.resting))
  if (expected) {
    flaws.push(...compare(twin, change, expected))
    count('twin transactions')
  }
  return flaws
}

/** What the history says without any book. */
function* judgeHistory({ sku_id, orders, book: before }: Twin, change: Change, isHalted: boolean): Iterable<string> {
  const { book, placed, changed, fills } = change
  const where = `${sku_id} at version ${book.version}`
  if (before && book.version !== before.version + 1) yield `market.version: ${where} follows ${before.version}`
  if (before && book.decided_at < before.decided_at) yield `market.version: ${where} was decided before the one before`
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

type Expected = {
  readonly fills: string[]
  readonly ended: Map<string, string>
  readonly plain: naive.NaiveBook<Order>
  readonly spans: Spans
}

/** Gives the naive book what the transaction was asked for: time first, then what ends, then what is new. */
function replay(twin: Twin, change: Change): Expected {
  const { book, placed, changed, fills } = change
  const spans = spansOf(twin, change)
  const plain = naiveFrom(twin, spans)
  const expected: Expected = { fills: [], ended: new Map(), plain, spans }
  const note = (outcome: naive.NaiveOutcome<Order> | undefined) => {
    for (const fill of outcome?.fills ?? []) expected.fills.push(printFill(fill, spans))
    for (const [id, { state, reason }] of outcome?.ended ?? []) expected.ended.set(id, `${state} ${reason ?? ''}`)
  }
  note(naive.passTimeNaively(plain, spans.at(minuteOf(book))))
  const isAsked = ({ cancel_reason }: NotedOrder) => cancel_reason !== null && cancel_reason !== 'expired'
  for (const { id, cancel_reason } of bySeq(changed.filter(isAsked))) {
    note(naive.cancelNaively(plain, id, cancel_reason as CancelReason))
  }
  for (const order of bySeq(placed)) note(naive.placeNaively(plain, orderOf(order, spans)))
  if (placed.length + changed.length === 0 && fills.length === 0) note(naive.resumeNaively(plain))
  return expected
}

function* compare(twin: Twin, { book, placed, changed, fills }: Change, expected: Expected): Iterable<string> {
  const { plain, spans } = expected
  const where = `market.twin: ${twin.sku_id} at version ${book.version}`
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
  const stored = twin.resting.map(({ id, remaining, lapsed }) => `${id} ${spans.print(spans.of(remaining))} ${lapsed}`)
  if (left.join('\n') !== stored.join('\n'))
    yield `${where} keeps ${stored.join(', ')}; the naive book ${left.join(', ')}`
}

/** A halt has ended and matching was taken up again: nothing may be left that could be filled (market.settled). */
function catchUp(twin: Twin): string[] {
  twin.isBehind = false
  const spans = spansOf(twin, undefined)
  const { fills } = naive.resumeNaively(naiveFrom(twin, spans))
  if (fills.length === 0) return []
  const left = fills.map((fill) => printFill(fill, spans))
  return [`market.settled: ${twin.sku_id} left ${JSON.stringify(left)} unfilled after a halt`]
}

/** The naive book of what rests, as it was committed last. */
function naiveFrom({ book, resting }: Twin, spans: Spans): naive.NaiveBook<Order> {
  const plain = naive.emptyNaiveBook<Order>(spans.at(minuteOf(book)))
  for (const order of resting) {
    plain.resting.push({ order: orderOf(order, spans), left: spans.of(order.remaining), lapsed: order.lapsed })
  }
  return plain
}

/** Time in which everything that rests, and all of a change, begins and ends with a span. */
function spansOf({ book, resting }: Twin, change: Change | undefined): Spans {
  const orders = [...resting, ...(change?.placed ?? []), ...(change?.changed ?? [])]
  return cutAt([
    ...[book, change?.book].map(minuteOf),
    ...orders.flatMap(({ start_minute, end_minute }) => [start_minute, end_minute]),
    ...orders.flatMap(({ remaining }) => [...minutesAmong(remaining)]),
    ...(change?.fills ?? []).flatMap(({ schedule }) => [...minutesAmong(schedule)]),
  ])
}

function minuteOf(book: NotedBook | undefined): number {
  return Math.floor((book?.decided_at ?? 0) / 60)
}

function restingAfter({ resting, orders }: Twin, { placed, changed }: Change): NotedOrder[] {
  const ids = new Set([...resting, ...placed, ...changed].map(({ id }) => id))
  const now = [...ids].map((id) => orders.get(id) as NotedOrder)
  return bySeq(now.filter(({ state }) => orderStates[state].is_open))
}

function bySeq(orders: readonly NotedOrder[]): NotedOrder[] {
  return orders.toSorted((a, b) => a.seq - b.seq)
}

function orderOf(order: NotedOrder, spans: Spans): Order {
  const [start_minute, end_minute] = [spans.at(order.start_minute), spans.at(order.end_minute)]
  return { ...order, start_minute, end_minute, price_micros: BigInt(order.price_micros) }
}

function isPartial({ orders }: Twin, { buy_order_id, sell_order_id, schedule }: NotedFill): boolean {
  return [buy_order_id, sell_order_id].some((id) => {
    const order = orders.get(id) as NotedOrder
    return schedule[0] !== order.start_minute || schedule[2] !== order.end_minute || schedule[1] !== order.node_count
  })
}

function printFill({ buy, sell, price_micros, minutes }: naive.NaiveFill<Order>, spans: Spans): string {
  return [buy.id, sell.id, price_micros, spans.print(minutes)].join(' ')
}

type Resting = { readonly id: string; readonly remaining: readonly number[]; readonly lapsed: boolean }

function printOf(rows: readonly Resting[]): string {
  return rows.map(({ id, remaining, lapsed }) => `${id} ${remaining.join(',')} ${lapsed}`).join('; ')
}
