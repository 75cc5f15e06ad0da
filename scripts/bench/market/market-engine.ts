// Measures the order book alone, without database or HTTP. It is compared with the package nodejs-order-book where that
// supports the operation, with a smaller book to measure growth, and with the naive book as a second baseline. Rounds
// alternate, so that a slow moment of the machine affects both sides.

import { OrderBook } from 'nodejs-order-book'
import { createSeededRandom } from '../../../packages/server/src/core/base/random.ts'
import { cancelOrder, loadBook, placeOrder } from '../../../packages/server/src/market/book/book.rules.ts'
import type { Book } from '../../../packages/server/src/market/book/book-state.rules.ts'
import type { Order } from '../../../packages/server/src/market/book/resting-order.rules.ts'
import { cancelNaively, emptyNaiveBook, placeNaively } from '../../../packages/server/test/market/naive-book.ts'
import { bench } from '../bench.ts'
import { type BenchRow, type Measurement, median, rowOf } from '../row.ts'
import { type Command, day, middle, order, plainCommands, shuffled, spreadSells } from './market-streams.ts'

type Runs = readonly [ours: () => number, against: () => number]

const depthDays = 90

type MarketEngineSize = {
  /** The rounds of the faster rows, and of the slower ones. */
  readonly rounds: number
  readonly few_rounds: number
  /** Commands, and how many of them the naive book gets. */
  readonly commands: number
  readonly naive_commands: number
  /** Orders to cancel, and how many of them the package cancels, which is slow there. */
  readonly cancelled: number
  readonly package_cancelled: number
  /** The resting orders of the deeper book and of the other one. */
  readonly deep: number
  readonly shallow: number
  readonly matches: number
}

/** All rows of the engine. Takes about half a minute at the usual size. */
export const engineBench = bench<MarketEngineSize>({
  rows: ['engine_plain', 'engine_plain_naive', 'engine_cancel', 'engine_depth', 'engine_depth_one_node'],
  sizes: {
    usual: {
      rounds: 7,
      few_rounds: 3,
      commands: 200_000,
      naive_commands: 2_000,
      cancelled: 20_000,
      package_cancelled: 500,
      deep: 100_000,
      shallow: 1_000,
      matches: 250,
    },
    tiny: {
      rounds: 1,
      few_rounds: 1,
      commands: 200,
      naive_commands: 20,
      cancelled: 50,
      package_cancelled: 5,
      deep: 1_000,
      shallow: 100,
      matches: 5,
    },
  },
  measure: async function* (size) {
    yield* plainRows(size)
    yield cancelRow(size)
    yield depthRow('engine_depth', { ...size, nodes: 128, goal: 2 })
    yield depthRow('engine_depth_one_node', { ...size, nodes: 1, goal: null })
  },
})

/** Limit orders of one window, in operations per second. */
function plainRows(size: MarketEngineSize): BenchRow[] {
  const commands = plainCommands(createSeededRandom('plain'), size.commands)
  const few = commands.slice(0, size.naive_commands)
  const rate = (orders: readonly Command[], run: (orders: readonly Command[]) => number) => () =>
    (1000 * orders.length) / run(orders)
  const plain = takingTurns(size.rounds, [rate(commands, runOurs), rate(commands, runPackage)])
  const naive = takingTurns(size.few_rounds, [rate(few, runOurs), rate(few, runNaive)])
  return [
    rowOf({ name: 'engine_plain', ...plain, better: 'more', goal: 4 }),
    rowOf({ name: 'engine_plain_naive', ...naive, better: 'more', goal: null }),
  ]
}

/** Orders at one price, cancelled in random order, in operations per second. */
function cancelRow({ few_rounds, cancelled, package_cancelled }: MarketEngineSize): BenchRow {
  const random = createSeededRandom('cancel')
  const orders = Array.from({ length: cancelled }, (_, index) => order(index + 1, 'sell', middle, 1))
  const ids = shuffled(random, orders).map(({ id }) => id)
  const some = ids.slice(0, package_cancelled)
  const sides = takingTurns(few_rounds, [
    () => (1000 * ids.length) / cancelOurs(orders, ids),
    () => (1000 * some.length) / cancelPackage(orders, some),
  ])
  return rowOf({ name: 'engine_cancel', ...sides, better: 'more', goal: 100 })
}

