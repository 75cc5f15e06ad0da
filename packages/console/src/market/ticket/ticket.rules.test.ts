import assert from 'node:assert/strict'
import type { Budget, CreateOrderBody, Order, OrderEstimate } from '@bourse/sdk'
import { test } from 'vitest'
import { budgetsAfter, restText, worstCaseOf } from './estimate.rules.ts'
import {
  amendmentAsProgram,
  amendmentBody,
  atRunningMinute,
  emptyTicket,
  estimateBody,
  filledTicket,
  localText,
  orderAsProgram,
  orderBody,
  problemsOf,
  refusedFields,
  secondsText,
  type Ticket,
  withTyped,
} from './ticket.rules.ts'

const now = 1_799_999_999
const whole = { ...emptyTicket, sku: 'sku_1', pool: 'pool_1', start: '1800000000', end: '1800007200' }

test('what a ticket misses is filled: the next full hour, and an hour of it', () => {
  const filled = filledTicket(emptyTicket, { now: 1_799_998_000, sku: 'sku_1', pool: undefined })
  assert.deepEqual([filled.sku, filled.pool], ['sku_1', ''])
  assert.equal(Number(filled.start) % 3_600, 0)
  assert.ok(Number(filled.start) > 1_799_998_000)
  assert.equal(Number(filled.end) - Number(filled.start), 3_600)
  assert.deepEqual(filledTicket(whole, { now: 1, sku: 'sku_2', pool: 'pool_2' }), whole)
})

const order = {
  id: 'ordr_1',
  allow_standing: true,
  allow_partial: false,
  limit_price_dollars_per_node_hour: '2.500000',
  total: { start_at: 1_800_000_000, end_at: 1_800_007_200, node_count: 4 },
} as unknown as Order

test('an amendment sends only what is to change', () => {
  const amending = { ...whole, amends: 'ordr_1', nodes: '4', limit: '2.5', standing: '1' }
  const change = (ticket: Partial<Ticket>, at = now) => {
    const body = orderBody({ ...amending, ...ticket }, undefined, at)
    return body && amendmentBody(order, body, at)
  }
  assert.deepEqual(change({}), {})
  assert.deepEqual(change({ nodes: '3', limit: '2.6' }), { node_count: 3, limit_price_dollars_per_node_hour: '2.6' })
  assert.deepEqual(change({ standing: '', partial: '1' }), { allow_standing: false, allow_partial: true })
  const moved = { start: '1800000060', end: '1800003600' }
  assert.deepEqual(change(moved), { start_at: 1_800_000_060, end_at: 1_800_003_600 })
  // Of a window that has begun the running minute is the start as before.
  assert.deepEqual(change({ start: '1800000060' }, 1_800_000_070), {})
  assert.equal(estimateBody(amending, now)?.amends, 'ordr_1')
  assert.equal(estimateBody(whole, now)?.amends, undefined)
})

test('the ticket of an order that has begun moves on with the minute', () => {
  const amending = { ...whole, amends: 'ordr_1' }
  assert.equal(atRunningMinute(amending, order, 1_800_000_130).start, '1800000120')
  assert.equal(atRunningMinute(amending, order, 1_799_999_000).start, whole.start)
  assert.equal(atRunningMinute({ ...amending, start: '1800003600' }, order, 1_800_000_130).start, '1800003600')
  assert.equal(atRunningMinute(whole, undefined, 1_800_000_130).start, whole.start)
})

