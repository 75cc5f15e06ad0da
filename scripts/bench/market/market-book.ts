// Measures reads of a book with 100,000 resting orders over 90 days: quotes, depth, memory, and the first quote of a
// server that has just started.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { OrderBook } from 'nodejs-order-book'
import pg from 'pg'
import { createSeededRandom } from '../../../packages/server/src/core/base/random.ts'
import { statement } from '../../../packages/server/src/core/db/db.ts'
import { loadBook } from '../../../packages/server/src/market/book/book.rules.ts'
import type { Book } from '../../../packages/server/src/market/book/book-state.rules.ts'
import { depthOf } from '../../../packages/server/src/market/book/book-views.rules.ts'
import type { Order } from '../../../packages/server/src/market/book/resting-order.rules.ts'
import type { Server } from '../../../packages/server/src/server.ts'
import { bench } from '../bench.ts'
import { atMost, type BenchRow, rowOf } from '../row.ts'
import { makePlace } from '../worlds/event-world.ts'
import { multiplyRows } from '../worlds/multiplied-rows.ts'
import { limitOrder } from './market-engine.ts'
import { day, spreadSells } from './market-streams.ts'
import { makeTraders, placeOrder, type Trader } from './traders.ts'

const days = 90
const depthLevels = 20
const bytesGoal = 300
const firstQuoteGoal = 300

/** The resting orders of the book and of the smaller one, and how often each is read. */
type ViewSize = { readonly orders: number; readonly few_orders: number; readonly looks: number }

/** The rows of a large book alone. */
export const bookBench = bench<ViewSize>({
  rows: ['book_quote_p99_us', 'book_depth_p99_us', 'book_bytes_per_order'],
  sizes: {
    usual: { orders: 100_000, few_orders: 1_000, looks: 4_000 },
    tiny: { orders: 2_000, few_orders: 100, looks: 20 },
  },
  measure: async function* (size, wanted) {
    if (wanted('book_quote_p99_us')) yield viewRow('book_quote_p99_us', size, 1)
    if (wanted('book_depth_p99_us')) yield viewRow('book_depth_p99_us', size, depthLevels)
    if (wanted('book_bytes_per_order')) yield memoryRow(size.orders)
  },
})

/** The row of a large book in a database, which is filled first. */
export const firstQuoteBench = bench({
  rows: ['book_first_quote_ms'],
  sizes: { usual: { orders: 100_000 }, tiny: { orders: 200 } },
  measure: async function* ({ orders }) {
    yield await firstQuoteRow(orders)
  },
})

/** The p99 time of a view of one hour in microseconds, against the same with fewer resting orders. */
function viewRow(name: string, { orders, few_orders, looks }: ViewSize, levels: number): BenchRow {
  const random = createSeededRandom(name)
  const books = [orders, few_orders].map((count) => spreadBook(name, count))
  const figures: [number[], number[]] = [[], []]
  for (let look = -looks / 10; look < looks; look++) {
    const from = random.integer((days - 1) * day)
    for (const which of [0, 1] as const) {
      const began = performance.now()
      depthOf(books[which] as Book<Order>, { from, to: from + 60 }, levels)
      // The first tenth only warms up.
      if (look >= 0) figures[which].push(1000 * (performance.now() - began))
    }
  }
  const [ours, against] = figures.map((own) => own.sort((a, b) => a - b)[Math.floor(0.99 * own.length)]) as [
    number,
    number,
  ]
  return rowOf({ name, ours, against, better: 'less', goal: null })
}

/** Bytes of memory per resting order. Those of the package nodejs-order-book, without time windows, are printed. */
function memoryRow(orders: number): BenchRow {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const bytesOf = (make: () => unknown) => {
    collect()
    const before = process.memoryUsage().heapUsed
    const made = make()
    collect()
    const bytes = process.memoryUsage().heapUsed - before
    return made ? bytes / orders : 0
  }
  const ours = bytesOf(() => spreadBook('memory', orders))
  const against = bytesOf(() => {
    const book = new OrderBook()
    for (const { order } of spreadSells(createSeededRandom('memory'), orders, days)) book.limit(limitOrder(order))
    return book
  })
  console.error(`book_bytes_per_order: ${against.toFixed(0)} bytes of nodejs-order-book`)
  return atMost('book_bytes_per_order', ours, bytesGoal)
}

function spreadBook(seed: string, count: number): Book<Order> {
  return loadBook(spreadSells(createSeededRandom(seed), count, days), { minute: 0, last_seq: count })
}

/** The first quote of a server that has just started. The time of a read of the same rows is printed. */
async function firstQuoteRow(orders: number): Promise<BenchRow> {
  await using place = await makePlace({ pinned: false })
  const trader = await place.prepare((server) => makeBook(server, orders))
  await using stack = new AsyncDisposableStack()
  const client = new pg.Client(place.target)
  await client.connect()
  stack.defer(() => client.end())
  await using server = await place.serve()
  const startAt = Math.ceil(Date.now() / 3_600_000) * 3600 + 86_400
  const query = `start_at=${startAt}&end_at=${startAt + 3600}`
  const url = `http://127.0.0.1:${server.ready.port}/preview/v2/orderbook/quote?${query}`
  const ask = async () => {
    const began = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${trader.token}` } })
    if (!response.ok) throw new Error(`A quote returned ${response.status}: ${await response.text()}`)
    await response.text()
    return performance.now() - began
  }
  const ours = await ask()
  const began = performance.now()
  await client.query('select * from orders where sku_id = $1', [trader.sku])
  const against = performance.now() - began
  console.error(`book_first_quote_ms: ${against.toFixed(0)} ms for a read of the rows`)
  return atMost('book_first_quote_ms', ours, firstQuoteGoal)
}

/** Makes a book of sells within the next 90 days: the first one is placed, the others are copies. */
async function makeBook(server: Server, orders: number): Promise<Trader> {
  const [seller] = (await makeTraders(server, 2)).plain as [Trader]
  const { pool, sku } = seller
  const first = await placeOrder(server.url, seller, { pool, nodes: 1, hours: 1, price: '1.800000' })
  const from = (Math.floor(Date.now() / 3_600_000) + 2) * 60
  const start = `(${from} + (n * 7919) % ${days * 24} * 60)`
  const end = `(${start} + (array[60, 240, 1440, 10080])[n % 4 + 1])`
  await server.runtime.database.asOwner(async (db) => {
    await multiplyRows(db, 'orders', {
      of: `t.id = '${first}'`,
      numbers: [2, orders],
      changes: {
        id: "'ordr_' || lpad(n::text, 21, '0')",
        start_minute: start,
        end_minute: end,
        price_micros: '1800000 + n * 60 % 1200000',
        seq: 'n',
        remaining: `jsonb_build_array(${start}, 1, ${end}, 0)`,
      },
    })
    const raise = statement<never>(null, 'update books set last_seq = $2, version = version + 1 where sku_id = $1')
    await db.run(raise, [sku, orders])
    await db.run(statement(null, 'analyze orders'))
  })
  return seller
}
