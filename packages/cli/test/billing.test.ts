import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { parseCsv } from '../../server/test/api/focus-rules.ts'
import { readParquet } from '../../server/test/api/parquet.ts'
import { makeMarket } from '../../server/test/support/fixtures/market.ts'
import { grantCredit } from '../../server/test/support/fixtures/money.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { monthOf } from '../src/input/periods.ts'
import { goToQuietDay } from './quiet-day.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const now = await goToQuietDay(server)
const { id, token } = await server.account()
await grantCredit(server, id, '12.000000')
const bourse = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token })
const days = ['--from', '-1d', '--to', 'now']

test('billing export writes rows to standard output, or to a new file', async () => {
  const shown = await bourse('billing', 'export', ...days, '--format', 'ledger_csv')
  assert.equal(shown.code, 0, shown.err)
  assert.match(shown.out, /^id,type,amount_dollars.*\r\ntxn_.*,credit_grant,12\.000000,/)
  const file = join(await mkdtemp(join(tmpdir(), 'bourse-export-')), 'costs.jsonl')
  const written = await bourse('billing', 'export', ...days, '--encoding', 'jsonl', '--file', file)
  assert.equal(written.code, 0, written.err)
  assert.equal(JSON.parse(await readFile(file, 'utf8')).ChargeCategory, 'Credit')
  const again = await bourse('billing', 'export', ...days, '--file', file)
  assert.deepEqual([again.code, /already exists/.test(again.err)], [2, true])
})

