import assert from 'node:assert/strict'
import { test } from 'vitest'
import { purchaseOutcome, readPurchase } from './purchases.rules.ts'

const price = 'limit_price_dollars_per_node_hour'
const terms = { end_at: 7_200, [price]: '2.5' } as const
const filled = { id: 'ordr_one', state: 'filled', price_micros: 2_500_000n, filled_value_micros: 4_000_000n } as const

function refusalOf(outcome: object): (string | null | undefined)[] {
  assert.ok('refusal' in outcome)
  const { code, field, message } = outcome.refusal as { code: string; field?: string | null; message: string }
  return [code, field, message]
}

test('a purchase without a start begins with the running minute, for one node', () => {
  const read = readPurchase(terms, 3_659)
  assert.ok('order' in read)
  const { start_minute, end_minute, node_count, price_micros, side } = read.order
  assert.deepEqual([side, start_minute, end_minute, node_count, price_micros], ['buy', 60, 120, 1, 2_500_000n])
  const later = readPurchase({ ...terms, start_at: 4_020 }, 3_659)
  assert.equal('order' in later && later.order.start_minute, 67)
})

test('a refusal of the order names the member of the request', () => {
  assert.deepEqual(refusalOf(readPurchase({ ...terms, start_at: 7_200 }, 0)).slice(0, 2), [
    'invalid_range',
    'buy.end_at',
  ])
  assert.deepEqual(refusalOf(readPurchase({ ...terms, [price]: '0' }, 0)).slice(0, 2), ['out_of_range', `buy.${price}`])
  const past = { code: 'in_the_past', field: 'allocation_schedule_delta.0.start_at', message: 'Past.' } as const
  assert.deepEqual(refusalOf(purchaseOutcome({ refusal: past }, {})), ['in_the_past', 'buy.start_at', 'Past.'])
  for (const field of ['pool', null]) {
    const refusal = { code: 'reference_not_found', field, message: 'None.' } as const
    assert.deepEqual(refusalOf(purchaseOutcome({ refusal }, {})), ['reference_not_found', field, 'None.'])
  }
})

test('only an order that was filled whole, for no more than it may cost, is a purchase', () => {
  assert.deepEqual(purchaseOutcome({ row: filled }, {}), { id: 'ordr_one' })
  for (const most of ['4', '4.000000', '4.000001']) {
    assert.deepEqual(purchaseOutcome({ row: filled }, { max_cost_dollars: most }), { id: 'ordr_one' }, most)
  }
  const dear = purchaseOutcome({ row: filled }, { max_cost_dollars: '3.999999' })
  const text = 'The cheapest offers for the window cost $4.00.'
  assert.deepEqual(refusalOf(dear), ['not_offered', 'buy.max_cost_dollars', text])
  const open = purchaseOutcome({ row: { ...filled, state: 'cancelled', filled_value_micros: 0n } }, {})
  const none = 'No node is offered for the whole window at $2.50 per node-hour or less.'
  assert.deepEqual(refusalOf(open), ['not_offered', `buy.${price}`, none])
})