type Depth = MarketEngineSize & { readonly nodes: number; readonly goal: number | null }

/** The microseconds of one match with many resting orders over 90 days, against fewer resting orders. */
function depthRow(name: string, { rounds, deep, shallow, matches, nodes, goal }: Depth): BenchRow {
  const random = createSeededRandom(name)
  const [many, few] = [deep, shallow].map((count) => {
    return loadBook(spreadSells(random, count, depthDays), { minute: 0, last_seq: count })
  }) as [Book<Order>, Book<Order>]
  const starts = () => Array.from({ length: matches }, () => random.integer((depthDays - 1) * day))
  const touched = { many: 0, few: 0 }
  const sides = takingTurns(rounds, [
    () => matchEach(many, starts(), nodes, (fills) => (touched.many += fills)),
    () => matchEach(few, starts(), nodes, (fills) => (touched.few += fills)),
  ])
  console.error(`${name}: ${(touched.many / touched.few).toFixed(2)} times as many orders touched by a match`)
  return rowOf({ name, ...sides, better: 'less', goal })
}

/** The medians of both runs, and the ratio of each round. The runs alternate; the first round warms up. */
function takingTurns(count: number, [runOurs, runAgainst]: Runs): Pick<Measurement, 'ours' | 'against' | 'rounds'> {
  const measured: [number, number][] = []
  for (let round = 0; round <= count; round += 1) {
    const figures: [number, number] = [runOurs(), runAgainst()]
    if (round > 0) measured.push(figures)
  }
  return {
    ours: median(measured.map(([ours]) => ours)),
    against: median(measured.map(([, against]) => against)),
    rounds: measured.map(([ours, against]) => ours / against),
  }
}

function milliseconds(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function emptyBook(): Book<Order> {
  return loadBook<Order>([], { minute: 0, last_seq: 0 })
}

function runOurs(commands: readonly Command[]): number {
  const book = emptyBook()
  return milliseconds(() => {
    for (const command of commands) {
      if ('place' in command) placeOrder(book, command.place)
      else cancelOrder(book, command.cancel, 'user')
    }
  })
}

function runNaive(commands: readonly Command[]): number {
  const book = emptyNaiveBook<Order>(0)
  return milliseconds(() => {
    for (const command of commands) {
      if ('place' in command) placeNaively(book, command.place)
      else cancelNaively(book, command.cancel, 'user')
    }
  })
}

function runPackage(commands: readonly Command[]): number {
  const book = new OrderBook()
  const prepared = commands.map((command) => ('place' in command ? limitOrder(command.place) : command.cancel))
  return milliseconds(() => {
    for (const command of prepared) {
      if (typeof command === 'string') book.cancel(command)
      else book.limit(command)
    }
  })
}

export function limitOrder({ id, side, node_count, price_micros }: Order): Parameters<OrderBook['limit']>[0] {
  return { id, side: side as never, size: node_count, price: Number(price_micros) }
}

function cancelOurs(orders: readonly Order[], ids: readonly string[]): number {
  const book = emptyBook()
  for (const placed of orders) placeOrder(book, placed)
  return milliseconds(() => {
    for (const id of ids) cancelOrder(book, id, 'user')
  })
}

function cancelPackage(orders: readonly Order[], ids: readonly string[]): number {
  const book = new OrderBook()
  for (const placed of orders) book.limit(limitOrder(placed))
  return milliseconds(() => {
    for (const id of ids) book.cancel(id)
  })
}

/** The median microseconds of a buy of some nodes for an hour at a high price limit, each at another start. */
function matchEach(book: Book<Order>, starts: number[], nodes: number, count: (fills: number) => void): number {
  const figures = starts.map((start_minute) => {
    const window = { start_minute, end_minute: start_minute + 60, allow_standing: false }
    const taker = { ...order(book.last_seq + 1, 'buy', 2 * middle, nodes), ...window }
    const began = performance.now()
    const { fills } = placeOrder(book, taker)
    const ended = performance.now()
    count(fills.length)
    return 1000 * (ended - began)
  })
  return median(figures)
}
