import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { test } from 'vitest'
import type { CallBody } from '../support/calls.ts'
import { hour, makeMarket } from '../support/fixtures/market.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { startTestServer } from '../support/server.ts'
import { type FocusRow, parseCsv, typeViolations, violations } from './focus-rules.ts'
import { readParquet } from './parquet.ts'

const server = await startTestServer()
const path = '/preview/v2/billing/export'
const day = 86_400

type ExportReader = { readonly token: string }

async function read({ token }: ExportReader, query: string): Promise<string> {
  const { status, text } = await server.attempt('export_usage', { query, token })
  assert.equal(status, 200, text)
  return text
}

function micros(text: string | null): bigint {
  return BigInt((text ?? '0').replace('.', ''))
}

function total(rows: readonly FocusRow[], column: string): bigint {
  return rows.reduce((all, row) => all + micros(row[column] ?? null), 0n)
}

/** A buyer that bought, sold on, moved and was granted money, some days ago; and the range of days around. */
async function makeHistory() {
  const market = await makeMarket(server)
  const [seller, buyer, other] = [await market.seller(8), await market.buyer(), await market.buyer()]
  const standing = { allow_standing: true, allow_partial: true }
  const trade = async (from: typeof seller, to: typeof seller, params: object) => {
    await market.order(from, { side: 'sell', ...standing, ...params })
    assert.equal((await market.order(to, { side: 'buy', ...params })).state, 'filled')
  }
  await trade(seller, buyer, { nodes: 3, minutes: 35 * 60, price: '1.234560' })
  await trade(seller, buyer, { nodes: 1, minutes: 60, price: '2.000400' })
  await trade(buyer, other, { nodes: 2, minutes: 90, price: '3.000000' })
  const post = (type: CallBody<'create_account_transaction'>['type'], amount_dollars: string, description: string) =>
    server.call('create_account_transaction', {
      params: { account: buyer.id },
      body: { type, amount_dollars, description },
    })
  await post('adjustment', '-1.500000', '=SUM(A1:A2)')
  await post('refund', '0.250000', 'A "quoted", long text\nwith two lines')
  const tags = { cost: 'blue' }
  await server.call('update_pool', { params: { id: buyer.pool }, token: buyer.token, body: { tags } })
  const { now } = await server.call('get_clock')
  const from = now - (now % day)
  await server.advance(3 * day)
  return { market, seller, buyer, other, from, range: `from=${from}&to=${from + 4 * day}` }
}

const history = await makeHistory()
const { buyer, seller, range, market } = history

/** Rows of JSON lines. Numbers keep their digits: they are compared as text. */
async function readJson(reader: ExportReader, query: string): Promise<FocusRow[]> {
  const text = await read(reader, query)
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line.replaceAll(/:(-?\d+(\.\d+)?)(?=[,}])/g, ':"$1"')) as FocusRow)
}