/** A server that ends the connection of each export at once. */
const closing = createServer(({ url = '' }, response) => {
  if (url.includes('export')) response.destroy()
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{"server":{"now":1767312000}}')
}).listen(0, '127.0.0.1')
atEnd(() => closing.close())
await once(closing, 'listening')
const closingUrl = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`
const silent = runnerFor({ BOURSE_BASE_URL: closingUrl, BOURSE_API_TOKEN: 't' })

test('an export that breaks off names its last whole line, and its file is marked as unfinished', async () => {
  const peer = createServer(({ url = '' }, response) => {
    if (!url.includes('export')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"server":{"now":1767312000}}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/csv' }).write('id,type\r\ntxn_1,fee\r\ntxn_2,f', () => {
      response.socket?.end()
    })
  }).listen(0, '127.0.0.1')
  atEnd(() => peer.close())
  await once(peer, 'listening')
  const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
  const broken = runnerFor({ BOURSE_BASE_URL: url, BOURSE_API_TOKEN: 't' })
  const period = ['--from', '2026-01-01T00:00Z', '--to', '2026-01-02T00:00Z', '--format', 'ledger_csv']
  const file = join(await mkdtemp(join(tmpdir(), 'bourse-export-')), 'costs.csv')
  const { code, err } = await broken('billing', 'export', ...period, '--file', file)
  assert.equal(code, 7, err)
  assert.match(err, /broke before the end[^\n]*costs\.csv\.part, and is not complete[^\n]*number 2: txn_1,fee/)
  // One that does not begin leaves no file, and speaks of none.
  for (const [from, exit] of [
    ['-500d', 8],
    ['-1d', 7],
  ] as const) {
    const other = join(await mkdtemp(join(tmpdir(), 'bourse-export-')), 'costs.csv')
    const asked = exit === 8 ? bourse : silent
    const none = await asked('billing', 'export', '--from', from, '--to', 'now', '--file', other)
    assert.deepEqual(
      [none.code, none.err.includes('.part'), existsSync(`${other}.part`)],
      [exit, false, false],
      none.err,
    )
  }
  assert.equal(await readFile(`${file}.part`, 'utf8'), 'id,type\r\ntxn_1,fee\r\ntxn_2,f')
  const shown = await broken('billing', 'export', ...period)
  assert.ok(!shown.err.includes('.part'))
  assert.deepEqual([shown.code, shown.out], [7, 'id,type\r\ntxn_1,fee\r\ntxn_2,f'], shown.err)
})

test('billing export writes Parquet to a file or a pipe, and never to a terminal', async () => {
  const onTerminal = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }, { width: 80 })
  for (const kind of [
    ['--encoding', 'parquet'],
    ['--format', 'ledger_parquet'],
  ]) {
    const refused = await onTerminal('billing', 'export', ...days, ...kind)
    assert.deepEqual([refused.code, refused.out], [2, ''])
    assert.match(refused.err, /Write to a file with --file/)
    const file = join(await mkdtemp(join(tmpdir(), 'bourse-export-')), 'costs.parquet')
    const written = await onTerminal('billing', 'export', ...days, ...kind, '--file', file)
    assert.equal(written.code, 0, written.err)
    assert.equal((await readParquet(await readFile(file))).rows.length, 1)
  }
})

test('billing export refuses what is no time, and shows a refusal of the server', async () => {
  assert.equal((await bourse('billing', 'export', '--from', 'soon', '--to', 'now')).code, 2)
  const refused = await bourse('billing', 'export', '--from', '-500d', '--to', 'now')
  assert.notEqual(refused.code, 0)
  assert.match(refused.err, /at most 400 days/)
})

test('billing usage is a chart on a terminal, and a table for programs', async () => {
  const { sku } = await makeMarketWithUsage()
  const onTerminal = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }, { width: 80 })
  const range = ['--from', '-1d', '--to', '+3d', '--group-by', 'sku']
  const drawn = await onTerminal('billing', 'usage', ...range)
  assert.equal(drawn.code, 0, drawn.err)
  assert.match(drawn.out, new RegExp(`^Effective cost in dollars, by day .*\\n(.*\\n)*.*${sku} +1\\.20 +█+\\n`))
  assert.ok(drawn.out.split('\n').every((line) => line.length <= 80))
  const dayAt = (days: number) => new Date((now + days * 86_400) * 1000).toISOString().slice(0, 10)
  const plain = await bourse('billing', 'usage', '--from', dayAt(-1), '--to', dayAt(3), '-o', 'csv')
  assert.equal(plain.code, 0, plain.err)
  assert.match(plain.out, /^period_start,.*\n.*1\.200000/m)
})

/** A purchase of the account. */
async function makeMarketWithUsage() {
  const market = await makeMarket(server)
  const seller = await market.seller(2)
  await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
  const pool = (await server.call('create_pool', { token, body: {} })).id
  const bought = await market.order({ id, token, workspace_id: '', pool }, { nodes: 1 })
  assert.equal(bought.state, 'filled')
  return market
}

test('billing statement shows the money of a month', async () => {
  const { code, out, err } = await bourse('billing', 'statement', monthOf(now), '-o', 'json')
  assert.equal(code, 0, err)
  assert.equal(JSON.parse(out).closing_balance_dollars, '10.800000')
})

test('platform ledger and platform revenue show the money of the marketplace to the operator', async () => {
  const operator = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: server.platform_token })
  const file = join(await mkdtemp(join(tmpdir(), 'bourse-ledger-')), 'ledger.csv')
  const written = await operator('platform', 'ledger', '--from', '-1d', '--to', '+1d', '--file', file)
  assert.equal(written.code, 0, written.err)
  const rows = parseCsv(await readFile(file, 'utf8'))
  assert.ok(rows.some(({ account, amount_dollars }) => account === id && amount_dollars === '12.000000'))
  const month = monthOf(now)
  const revenue = await operator('platform', 'revenue', '--from', month, '-o', 'csv')
  assert.match(revenue.out, /^month,sku,fees_dollars,volume_dollars,.*\n.*,0\.012000,1\.200000,60,1\n/)
  const accounts = await operator('accounts', 'list', '-o', 'csv')
  assert.match(accounts.out, new RegExp(`${id},.*,10\\.800000,10\\.800000,`))
  const foreign = await bourse('platform', 'revenue', '--from', month)
  assert.match(foreign.err, /No resource has this id or path/)
})
