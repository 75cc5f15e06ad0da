/**
 * Usage and exports of an account with a million purchases of one month: the time of a page of usage by tag and day,
 * and the rows and the memory of a FOCUS export.
 */
import { foldAccount } from '../../packages/server/src/accounting/usage/usage-fold.service.ts'
import { monotonicMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import { statement } from '../../packages/server/src/core/db/db.ts'
import { systemCommand } from '../../packages/server/src/core/work/command.ts'
import { createAdminToken, makeAccount } from '../../packages/server/src/iam/accounts/accounts.service.ts'
import { insertSku } from '../../packages/server/src/market/skus/sku-administration.store.ts'
import type { Server } from '../../packages/server/src/server.ts'
import { makePlace } from './event-world.ts'
import type { Row } from './row.ts'

const purchases = Number(process.env.BOURSE_BENCH_PURCHASES ?? 1_000_000)
const pools = 8
const day = 86_400
const days = 30
const account_id = 'money-bench'
const mebibyte = 2 ** 20

/** The rows of the group `money`. */
export async function* moneyRows(): AsyncGenerator<Row> {
  await using place = await makePlace({ pinned: false })
  yield* await place.prepare(measure)
}

async function measure(server: Server): Promise<Row[]> {
  const { token, from } = await fill(server)
  const fold = await timed(() => foldAll(server))
  const query = `from=${from}&to=${from + days * day}`
  const get = (path: string) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' } })
  const pages: number[] = []
  for (let n = 0; n < 5; n++) {
    const read = await timed(async () => {
      const answer = await get(`/preview/v2/billing/usage?${query}&granularity=day&group_by=tag:team&limit=200`)
      if (answer.status !== 200) throw new Error(await answer.text())
      await answer.text()
    })
    pages.push(read.seconds)
  }
  const exported = await exportOnce(() => get(`/preview/v2/billing/export?${query}`))
  const packed = await exportOnce(() => get(`/preview/v2/billing/export?${query}&encoding=parquet`))
  const page = pages.sort((a, b) => a - b)[2] as number
  return [
    { name: 'fold_rows', ours: purchases / fold.seconds, against: purchases, ratio: 0, goal: null, met: true },
    row('usage_month_seconds', page, { goal: 1, met: page <= 1 }),
    row('export_rows', exported.rows / exported.seconds, {
      goal: 50_000,
      met: exported.rows / exported.seconds >= 50_000,
    }),
    row('export_memory_mb', exported.growth_mb, { goal: 150, met: exported.growth_mb <= 150 }),
    { name: 'export_parquet_rows', ours: exported.rows / packed.seconds, against: 0, ratio: 0, goal: null, met: true },
    row('export_parquet_memory_mb', packed.growth_mb, { goal: 150, met: packed.growth_mb <= 150 }),
  ]
}

function row(name: string, ours: number, { goal, met }: { goal: number; met: boolean }): Row {
  return { name, ours, against: goal, ratio: ours / goal, goal, met }
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
    const answer = await open()
    if (answer.status !== 200 || !answer.body) throw new Error(await answer.text())
    for await (const piece of answer.body) {
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) rows++
      most = Math.max(most, process.memoryUsage.rss())
    }
  })
  return { rows, seconds, growth_mb: (most - before) / mebibyte }
}

async function foldAll({ runtime }: Server): Promise<void> {
  for (;;) if ((await systemCommand(runtime, (ctx) => foldAccount(ctx, account_id))) === undefined) return
}

/** Writes the purchases of an account directly, by equal parts over pools and minutes. */
async function fill(server: Server): Promise<{ token: string; from: number }> {
  const { runtime } = server
  const made = await systemCommand(runtime, async (ctx) => {
    const account = await makeAccount(ctx, { id: account_id, trust_level: 'trusted' })
    const sku = ctx.newId('sku')
    await insertSku(ctx.db, {
      ...{
        id: sku,
        alias: sku,
        properties: {},
        listed: true,
        simulated: false,
        operator_hosts_only: false,
        benchmarks: null,
        hourly_fee_micros: 0n,
        price_step_micros: 1n,
        fee_bps: 0,
      },
      ...{ created_at: ctx.now, updated_at: ctx.now, deleted_at: null },
    })
    const { token } = await createAdminToken(ctx, { account_id, workspace_id: account.workspace_id, name: 'bench' })
    return { token, sku, workspace: account.workspace_id, now: ctx.now }
  })
  const from = made.now - (made.now % day) - (days + 1) * day
  const { sku, workspace } = made
  const write = (text: string, params: readonly unknown[]) =>
    runtime.database.asOwner((db) => db.run(statement<never>(null, text), params))
  await write(
    `insert into pools (id, account_id, workspace_id, kind, tags, created_at)
     select 'pool_' || n, $1, $2, 'market', jsonb_build_object('team', 'team-' || n % 4), $3
     from generate_series(0, $4::integer - 1) as n`,
    [account_id, workspace, from, pools],
  )
  await write(
    `insert into orders (id, account_id, workspace_id, pool_id, sku_id, side, state, allow_standing, allow_partial,
       start_minute, end_minute, node_count, price_micros, seq, remaining, book_version, created_at)
     select 'ordr_' || n, $1, $2, 'pool_' || n % $5, $3, case when n < $5 then 'buy' else 'sell' end, 'filled', true,
       true, $4 / 60, $4 / 60 + 1, 1, 20000, n, '[]', 0, $4
     from generate_series(0, 2 * $5::integer - 1) as n`,
    [account_id, workspace, sku, from, pools],
  )
  for (let done = 0; done < purchases; done += 50_000) {
    const count = Math.min(50_000, purchases - done)
    await write(
      `with made as (
         select 'fill_' || n as id, 'ordr_' || n % $2 as buy, 'ordr_' || $2 + n % $2 as sell,
           $3::bigint + n * $4 / $5 as at, $3 / 60 + n * $4 / $5 / 60 + n % 60 as minute, 1 + n % 3 as nodes
         from generate_series($6::bigint, $6 + $7 - 1) as n
       ), filled as (
         insert into fills (id, sku_id, buy_order_id, sell_order_id, price_micros, schedule, start_minute, end_minute,
           node_minutes, value_micros, fee_micros, filled_at)
         select id, $1, buy, sell, 20000, jsonb_build_array(minute, nodes, minute + 180, 0), minute, minute + 180,
           nodes * 180, nodes * 180 * 20000 + 7, 0, at
         from made
       )
       insert into ledger_transactions (id, account_id, type, amount_micros, balance_after_micros, order_id, fill_id,
         workspace_id, created_at)
       select 'txn_' || m.id, $8, 'buy_fill', -(m.nodes * 180 * 20000 + 7), 0, m.buy, m.id, $9, m.at
       from made m`,
      [sku, pools, from, (days - 1) * day, purchases, done, count, account_id, workspace],
    )
  }
  for (const table of ['fills', 'ledger_transactions']) await write(`analyze ${table}`, [])
  return { token: made.token, from }
}
