import assert from 'node:assert/strict'
import { test } from 'vitest'
import { makeMarket } from '../support/fixtures/market.ts'
import { grantCredit } from '../support/fixtures/money.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const day = 86_400

function monthAt(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 7)
}

function read({ token }: { token: string }, month: string, headers: Record<string, string> = {}) {
  return server.attempt('get_statement', { params: { month }, token, headers })
}

const micros = (text: string) => BigInt(text.replace('.', ''))

test('get_statement adds up to the ledger, by SKU and workspace, and closes 48 hours after its month', async () => {
  const market = await makeMarket(server)
  const [seller, buyer] = [await market.seller(4), await market.buyer()]
  const { now } = await server.call('get_clock')
  const month = monthAt(now)
  await market.order(seller, { side: 'sell', allow_standing: true, allow_partial: true })
  assert.equal((await market.order(buyer, { nodes: 2 })).state, 'filled')
  const { body: own } = await read(buyer, month)
  assert.deepEqual(
    [own.opening_balance_dollars, own.closing_balance_dollars, own.purchases_dollars, own.credits_dollars],
    ['0.000000', '997.600000', '2.400000', '1000.000000'],
  )
  assert.deepEqual(own.lines, [
    {
      sku: market.sku,
      workspace: buyer.workspace_id,
      purchases_dollars: '2.400000',
      sales_dollars: '0.000000',
      fees_dollars: '0.000000',
      credits_dollars: '0.000000',
    },
    {
      sku: null,
      workspace: null,
      purchases_dollars: '0.000000',
      sales_dollars: '0.000000',
      fees_dollars: '0.000000',
      credits_dollars: '1000.000000',
    },
  ])
  const { body: sold } = await read(seller, month)
  assert.deepEqual(
    [sold.sales_dollars, sold.fees_dollars, sold.closing_balance_dollars],
    ['2.400000', '0.024000', '2.376000'],
  )
  assert.equal(own.state, 'open')
  // The next month opens with what this one closed with, and this one never changes once it is closed.
  await server.advance(own.period_end - now + 2 * day - 60)
  const later = await read(buyer, month)
  assert.equal(later.body.state, 'open')
  await server.advance(120)
  const closed = await read(buyer, month)
  assert.deepEqual(closed.body, { ...later.body, state: 'closed' })
  const body = { type: 'refund', amount_dollars: '5.000000', description: 'Later.' } as const
  await server.call('create_account_transaction', { params: { account: buyer.id }, body })
  assert.deepEqual((await read(buyer, month)).body, closed.body)
  const { body: next } = await read(buyer, monthAt(own.period_end))
  assert.equal(next.opening_balance_dollars, own.closing_balance_dollars)
  const balance = await server.call('get_balance', { token: buyer.token })
  assert.equal(next.closing_balance_dollars, balance.total_dollars)
  const flows = micros(own.sales_dollars) + micros(own.credits_dollars)
  const spent = micros(own.purchases_dollars) + micros(own.fees_dollars)
  assert.equal(flows - spent, micros(own.closing_balance_dollars) - micros(own.opening_balance_dollars))
})

test('a statement as CSV has its lines', async () => {
  const { id, token } = await server.account()
  await grantCredit(server, id, '3.000000')
  const { now } = await server.call('get_clock')
  const { text, headers } = await read({ token }, monthAt(now), { accept: 'text/csv' })
  assert.match(String(headers.get('content-type')), /^text\/csv/)
  const lines = text.split('\r\n')
  assert.equal(lines[0], 'sku,workspace,purchases_dollars,sales_dollars,fees_dollars,credits_dollars')
  assert.equal(lines[1], ',,0.000000,0.000000,0.000000,3.000000')
})

test('a month that is none or has not begun is refused, and another account sees nothing', async () => {
  const { token } = await server.account()
  for (const month of ['2026-13', '1969-12', '0144-10']) assert.equal((await read({ token }, month)).status, 400, month)
  assert.equal((await read({ token }, '2999-01')).status, 404)
  const past = await read({ token }, '2020-01')
  assert.deepEqual([past.body.lines, past.body.closing_balance_dollars], [[], '0.000000'])
  const made = await server.call('create_token', { token, body: { roles: ['role_operator'] } })
  assert.ok([403, 404].includes((await read({ token: made.token }, '2020-01')).status))
})
