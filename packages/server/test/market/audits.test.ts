import assert from 'node:assert/strict'
import { test } from 'vitest'
import { moneyAudits } from '../../src/billing/money.audit.ts'
import { statement } from '../../src/core/db/db.ts'
import { runAudit } from '../../src/core/work/auditor.ts'
import { crossedBookAudits } from '../../src/market/trading/crossed-books.audit.ts'
import { orderEventAudits } from '../../src/market/trading/order-events.audit.ts'
import { orderAudits } from '../../src/market/trading/orders.audit.ts'
import type { Server } from '../../src/server.ts'
import { makeAccountToken, platformAccount } from '../support/access.ts'
import { makeMarket } from '../support/fixtures/market.ts'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()
const { database } = (server.inside as Server).runtime
const market = await makeMarket(server)
const [seller, buyer] = [await market.seller(8), await market.buyer()]
const standing = { allow_standing: true, allow_partial: true }
const later = market.start + 7200
const offer = await market.order(seller, { ...standing, side: 'sell', nodes: 4, price: '1.800000' })
const filled = await market.order(buyer, { nodes: 2, price: '2.400000' })
const fill = filled.fills[0].id as string
const met = await market.order(seller, { ...standing, side: 'sell', nodes: 1, price: '3.000000', start_at: later })
await market.order(buyer, { nodes: 1, price: '3.000000', start_at: later })
const open = { start_at: market.start, end_at: null, node_count: 2 }
const desk = (await server.call('create_pool', { token: seller.token, body: {} })).id as string
await server.call('create_pool_transfer', {
  token: seller.token,
  body: { from_pool: seller.pool, to_pool: desk, sku: market.sku, allocation_schedule_delta: [open] },
})
// A preemption by the sandbox must leave no unexplained allocation, which could hide a corruption. It runs before the
// first bid, so that it fills none of the orders that are corrupted below.
const preemption = { kind: 'preempt', pool: desk, sku: market.sku, node_count: 1 } as const
await server.call('create_fault', { body: preemption })
const want = await market.order(buyer, { ...standing, nodes: 1 })
const whole = await market.order(buyer, { allow_standing: true, nodes: 1, price: '0.600000' })
const missed = await market.order(buyer, { nodes: 1, price: '0.600000' })
const unamended = await market.order(buyer, { ...standing, nodes: 3, price: '0.600000', start_at: later })
const amended = await server.call('amend_order', {
  params: { id: unamended.id },
  token: buyer.token,
  body: { node_count: 2 },
})
const pool = (await server.call('create_pool', { token: buyer.token, body: {} })).id as string
// Without an end: the schedule of such a transfer has no last step.
await server.call('create_pool_transfer', {
  token: seller.token,
  body: {
    from_pool: seller.pool,
    to_pool: (await server.call('create_pool', { token: seller.token, body: {} })).id,
    sku: market.sku,
    allocation_schedule_delta: [{ start_at: market.start, end_at: null, node_count: 1 }],
  },
})
const debtor = await server.account()
await server.call('put_credit_limit', { params: { account: debtor.id }, body: { credit_limit_dollars: '5.000000' } })
const taken = { type: 'adjustment', amount_dollars: '-5.000000', description: 'Correction.' } as const
await server.call('create_account_transaction', { params: { account: debtor.id }, body: taken })
await server.call('create_account_transaction', {
  params: { account: debtor.id },
  body: { ...taken, amount_dollars: '5.000000' },
})
await server.call('put_credit_limit', { params: { account: debtor.id }, body: { credit_limit_dollars: '1.000000' } })
const grant = {
  type: 'credit_grant',
  amount_dollars: '7.000000',
  description: 'Asked for by one, approved by two.',
} as const
const platform = await platformAccount(server)
const operator = () => makeAccountToken(server, platform, { platform: ['read', 'write'] })
const [first, second] = [await operator(), await operator()]
const asked = await server.call('create_pending_credit', {
  params: { account: debtor.id },
  token: first.token,
  body: grant,
})
const { transaction: granted } = await server.call('approve_pending_credit', {
  params: { id: asked.id },
  token: second.token,
})
const limited = await server.call('create_pending_credit', {
  params: { account: buyer.id },
  token: first.token,
  body: { ...grant, type: 'credit_limit' },
})
await server.call('approve_pending_credit', { params: { id: limited.id }, token: second.token })
const window = { start_at: market.start, end_at: market.start + 600, node_count: 1 }
const transfer = await server.call('create_pool_transfer', {
  token: buyer.token,
  body: { from_pool: buyer.pool, to_pool: pool, sku: market.sku, allocation_schedule_delta: [window] },
})

