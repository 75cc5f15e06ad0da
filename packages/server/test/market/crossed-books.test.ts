/** The audit `market.uncrossed` against a comparison of each buy with each sell, on random books. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createSeededRandom, type Random } from '../../src/core/base/random.ts'
import { statement } from '../../src/core/db/db.ts'
import { type Audit, runAudit } from '../../src/core/work/auditor.ts'
import { crossedBookAudits } from '../../src/market/trading/crossed-books.audit.ts'
import type { Server } from '../../src/server.ts'
import { startTestServer } from '../support/server.ts'

type CrossedStep = { readonly start: number; readonly until: number }
type RandomOrder = {
  readonly id: string
  readonly side: 'buy' | 'sell'
  readonly account_id: string
  readonly price: number
  readonly steps: readonly CrossedStep[]
}

const books = 300
const ordersOfBook = 8
const accounts = ['a', 'b', 'c']

/** The audit without its limit of rows, so that one run shows every crossed book. */
const uncrossed = crossedBookAudits.map(({ name, statement: { text } }): Audit => {
  const all = text.replace(/ limit \d+$/, '')
  return { name, statement: statement(null, `select distinct sku_id from (${all}) crossed`) }
})

const insertBooks = statement<never>(
  null,
  `insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
     start_minute, end_minute, node_count, price_micros, seq, remaining, book_version, created_at)
   select o.id, o.account_id, 'wksp', 'pool', o.sku_id, o.side, 'standing', true, true, 0, 5000, 1, o.price,
     row_number() over (), o.remaining, 1, 0
   from jsonb_to_recordset($1::jsonb)
     as o (id text, account_id text, sku_id text, side text, price bigint, remaining jsonb)`,
)

/** One or two steps, short and long, with a gap between them. */
function randomSteps(random: Random): CrossedStep[] {
  const first = random.integer(150)
  const until = first + 1 + random.integer(random.integer(4) === 0 ? 3000 : 40)
  if (random.integer(2) === 0) return [{ start: first, until }]
  const next = until + 1 + random.integer(100)
  return [
    { start: first, until },
    { start: next, until: next + 1 + random.integer(60) },
  ]
}

function randomBook(random: Random, book: number): RandomOrder[] {
  return Array.from({ length: ordersOfBook }, (_, n) => {
    const side = random.integer(2) === 0 ? 'buy' : 'sell'
    const account_id = accounts[random.integer(accounts.length)] as string
    // Prices of both sides overlap a little, so that about half of the books are crossed.
    const price = side === 'buy' ? 1 + random.integer(10) : 8 + random.integer(10)
    return { id: `${book}-${n}`, side, account_id, price, steps: randomSteps(random) }
  })
}

function isCrossed(orders: readonly RandomOrder[]): boolean {
  const overlap = (a: RandomOrder, b: RandomOrder) =>
    a.steps.some((x) => b.steps.some((y) => x.start < y.until && y.start < x.until))
  return orders.some((buy) =>
    orders.some(
      (sell) =>
        buy.side === 'buy' &&
        sell.side === 'sell' &&
        buy.account_id !== sell.account_id &&
        buy.price >= sell.price &&
        overlap(buy, sell),
    ),
  )
}

function rowsOf(book: number, orders: readonly RandomOrder[]): object[] {
  return orders.map(({ steps, ...order }) => {
    const remaining = steps.flatMap(({ start, until }) => [start, 1, until, 0])
    return { ...order, sku_id: `sku_${book}`, remaining }
  })
}

test('the audit finds exactly the books in which a buy meets a sell of another account', async () => {
  const server = await startTestServer({ runs_reconcilers: false })
  const { database } = (server.inside as Server).runtime
  const random = createSeededRandom('crossed books')
  const all = Array.from({ length: books }, (_, book) => randomBook(random, book))
  await database.asOwner(async (db) => {
    await db.run(statement(null, "set session_replication_role = 'replica'"))
    await db.run(insertBooks, [JSON.stringify(all.flatMap((orders, book) => rowsOf(book, orders)))])
  })
  const [finding] = await runAudit(database, uncrossed)
  const found = new Set(finding?.rows.map(({ sku_id }) => sku_id))
  const crossed = new Set(all.flatMap((orders, book) => (isCrossed(orders) ? [`sku_${book}`] : [])))
  assert.deepEqual([...found].sort(), [...crossed].sort())
  assert.ok(crossed.size > books / 5 && crossed.size < (books * 4) / 5, `${crossed.size} of ${books} are crossed`)
})