test('an amendment as a command names the order and what changes', () => {
  const body = { node_count: 3, end_at: 1_800_007_200, allow_standing: false, allow_partial: true }
  const { CLI, SDK } = amendmentAsProgram('ordr_1', body, 'http://h')
  assert.equal(
    CLI,
    'bourse orders amend ordr_1 --node-count 3 --end-at 2027-01-15T10:00Z --no-allow-standing --allow-partial',
  )
  assert.match(SDK ?? '', /^await client\.orders\.amend\("ordr_1", \{/)
})

test('a typed start keeps the length of the window, and a typed length its start', () => {
  const skuOf = (alias: string) => `id of ${alias}`
  const moved = withTyped(whole, { start: 1_800_010_000 - 40, sku: 'a' }, skuOf)
  assert.deepEqual([moved.start, moved.end, moved.sku], ['1800009960', '1800017160', 'id of a'])
  const longer = withTyped(whole, { length: 600, standing: true, limit: '2' }, skuOf)
  assert.deepEqual([longer.start, longer.end, longer.standing, longer.limit], ['1800000000', '1800000600', '1', '2'])
  assert.deepEqual(withTyped(whole, {}, skuOf), whole)
})

test('each field says what is wrong with it', () => {
  assert.deepEqual(problemsOf(whole, now), {})
  assert.deepEqual(Object.keys(problemsOf(emptyTicket, now)), ['sku', 'pool', 'start', 'end'])
  for (const nodes of ['0', '', '1.5', '10001', '-1', 'many'])
    assert.ok(problemsOf({ ...whole, nodes }, now).nodes, nodes)
  for (const limit of ['2,5', '1.1234567', '-1', '$2', 'x'])
    assert.ok(problemsOf({ ...whole, limit }, now).limit, limit)
  assert.ok(problemsOf({ ...whole, end: whole.start }, now).end)
  assert.ok(problemsOf({ ...whole, start: '1800000001' }, now).start)
  assert.match(problemsOf(whole, 1_800_000_060).start ?? '', /passed/)
  assert.deepEqual(problemsOf(whole, 1_800_000_059), {})
  assert.match(problemsOf({ ...whole, standing: '1' }, now).limit ?? '', /needs a limit/)
})

test('an order has the limit of the ticket, else that of the estimate', () => {
  assert.equal(estimateBody({ ...whole, nodes: '0' }, now), undefined)
  assert.equal(estimateBody({ ...whole, pool: '' }, now)?.pool, undefined)
  const estimate = { post_order_body: { limit_price_dollars_per_node_hour: '3.000000' } } as OrderEstimate
  assert.equal(orderBody(whole, undefined, now), undefined)
  assert.equal(orderBody(whole, estimate, now)?.limit_price_dollars_per_node_hour, '3.000000')
  assert.equal(orderBody({ ...whole, limit: '2.5' }, estimate, now)?.limit_price_dollars_per_node_hour, '2.5')
  assert.equal(orderBody({ ...whole, pool: '' }, estimate, now), undefined)
})

test('the same order as a command names everything', () => {
  const body = orderBody({ ...whole, side: 'sell', limit: '2.5', standing: '1' }, undefined, now)
  assert.ok(body)
  const { CLI, SDK } = orderAsProgram(body, 'http://h')
  assert.equal(
    CLI,
    'bourse orders create --side sell --sku sku_1 --pool pool_1 --nodes 1 --from 2027-01-15T08:00Z' +
      ' --until 2027-01-15T10:00Z --limit-price 2.5 --allow-standing',
  )
  assert.match(SDK ?? '', /^await client\.orders\.create\(\{\n {2}pool: "pool_1"/)
})

test('a refusal is shown at its field, by the field or else by the code', () => {
  const message = 'No.'
  assert.deepEqual(refusedFields([{ code: 'payment_required', message }]), { limit: message })
  assert.deepEqual(refusedFields([{ code: 'in_the_past', message, field: 'allocation_schedule_delta.0.start_at' }]), {
    start: message,
  })
  assert.deepEqual(refusedFields([{ code: 'not_aligned', message, field: 'duration_seconds' }]), { end: message })
  assert.deepEqual(refusedFields([{ code: 'unheard_of', message }]), {})
})

test('a local date and time becomes the same one', () => {
  assert.equal(secondsText(localText('1800000060')), '1800000060')
  assert.deepEqual([localText('x'), localText('1800000001'), secondsText(''), secondsText('x')], ['', '', '', ''])
})

test('budgets of the account and of the workspace are shown as a buy leaves them, the tightest first', () => {
  const budget = { name: null, period: 'day', spent_dollars: '1.000000', held_dollars: '2.000000', hard_stop: true }
  const budgets = [
    { ...budget, workspace: null, amount_dollars: '100.000000' },
    { ...budget, workspace: 'wksp_1', amount_dollars: '10.000000', name: 'lab' },
    { ...budget, workspace: 'wksp_2', amount_dollars: '1.000000' },
  ] as Budget[]
  const estimate = {
    post_order_body: { side: 'buy' },
    available_dollars: '50.000000',
    available_after_dollars: '41.000000',
    worst_case_dollars: '9.500000',
  } as OrderEstimate
  assert.deepEqual(budgetsAfter(budgets, estimate, 'wksp_1'), [
    { name: 'lab', hard_stop: true, left_dollars: '-2.000000', isExceeded: true },
    { name: 'day budget', hard_stop: true, left_dollars: '88.000000', isExceeded: false },
  ])
  const hidden = { ...estimate, available_dollars: null, available_after_dollars: null }
  assert.equal(budgetsAfter(budgets, hidden, undefined)[0]?.left_dollars, '87.500000')
  assert.deepEqual(budgetsAfter(budgets, { ...estimate, post_order_body: { side: 'sell' } } as OrderEstimate, ''), [])
})

test('what does not trade at once rests, or is cancelled', () => {
  const estimate = { node_minutes: 120, traded_node_minutes: 30 } as OrderEstimate
  assert.match(restText({ ...estimate, traded_node_minutes: 120 }), /^Nothing/)
  assert.match(restText(estimate), /^1\.5 node-hours would not be traded/)
  const standing = { allow_standing: true } as OrderEstimate['post_order_body']
  assert.match(restText({ ...estimate, ...(standing ? { post_order_body: standing } : {}) }), /would rest/)
})

test('without an estimate the worst case is the limit for all nodes and hours, rounded up', () => {
  const window = { start_at: 6_000, end_at: 6_000 + 100 * 60, node_count: 3 }
  const body: CreateOrderBody = {
    side: 'buy',
    sku: 'sku_any',
    pool: 'pool_any',
    limit_price_dollars_per_node_hour: '2.5',
    allocation_schedule_delta: [window],
  }
  assert.equal(worstCaseOf(body), '12.500000')
  assert.equal(worstCaseOf({ ...body, limit_price_dollars_per_node_hour: '0.000001' }), '0.000005')
  assert.equal(worstCaseOf({ ...body, side: 'sell' }), undefined)
})