async function violated(): Promise<string[]> {
  const findings = await runAudit(database, [...moneyAudits, ...orderAudits, ...crossedBookAudits, ...orderEventAudits])
  return [...new Set(findings.filter(({ rows }) => rows.length > 0).map(({ name }) => name))].sort()
}

test('a market without corruption passes all audits', async () => {
  assert.deepEqual(await violated(), [])
})

const of = (id: string) => `where id = '${id}'`
const firstOf = (pool: string) =>
  `where pool_id = '${pool}' and minute = (select min(minute) from pool_allocation where pool_id = '${pool}')`
const leg = `where id = (select min(id) from ledger where cause_id = '${fill}' and book = 'credit')`
const line = `where id = (select min(id) from ledger_transactions where fill_id = '${fill}')`

/** The names of the audits that find a corruption, the corruption, and its repair. */
const corruptions: readonly (readonly [names: string, harm: string, mend: string])[] = [
  [
    'money.export money.fill-priced money.fold money.running money.zero-sum',
    `update ledger set amount_micros = amount_micros + 1 ${leg}`,
    `update ledger set amount_micros = amount_micros - 1 ${leg}`,
  ],
  [
    'money.running',
    `update ledger set balance_after_micros = balance_after_micros + 1 ${leg}`,
    `update ledger set balance_after_micros = balance_after_micros - 1 ${leg}`,
  ],
  [
    'money.fold',
    `update money_accounts set credit_micros = credit_micros + 1 where account_id = '${buyer.id}'`,
    `update money_accounts set credit_micros = credit_micros - 1 where account_id = '${buyer.id}'`,
  ],
  [
    'money.held-exact',
    `update holds set amount_micros = amount_micros + 1 where order_id = '${want.id}'`,
    `update holds set amount_micros = amount_micros - 1 where order_id = '${want.id}'`,
  ],
  [
    'money.export',
    `update ledger_transactions set amount_micros = amount_micros + 1 ${line}`,
    `update ledger_transactions set amount_micros = amount_micros - 1 ${line}`,
  ],
  [
    'money.approved money.export',
    `update ledger_transactions set amount_micros = amount_micros * 2 where id = '${granted}'`,
    `update ledger_transactions set amount_micros = amount_micros / 2 where id = '${granted}'`,
  ],
  [
    'money.approved',
    `update pending_credits set transaction_id = 'txn_none' ${of(asked.id)}`,
    `update pending_credits set transaction_id = '${granted}' ${of(asked.id)}`,
  ],
  [
    'money.approved',
    `update pending_credits set decided_by_token_id = requested_by_token_id ${of(asked.id)}`,
    `update pending_credits set decided_by_token_id = '${second.id}' ${of(asked.id)}`,
  ],
  [
    'money.approved',
    `update pending_credits set amount_micros = amount_micros + 1 ${of(limited.id)}`,
    `update pending_credits set amount_micros = amount_micros - 1 ${of(limited.id)}`,
  ],
  [
    'money.once',
    `update ledger_transactions set type = 'refund' ${line}`,
    `update ledger_transactions set type = 'buy_fill' ${line}`,
  ],
  [
    'money.floor',
    `update credit_limits set credit_limit_micros = 4999999 where credit_limit_micros = 5000000`,
    `update credit_limits set credit_limit_micros = 5000000 where credit_limit_micros = 4999999`,
  ],
  [
    'money.floor',
    `update credit_limits set after_ledger_id = 0 where account_id = '${debtor.id}'`,
    `update credit_limits c set after_ledger_id = (select max(id) from ledger where account_id = c.account_id)
     where account_id = '${debtor.id}' and credit_limit_micros = 1000000`,
  ],
  ['money.append-only', 'grant update on ledger to bourse_app', 'revoke update on ledger from bourse_app'],
  [
    'money.integer',
    `update orders set price_micros = ${2n ** 62n + 1n} ${of(missed.id)}`,
    `update orders set price_micros = 600000 ${of(missed.id)}`,
  ],
  [
    'events.orders events.paired',
    `update events set action = 'order.cancelled' where target_id = '${filled.id}' and action = 'order.created'`,
    `update events set action = 'order.created' where target_id = '${filled.id}' and action = 'order.cancelled'`,
  ],
  ['events.fills', `update fills set has_events = false ${of(fill)}`, `update fills set has_events = true ${of(fill)}`],
  [
    'events.fills',
    `update events set body = replace(body, '"${fill}"', '"fill_none"') where target_id = '${filled.id}'`,
    `update events set body = replace(body, '"fill_none"', '"${fill}"') where target_id = '${filled.id}'`,
  ],
  [
    'events.fills',
    `update events set body = replace(body, '"fill":', '"trade":') where target_id = '${filled.id}'`,
    `update events set body = replace(body, '"trade":', '"fill":') where target_id = '${filled.id}'`,
  ],
  [
    'events.fills',
    `update events set body = replace(body, '"total_dollars":"', '"total_dollars":"1')
     where target_id = '${filled.id}'`,
    `update events set body = replace(body, '"total_dollars":"1', '"total_dollars":"')
     where target_id = '${filled.id}'`,
  ],
  [
    'events.actor',
    `update orders set created_by_token_id = null ${of(want.id)}`,
    `update orders set created_by_token_id = (select created_by_token_id from orders ${of(filled.id)}) ${of(want.id)}`,
  ],
  [
    'events.actor',
    `update events set actor_token_id = null where target_id = '${filled.id}' and action = 'order.filled'`,
    `update events set actor_token_id = (select created_by_token_id from orders ${of(filled.id)})
     where target_id = '${filled.id}' and action = 'order.filled'`,
  ],
  [
    'events.actor',
    `update events set actor_token_id = (select created_by_token_id from orders ${of(met.id)})
     where target_id = '${met.id}' and action = 'order.filled'`,
    `update events set actor_token_id = null where target_id = '${met.id}' and action = 'order.filled'`,
  ],
  [
    'money.release-exact money.once',
    `update ledger set cause_id = 'ordr_elsewhere' where cause_id = '${want.id}'`,
    `update ledger set cause_id = '${want.id}' where cause_id = 'ordr_elsewhere'`,
  ],
  [
    'money.fill-priced events.fills',
    `update fills set fee_micros = fee_micros + 1 ${of(fill)}`,
    `update fills set fee_micros = fee_micros - 1 ${of(fill)}`,
  ],
  [
    'capacity.free capacity.moved-whole',
    `update pool_allocation set delta = delta - 6 ${firstOf(seller.pool)}`,
    `update pool_allocation set delta = delta + 6 ${firstOf(seller.pool)}`,
  ],
  [
    'capacity.promised-exact',
    `update pool_promise set delta = delta - sign(delta) where pool_id = '${seller.pool}'`,
    `update pool_promise set delta = delta + sign(delta) where pool_id = '${seller.pool}'`,
  ],
  [
    'capacity.moved-whole',
    `update pool_transfers set schedule = jsonb_set(schedule, '{1}', '2') ${of(transfer.id)}`,
    `update pool_transfers set schedule = jsonb_set(schedule, '{1}', '1') ${of(transfer.id)}`,
  ],
  [
    'capacity.moved-whole',
    `update capacity_postings set delta = delta + 1 where pool_id = '${seller.pool}'`,
    `update capacity_postings set delta = delta - 1 where pool_id = '${seller.pool}'`,
  ],
  [
    'capacity.future-only',
    `update fills set filled_at = filled_at + 86400 ${of(fill)}`,
    `update fills set filled_at = filled_at - 86400 ${of(fill)}`,
  ],
  [
    'market.version',
    `update books set version = version - 2, last_seq = last_seq - 1 where sku_id = '${market.sku}'`,
    `update books set version = version + 2, last_seq = last_seq + 1 where sku_id = '${market.sku}'`,
  ],
  [
    'market.vector',
    `update orders set filled_value_micros = filled_value_micros + 1 ${of(filled.id)}`,
    `update orders set filled_value_micros = filled_value_micros - 1 ${of(filled.id)}`,
  ],
  [
    'market.status',
    `update orders set cancel_reason = 'user' ${of(filled.id)}`,
    `update orders set cancel_reason = null ${of(filled.id)}`,
  ],
  [
    'market.status',
    `update orders set allow_standing = false ${of(want.id)}`,
    `update orders set allow_standing = true ${of(want.id)}`,
  ],
  [
    'market.whole',
    `update orders set allow_partial = false ${of(offer.id)}`,
    `update orders set allow_partial = true ${of(offer.id)}`,
  ],
  [
    'market.pair',
    `update fills set end_minute = end_minute + 1 ${of(fill)}`,
    `update fills set end_minute = end_minute - 1 ${of(fill)}`,
  ],
  [
    'market.amended',
    `update orders set amended_by = '${want.id}' ${of(unamended.id)}`,
    `update orders set amended_by = '${amended.id}' ${of(unamended.id)}`,
  ],
  [
    'market.amended',
    `update orders set filled_before = '[0, 1, 60, 0]' ${of(amended.id)}`,
    `update orders set filled_before = '[]' ${of(amended.id)}`,
  ],
  [
    'market.vector',
    `update orders set requested = jsonb_build_array(start_minute, 3, end_minute, 0) ${of(amended.id)}`,
    `update orders set requested = null ${of(amended.id)}`,
  ],
  [
    'market.usage',
    `update market_usage set open_orders = open_orders + 1 where account_id = '${buyer.id}'`,
    `update market_usage set open_orders = open_orders - 1 where account_id = '${buyer.id}'`,
  ],
  [
    'market.vector',
    `update orders set filled_cut_sixtieths = filled_cut_sixtieths + 1 ${of(missed.id)}`,
    `update orders set filled_cut_sixtieths = filled_cut_sixtieths - 1 ${of(missed.id)}`,
  ],
  [
    'life.parent',
    `update pools set deleted_at = 1 ${of(buyer.pool)}`,
    `update pools set deleted_at = null ${of(buyer.pool)}`,
  ],
  [
    'money.held-exact money.release-exact market.uncrossed',
    `update orders set price_micros = price_micros + 1800000 ${of(want.id)}`,
    `update orders set price_micros = price_micros - 1800000 ${of(want.id)}`,
  ],
  [
    'events.actor market.price market.version',
    `update orders set seq = seq + 1000 ${of(offer.id)}`,
    `update orders set seq = seq - 1000 ${of(offer.id)}`,
  ],
]

for (const [index, [names, harm, mend]] of corruptions.entries()) {
  test(`corruption ${index + 1} is found as ${names}, and no finding remains after its repair`, async () => {
    const run = (sql: string) => database.asOwner((db) => db.run(statement(null, sql)))
    await run(harm)
    const found = await violated()
    await run(mend)
    assert.deepEqual(found, names.split(' ').sort())
    assert.deepEqual(await violated(), [])
  })
}

test('this test covers all audits, some of them by another name', () => {
  const named = new Set(corruptions.flatMap(([names]) => names.split(' ')))
  const all = new Set(
    [...moneyAudits, ...orderAudits, ...crossedBookAudits, ...orderEventAudits].map(({ name }) => name),
  )
  assert.deepEqual(
    [...all].filter((name) => !named.has(name)),
    [],
  )
  assert.equal(whole.state, 'standing')
})
