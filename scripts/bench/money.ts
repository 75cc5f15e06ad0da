/**
 * Usage and exports of an account with a million purchases of one month: the time of a page of usage by tag and day,
 * and the rows and the memory of a FOCUS export.
 */
import { foldAccount } from '../../packages/server/src/accounting/usage/usage-fold.service.ts'
import { monotonicMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { statement } from '../../packages/server/src/core/db/db.ts'
import { systemCommand } from '../../packages/server/src/core/work/command.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { call } from '../../packages/server/test/support/big-fleet.ts'
import { bench } from './bench.ts'
import { makeTraders, placeOrder, type Trader } from './market/traders.ts'
import { atMost, type BenchRow, rowOf } from './row.ts'
import { makePlace } from './worlds/event-world.ts'
import { multiplyRows } from './worlds/multiplied-rows.ts'

const pools = 8
const day = 86_400
const days = 30
/** Copies of a purchase in one statement, so that the purchases of all pools alternate. */
const copiesAtOnce = 5_000
const mebibyte = 2 ** 20

/** The rows of the group money. */
export const moneyBench = bench({
  rows: [
    'fold_rows',
    'usage_month_seconds',
    'export_rows',
    'export_memory_mb',
    'export_parquet_rows',
    'export_parquet_memory_mb',
  ],
  sizes: { usual: { purchases: 1_000_000 }, tiny: { purchases: 1_000 } },
  measure: async function* ({ purchases }) {
    await using place = await makePlace({ pinned: false })
    const made = await place.prepare(trade)
    // Another server: the one of the trades knows that this account has something to fold.
    yield* await place.prepare((server) => measure(server, made, purchases))
  },
})

async function measure(server: Server, { buyer, orders }: Traded, purchases: number): Promise<BenchRow[]> {
  const { account, token } = buyer
  const today = Math.floor(Date.now() / 1000 / day) * day
  const from = today - (days + 1) * day
  await fill(server, orders, { from, purchases })
  const fold = await timed(() => foldAll(server, account))
  const query = `from=${from}&to=${from + days * day}`
  const get = (path: string) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' } })
  const pages: number[] = []
  for (let n = 0; n < 5; n++) {
    const read = await timed(async () => {
      const response = await get(`/preview/v2/billing/usage?${query}&granularity=day&group_by=tag:team&limit=200`)
      if (response.status !== 200) throw new Error(await response.text())
      await response.text()
    })
    pages.push(read.seconds)
  }
  const exported = await exportOnce(() => get(`/preview/v2/billing/export?${query}`))
  const packed = await exportOnce(() => get(`/preview/v2/billing/export?${query}&encoding=parquet`))
  const rate = (name: string, rows: number, { seconds, goal }: { seconds: number; goal: number | null }) =>
    rowOf({ name, ours: rows / seconds, better: 'more', goal })
  return [
    rate('fold_rows', purchases, { ...fold, goal: null }),
    atMost('usage_month_seconds', pages, 1),
    rate('export_rows', exported.rows, { ...exported, goal: 50_000 }),
    atMost('export_memory_mb', exported.growth_mb, 150),
    rate('export_parquet_rows', exported.rows, { ...packed, goal: null }),
    atMost('export_parquet_memory_mb', packed.growth_mb, 150),
  ]
}

async function timed(work: () => Promise<unknown>): Promise<{ seconds: number }> {
  const began = monotonicMilliseconds()
  await work()
  return { seconds: (monotonicMilliseconds() - began) / 1000 }
}

/** Reads an export to its end, as it comes. The memory is that of the server and of its reader together. */
async function exportOnce(open: () => Promise<Response>) {
  const before = process.memoryUsage.rss()
  let most = before
  let rows = 0
  const { seconds } = await timed(async () => {
    const response = await open()
    if (response.status !== 200 || !response.body) throw new Error(await response.text())
    for await (const piece of response.body) {
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) rows++
      most = Math.max(most, process.memoryUsage.rss())
    }
  })
  return { rows, seconds, growth_mb: (most - before) / mebibyte }
}

async function foldAll({ runtime }: Server, accountId: string): Promise<void> {
  for (;;) if ((await systemCommand(runtime, (ctx) => foldAccount(ctx, accountId))) === undefined) return
}

/** An account with pools of four teams, and its purchase for each. */
type Traded = { readonly buyer: Trader; readonly orders: readonly string[] }

async function trade(server: Server): Promise<Traded> {
  const [seller, buyer] = (await makeTraders(server, 2)).plain as [Trader, Trader]
  const terms = { hours: 3, price: '1.200000' }
  await placeOrder(server.url, seller, { ...terms, pool: seller.pool, nodes: pools })
  const orders: string[] = []
  for (let n = 0; n < pools; n++) {
    const body = { tags: { team: `team-${n % 4}` } }
    const pool = (await call({ url: server.url, token: buyer.token }, 'POST', '/v2/pools', body)).id
    orders.push(await placeOrder(server.url, buyer, { ...terms, pool, nodes: 1 }))
  }
  return { buyer, orders }
}

/** Copies the purchases to a whole month, by equal parts over pools and minutes. */
async function fill(
  { runtime }: Server,
  orders: readonly string[],
  { from, purchases }: { from: number; purchases: number },
): Promise<void> {
  const eachOf = purchases / orders.length
  await runtime.database.asOwner(async (db) => {
    for (let done = 0; done < eachOf; done += copiesAtOnce) {
      for (const [index, order] of orders.entries()) {
        const number = `(n * ${orders.length} + ${index})`
        const at = `(${from} + ${number} * ${(days - 1) * day} / ${purchases})`
        const minute = `(${at} / 60 + ${number} % 60)`
        const nodes = `(1 + ${number} % 3)`
        const value = `(${nodes} * 180 * 20000 + 7)`
        const numbers = [done, Math.min(eachOf, done + copiesAtOnce) - 1] as const
        await multiplyRows(db, 'fills', {
          of: `t.buy_order_id = '${order}' and t.id not like 'fill_bench%'`,
          numbers,
          changes: {
            id: `'fill_bench' || ${number}`,
            schedule: `jsonb_build_array(${minute}, ${nodes}, ${minute} + 180, 0)`,
            start_minute: minute,
            end_minute: `${minute} + 180`,
            node_minutes: `${nodes} * 180`,
            value_micros: value,
            filled_at: at,
          },
        })
        await multiplyRows(db, 'ledger_transactions', {
          of: `t.order_id = '${order}' and t.type = 'buy_fill' and t.id not like 'txn_bench%'`,
          numbers,
          changes: {
            id: `'txn_bench' || ${number}`,
            fill_id: `'fill_bench' || ${number}`,
            amount_micros: `-${value}`,
            created_at: at,
            position: "nextval('move_positions')",
          },
        })
      }
    }
    for (const table of ['fills', 'ledger_transactions']) await db.run(statement(null, `analyze ${table}`))
  })
}
