import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'
import { type FocusRow, parseCsv } from './focus-rules.ts'
import { readParquet } from './parquet.ts'

const server = await startTestServer()
const path = '/preview/v2/admin/ledger'
const revenuePath = '/preview/v2/admin/revenue'
const day = 86_400
const standing = { allow_standing: true, allow_partial: true }

const markets = [await makeMarket(server), await makeMarket(server, { flat_fee_dollars_per_node_hour: '0.010001' })]
const { now } = await server.call('get_clock')
const from = now - (now % day)
const range = `from=${from}&to=${from + 40 * day}`
const accounts: string[] = []
const monthAt = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 7)

for (const market of markets) {
  const [seller, buyer] = [await market.seller(8), await market.buyer()]
  accounts.push(seller.id, buyer.id)
  const trade = async (nodes: number, minutes: number, price: string) => {
    await market.order(seller, { side: 'sell', nodes, minutes, price, ...standing })
    assert.equal((await market.order(buyer, { nodes, minutes, price })).state, 'filled')
  }
  await trade(3, 95, '1.234567')
  await trade(1, 60, '0.000001')
}

async function read(query: string): Promise<string> {
  const { status, text } = await server.attempt('export_ledger', { query })
  assert.equal(status, 200, text)
  return text
}

function micros(text: string | null | undefined): bigint {
  return BigInt((text ?? '0').replace('.', ''))
}

function sumBy(rows: readonly FocusRow[], key: (row: FocusRow) => string): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0n) + micros(row.amount_dollars))
  return sums
}

test('export_ledger has what moved, and each trade and posting adds up to zero', async () => {
  const rows = parseCsv(await read(range))
  const moved = sumBy(rows, ({ account }) => account ?? '')
  for (const id of accounts) {
    const { balance } = await server.call('get_administered_account', { params: { account: id } })
    assert.equal(moved.get(id), micros(balance.total_dollars))
  }
  for (const [cause, sum] of sumBy(rows, ({ fill, transaction }) => fill ?? transaction ?? '')) {
    assert.equal(sum, 0n, cause)
  }
  const { token } = await server.call('get_account')
  const postings = rows.filter(({ transaction }) => transaction)
  assert.ok(postings.length > 0 && postings.every(({ made_by }) => made_by === token.id))
  const fees = rows.filter(({ book }) => book === 'fees')
  assert.ok(fees.length >= 3)
  assert.ok(fees.every(({ account, sku, order, fill }) => account === null && sku && order && fill))
  const sales = rows.filter(({ type, book }) => type === 'sell_fill' && book === 'account')
  assert.equal(
    sales.reduce((all, row) => all + micros(row.fee_dollars), 0n),
    fees.reduce((all, row) => all + micros(row.amount_dollars), 0n),
  )
})

test('every encoding has the same rows, and a range its first second and not its last', async () => {
  const csv = parseCsv(await read(range))
  const lines = (await read(`${range}&encoding=jsonl`)).trimEnd().split('\n')
  const json = lines.map((line) => JSON.parse(line.replaceAll(/:(-?\d+(\.\d+)?)(?=[,}])/g, ':"$1"')) as FocusRow)
  assert.deepEqual(json, csv)
  const response = await fetch(`${server.url}${path}?${range}&encoding=parquet`, {
    headers: { authorization: `Bearer ${server.platform_token}` },
  })
  assert.equal(response.headers.get('content-type'), 'application/vnd.apache.parquet')
  const file = await readParquet(await response.bytes())
  const time = (seconds: string | null | undefined) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`
  assert.deepEqual(
    file.rows,
    csv.map((row) => ({ ...row, created_at: time(row.created_at) })),
  )
  assert.equal(parseCsv(await read(`from=${from - day}&to=${from}`)).length, 0)
})

test('list_revenue is the fees, the volume and the node-minutes of each SKU and month', async () => {
  await server.call('freeze_clock')
  await server.advance(32 * day)
  const [market] = markets as [Awaited<ReturnType<typeof makeMarket>>]
  const [seller, buyer] = [await market.seller(2), await market.buyer()]
  const later = (await server.call('get_clock')).now
  const start_at = later - (later % 3600) + 7200
  await market.order(seller, { side: 'sell', start_at, ...standing })
  assert.equal((await market.order(buyer, { start_at })).state, 'filled')
  await server.call('resume_clock')
  const months = `from=${monthAt(now)}&to=${monthAt(later)}`
  const skus = markets.map(({ sku }) => sku)
  const list = await server.call('list_revenue', { query: months })
  assert.equal(list.has_more, false)
  const data = list.data.filter(({ sku }) => skus.includes(sku))
  const rows = parseCsv(await read(range))
  const month = ({ created_at }: FocusRow) => monthAt(Number(created_at))
  const fees = sumBy(
    rows.filter(({ book }) => book === 'fees'),
    (row) => `${month(row)} ${row.sku}`,
  )
  const volume = sumBy(
    rows.filter(({ type }) => type === 'buy_fill'),
    (row) => `${month(row)} ${row.sku}`,
  )
  assert.equal(data.length, 3)
  for (const row of data) {
    const key = `${row.month} ${row.sku}`
    assert.deepEqual([micros(row.fees_dollars), micros(row.volume_dollars)], [fees.get(key), -(volume.get(key) ?? 0n)])
  }
  const own = data.filter(({ sku }) => sku === market.sku)
  assert.deepEqual(
    own.map((row) => [row.node_minutes, row.fill_count]),
    [
      [3 * 95 + 60, 2],
      [120, 1],
    ],
  )
  const one = await server.call('list_revenue', { query: { from: monthAt(later) } })
  assert.deepEqual(
    one.data.filter(({ sku }) => sku === market.sku),
    [own[1]],
  )
})

test('bad ranges are refused with their field and code, and other accounts see nothing', async () => {
  for (const [query, status, code, field] of [
    [`${path}?from=3600&to=86400`, 400, 'not_aligned', 'from'],
    [`${path}?from=86400&to=86400`, 400, 'invalid_range', 'to'],
    [`${path}?from=0&to=${401 * day}`, 422, 'range_too_long', 'to'],
    [`${path}?from=0&to=${day}&encoding=xml`, 400, 'invalid_value', 'encoding'],
    [`${revenuePath}?from=2026-02&to=2026-01`, 400, 'invalid_range', 'to'],
    [`${revenuePath}?from=2024-01&to=2026-01`, 422, 'range_too_long', 'to'],
    [`${revenuePath}?from=2026-13`, 400, 'invalid_format', 'from'],
  ] as const) {
    const response = await server.request('GET', query)
    assert.equal(response.status, status, query)
    assert.deepEqual([response.body.error.details[0].code, response.body.error.details[0].field], [code, field], query)
  }
  assert.deepEqual((await server.call('list_revenue', { query: { from: '2024-02', to: '2026-01' } })).data, [])
  const { token } = await server.account()
  for (const target of [`${path}?${range}`, `${revenuePath}?from=2026-01`, `${path}?from=0&to=${401 * day}`]) {
    assert.equal((await server.request('GET', target, { token })).status, 404, target)
  }
})
