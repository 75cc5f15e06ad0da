import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type LedgerTrade, ledgerColumns, postingRows, tradeRows } from './ledger-rows.rules.ts'

const trade: LedgerTrade = {
  id: 'fill_1',
  sku_id: 'sku_1',
  filled_at: 100,
  value_micros: 5_000_000n,
  fee_micros: 250_000n,
  buyer_id: 'acct_b',
  buy_order_id: 'ordr_b',
  buyer_workspace_id: 'wksp_b',
  seller_id: 'acct_s',
  sell_order_id: 'ordr_s',
  seller_workspace_id: 'wksp_s',
}
const posting = {
  id: 'txn_1',
  account_id: 'acct_b',
  type: 'refund',
  amount_micros: 1_500_000n,
  description: 'late',
  created_at: 200,
  made_by: 'user_1',
  approved_by: 'user_2',
}

test('the rows of a trade are those of the buyer, of the seller less the fee, and of the fee', () => {
  const common = { created_at: '100', sku: 'sku_1', fill: 'fill_1', fee_dollars: '0.000000' }
  const bought = { ...common, book: 'account', account: 'acct_b', type: 'buy_fill', amount_dollars: '-5.000000' }
  const sold = { ...common, book: 'account', account: 'acct_s', type: 'sell_fill' }
  const buyer = { ...bought, order: 'ordr_b', workspace: 'wksp_b' }
  const seller = { ...sold, order: 'ordr_s', workspace: 'wksp_s' }
  assert.deepEqual(tradeRows(trade), [
    buyer,
    { ...seller, amount_dollars: '4.750000', fee_dollars: '0.250000' },
    { ...common, book: 'fees', type: 'sell_fill', amount_dollars: '0.250000', order: 'ordr_s' },
  ])
  assert.deepEqual(tradeRows({ ...trade, fee_micros: 0n }), [buyer, { ...seller, amount_dollars: '5.000000' }])
})

test('the rows of a posting are those of the account and of the funding', () => {
  const common = { created_at: '200', type: 'refund', fee_dollars: '0.000000', transaction: 'txn_1' }
  const people = { description: 'late', made_by: 'user_1', approved_by: 'user_2' }
  assert.deepEqual(postingRows(posting), [
    { ...common, ...people, book: 'account', account: 'acct_b', amount_dollars: '1.500000' },
    { ...common, ...people, book: 'funding', amount_dollars: '-1.500000' },
  ])
})

test('each value of a row has a column', () => {
  const names = new Set(ledgerColumns.map(({ name }) => name))
  const used = new Set([...tradeRows(trade), ...postingRows(posting)].flatMap((row) => Object.keys(row)))
  assert.deepEqual(used, names)
  const typed = ledgerColumns.filter(({ type }) => type !== 'text').map(({ name, type }) => `${name} ${type}`)
  assert.deepEqual(typed, ['created_at seconds', 'amount_dollars decimal', 'fee_dollars decimal'])
  assert.ok(ledgerColumns.every(({ type }) => ['text', 'seconds', 'decimal'].includes(type)))
})