async function download({ token }: ExportReader, query: string) {
  const response = await fetch(`${server.url}${path}?${query}`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  return { headers: response.headers, file: await readParquet(await response.bytes()) }
}

test('export_usage gives FOCUS that keeps every rule, in both versions and all encodings', async () => {
  for (const version of ['1.4', '1.2'] as const) {
    const csv = parseCsv(await read(buyer, `${range}&focus_version=${version}`))
    const json = await readJson(buyer, `${range}&focus_version=${version}&encoding=jsonl`)
    const { file } = await download(buyer, `${range}&focus_version=${version}&encoding=parquet`)
    assert.ok(csv.length > 6)
    for (const rows of [csv, json, file.rows]) assert.deepEqual(violations(rows, version), [])
    assert.deepEqual(
      csv.map((row) => ({ ...row, ChargeDescription: row.ChargeDescription?.replace(/^'/, '') })),
      json,
    )
    assert.deepEqual(file.rows, json)
    assert.deepEqual(typeViolations(file.types, version), [])
  }
})

test('Parquet has the rows of the other encodings, of every dataset and of the ledger', async () => {
  for (const dataset of ['contract_commitments', 'billing_periods']) {
    const json = await readJson(seller, `${range}&dataset=${dataset}&encoding=jsonl`)
    const { file } = await download(seller, `${range}&dataset=${dataset}&encoding=parquet`)
    assert.deepEqual(file.rows, json)
  }
  const json = await readJson(buyer, `${range}&format=ledger_jsonl`)
  const { headers, file } = await download(buyer, `${range}&format=ledger_parquet`)
  const time = (seconds: string | null | undefined) => `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z`
  assert.ok(json.length > 4)
  assert.deepEqual(
    file.rows,
    json.map((row) => ({ ...row, created_at: time(row.created_at) })),
  )
  assert.deepEqual([file.types.amount_dollars, file.types.created_at], ['DECIMAL(18, 6)', 'TIMESTAMP_MILLIS'])
  assert.equal(headers.get('content-type'), 'application/vnd.apache.parquet')
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="ledger-\d{8}-\d{8}\.parquet"$/)
  // Its pages are compressed already.
  assert.equal(headers.get('content-encoding'), null)
})

test('the sums of an export are those of the ledger and of usage, to the micro-dollar', async () => {
  for (const account of [buyer, seller, history.other]) {
    const rows = parseCsv(await read(account, range))
    const ledger = parseCsv(await read(account, `${range}&format=ledger_csv`))
    assert.equal(total(rows, 'BilledCost'), -total(ledger, 'amount_dollars'))
    const { data } = await server.call('list_usage', { query: range, token: account.token })
    const cost = data.reduce((all: bigint, row: any) => all + micros(row.effective_cost_dollars), 0n)
    const usage = rows.filter(({ ChargeCategory }) => ChargeCategory === 'Usage')
    assert.equal(total(usage, 'EffectiveCost'), cost)
    const balance = await server.call('get_balance', { token: account.token })
    assert.equal(total(ledger, 'amount_dollars'), micros(balance.total_dollars))
  }
})

test('the rows of an export say what was bought, sold and used, where and from whom', async () => {
  const rows = parseCsv(await read(buyer, range))
  const [purchase] = rows.filter(({ ChargeCategory }) => ChargeCategory === 'Purchase')
  assert.equal(purchase?.BilledCost, '129.628800')
  assert.equal(purchase?.EffectiveCost, '0.000000')
  assert.equal(purchase?.PricingQuantity, '105.000000')
  assert.equal(purchase?.ContractedUnitPrice, '1.234560')
  assert.equal(purchase?.ResourceId, buyer.pool)
  assert.equal(purchase?.SkuId, market.sku)
  assert.equal(purchase?.SkuPriceId, `${market.sku}:1.234560`)
  assert.equal(purchase?.Tags, '{"cost":"blue"}')
  assert.equal(purchase?.HostProviderName, seller.id)
  const credits = rows.filter(({ ChargeCategory }) => ChargeCategory === 'Credit')
  assert.ok(credits.some(({ ChargeDescription }) => ChargeDescription === 'A "quoted", long text\nwith two lines'))
  const usage = rows.filter(({ ChargeCategory }) => ChargeCategory === 'Usage')
  assert.ok(usage.every(({ CommitmentDiscountStatus }) => CommitmentDiscountStatus === 'Unused'))
  const hours = usage.reduce((all, row) => all + Number(row.PricingQuantity), 0)
  assert.equal(hours, 3 * 35 + 1 - 3)
})

test('no cell is a formula, and text keeps its characters', async () => {
  const [adjustment] = parseCsv(await read(buyer, range)).filter(({ ChargeClass }) => ChargeClass === 'Correction')
  assert.equal(adjustment?.ChargeDescription, "'=SUM(A1:A2)")
  assert.equal(adjustment?.BilledCost, '1.500000')
  const ledger = parseCsv(await read(buyer, `${range}&format=ledger_csv`))
  assert.ok(ledger.some(({ description }) => description === "'=SUM(A1:A2)"))
  const line = (await read(buyer, `${range}&format=ledger_jsonl`)).split('\n').find((text) => text.includes('SUM'))
  assert.equal(JSON.parse(line ?? '').description, '=SUM(A1:A2)')
})

test('a range has its first second and not its last', async () => {
  const { data } = await server.call('list_transactions', { token: buyer.token })
  const first = data.at(-1)
  const start = first.created_at - (first.created_at % day)
  const count = async (from: number, to: number) =>
    parseCsv(await read(buyer, `from=${from}&to=${to}&format=ledger_csv`)).length
  assert.equal(await count(start, start + 4 * day), data.length)
  assert.equal(await count(start - day, start), 0)
  const edge = await server.account()
  const { now } = await server.call('get_clock')
  await server.call('freeze_clock')
  await server.advance(day - (now % day))
  const { created_at } = await grantCredit(server, edge.id, '1.000000')
  await server.call('resume_clock')
  const at = created_at - (created_at % day)
  const of = async (from: number) =>
    parseCsv(await read(edge, `from=${from}&to=${from + day}&format=ledger_csv`)).length
  assert.deepEqual([created_at, await of(at), await of(at - day)], [at, 1, 0])
})

test('contract commitments are the windows that are still held, and billing periods the months', async () => {
  const party = await market.buyer()
  const { now } = await server.call('get_clock')
  const start_at = now - (now % hour) + 2 * hour
  await market.order(seller, { side: 'sell', nodes: 1, start_at, allow_standing: true, allow_partial: true })
  await market.order(party, { nodes: 1, start_at })
  const from = start_at - (start_at % day)
  const held = parseCsv(await read(party, `from=${from}&to=${from + 2 * day}&dataset=contract_commitments`))
  assert.deepEqual(
    held.map((row) => [row.ContractCommitmentCost, row.ContractCommitmentQuantity, row.ContractId]),
    [['1.200000', '1.000000', party.pool]],
  )
  const periods = parseCsv(await read(party, `from=${from - 60 * day}&to=${from + day}&dataset=billing_periods`))
  assert.equal(periods.at(0)?.BillingPeriodStatus, 'Closed')
  assert.equal(periods.at(-1)?.BillingPeriodStatus, 'Open')
})

test('an export is compressed for clients that accept it', async () => {
  const { token } = buyer
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const { request } = await import('node:http')
  const [encoding, bytes] = await new Promise<[string | undefined, Buffer]>((resolve, reject) => {
    request(`${server.url}${path}?${range}`, { headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => resolve([response.headers['content-encoding'], Buffer.concat(pieces)]))
    })
      .on('error', reject)
      .end()
  })
  assert.equal(encoding, 'gzip')
  assert.equal(String(gunzipSync(bytes)), await read(buyer, range))
})

test('bad ranges and parameters that do not belong together are refused with their field and code', async () => {
  const { token } = buyer
  for (const [query, status, code, field] of [
    ['from=3600&to=86400', 400, 'not_aligned', 'from'],
    ['from=86400&to=86400', 400, 'invalid_range', 'to'],
    [`from=0&to=${401 * day}`, 422, 'range_too_long', 'to'],
    ['from=0&to=86400&format=xlsx', 400, 'invalid_value', 'format'],
    ['from=0&to=86400&format=ledger_parquet&encoding=parquet', 422, 'not_applicable', 'encoding'],
    ['from=0&to=86400&format=ledger_csv&dataset=cost_and_usage', 422, 'not_applicable', 'dataset'],
    ['from=0&to=86400&format=ledger_jsonl&focus_version=1.2', 422, 'not_applicable', 'focus_version'],
    ['from=0&to=86400&focus_version=1.0', 400, 'invalid_value', 'focus_version'],
  ] as const) {
    const response = await server.attempt('export_usage', { query, token })
    assert.equal(response.status, status, query)
    assert.deepEqual([response.body.error.details[0].code, response.body.error.details[0].field], [code, field], query)
  }
  const made = await server.call('create_token', { token, body: { roles: ['role_operator'] } })
  const { status } = await server.attempt('export_usage', { query: range, token: made.token })
  assert.ok([403, 404].includes(status))
})
