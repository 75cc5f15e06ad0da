// Measures reads of a book with 100,000 resting orders over 90 days: quotes, depth, memory, and the first quote of a
// server that has just started. The rows have no goals.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { OrderBook } from 'nodejs-order-book'
import pg from 'pg'
import { createSeededRandom } from '../../../packages/server/src/core/base/random.ts'
import { loadBook } from '../../../packages/server/src/market/book/book.rules.ts'
import type { Book } from '../../../packages/server/src/market/book/book-state.rules.ts'
import { depthOf } from '../../../packages/server/src/market/book/book-views.rules.ts'
import type { Order } from '../../../packages/server/src/market/book/resting-order.rules.ts'
import { makePlace } from '../event-world.ts'
import type { Row } from '../row.ts'
import { limitOrder, rounded } from './market-engine.ts'
import { DAY, spreadSells } from './market-streams.ts'
import { makeTraders, type Trader } from './traders.ts'

/** The rows of this file. */
export const bookRowNames: readonly string[] = [
  'book_quote_p99_us',
  'book_depth_p99_us',
  'book_bytes_per_order',
  'book_first_quote_ms',
]

const orders = 100_000
const fewOrders = 1_000
const days = 90
const looks = 4_000
const depthLevels = 20

/** All rows of a large book. Rows that need a database fill it first, which takes some seconds. */
export async function bookRows(wanted: (name: string) => boolean): Promise<Row[]> {
  const rows: Row[] = []
  if (wanted('book_quote_p99_us')) rows.push(viewRow('book_quote_p99_us', 1))
  if (wanted('book_depth_p99_us')) rows.push(viewRow('book_depth_p99_us', depthLevels))
  if (wanted('book_bytes_per_order')) rows.push(memoryRow())
  if (wanted('book_first_quote_ms')) rows.push(await firstQuoteRow())
  return rows
}

/** The p99 time of a view of one hour in microseconds, against the same with 1,000 resting orders. */
function viewRow(name: string, levels: number): Row {
  const random = createSeededRandom(name)
  const books = [orders, fewOrders].map((count) => spreadBook(name, count))
  const figures: [number[], number[]] = [[], []]
  for (let look = -looks / 10; look < looks; look++) {
    const from = random.integer((days - 1) * DAY)
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
  return plainRow(name, ours, against)
}

/** Bytes of memory per resting order, against the package nodejs-order-book, whose orders have no time window. */
function memoryRow(): Row {
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
  return plainRow('book_bytes_per_order', ours, against)
}

function spreadBook(seed: string, count: number): Book<Order> {
  return loadBook(spreadSells(createSeededRandom(seed), count, days), { minute: 0, last_seq: count })
}

/** The first quote of a server that has just started, against a read of the same rows with the same driver. */
async function firstQuoteRow(): Promise<Row> {
  await using place = await makePlace({ pinned: false })
  const [trader] = (await place.prepare(makeTraders)).plain as readonly [Trader]
  await using stack = new AsyncDisposableStack()
  const client = new pg.Client(place.target)
  await client.connect()
  stack.defer(() => client.end())
  await client.query(fillText, [trader.pool, trader.sku, orders])
  await client.query('update books set last_seq = $2, version = version + 1 where sku_id = $1', [trader.sku, orders])
  await client.query('analyze orders')
  await using server = await place.serve()
  const start_at = Math.ceil(Date.now() / 3_600_000) * 3600 + 86_400
  const query = `start_at=${start_at}&end_at=${start_at + 3600}`
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
  return plainRow('book_first_quote_ms', ours, against)
}

const fillText = `
  insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
    start_minute, end_minute, node_count, price_micros, seq, remaining, book_version, created_at)
  select 'ordr_' || lpad(n::text, 21, '0'), p.account_id, p.workspace_id, p.id, $2, 'sell', 'standing', true, true,
    t.start, t.start + t.minutes, 1, 1800000 + n * 60 % 1200000, n,
    jsonb_build_array(t.start, 1, t.start + t.minutes, 0), 1, 0
  from generate_series(1, $3::bigint) n cross join pools p
  cross join lateral (
    select (extract(epoch from now())::bigint / 3600 + 2) * 60 + (n * 7919) % (${days} * 24) * 60 as start,
      (array[60, 240, 1440, 10080])[n % 4 + 1]::bigint as minutes
  ) t
  where p.id = $1`

function plainRow(name: string, ours: number, against: number): Row {
  return { name, ours: rounded(ours), against: rounded(against), ratio: rounded(ours / against), goal: null, met: true }
}

if (import.meta.main) console.table(await bookRows(() => true))
