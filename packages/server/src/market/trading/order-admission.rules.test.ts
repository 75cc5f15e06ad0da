import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  horizonSeconds,
  type OrderParams,
  type ReadOrder,
  readOrder,
  refuseCapacity,
  refuseLimits,
  refusePoolKind,
  refuseTerms,
  refuseTimes,
} from './order-admission.rules.ts'

const params: OrderParams = {
  side: 'buy',
  window: { start_at: 600, end_at: 4_200, node_count: 3 },
  limit_price_dollars_per_node_hour: '2.50',
}
const order: ReadOrder = {
  side: 'buy',
  start_minute: 10,
  end_minute: 70,
  node_count: 3,
  price_micros: 2_500_000n,
  value_micros: 7_500_000n,
}

test('an order is read in minutes and micro-dollars', () => {
  assert.deepEqual(readOrder(params), { order })
  assert.deepEqual(readOrder({ ...params, side: 'sell' }), { order: { ...order, side: 'sell' } })
})

test('an order with an empty window, a wrong price or too much value is refused', () => {
  const refused = (changes: Partial<OrderParams>) => {
    const read = readOrder({ ...params, ...changes })
    return 'refusal' in read ? [read.refusal.code, read.refusal.field] : undefined
  }
  const end = 'allocation_schedule_delta.0.end_at'
  assert.deepEqual(refused({ window: { ...params.window, end_at: 600 } }), ['invalid_range', end])
  assert.deepEqual(refused({ window: { ...params.window, end_at: 599 } }), ['invalid_range', end])
  const price = 'limit_price_dollars_per_node_hour'
  assert.deepEqual(refused({ limit_price_dollars_per_node_hour: '2000000' }), ['out_of_range', price])
  const large = { start_at: 600, end_at: 600 + horizonSeconds, node_count: 1_000_000 }
  assert.deepEqual(refused({ window: large, limit_price_dollars_per_node_hour: '1000' }), ['out_of_range', price])
})

test('a window begins in the running minute or later, and ends within three years', () => {
  assert.equal(horizonSeconds, 94_608_000)
  const now = 10 * 60 + 59
  const last = (horizonSeconds + 10 * 60) / 60
  assert.equal(refuseTimes({ start_minute: 10, end_minute: last }, now), undefined)
  const past = refuseTimes({ start_minute: 9, end_minute: last }, now)
  assert.deepEqual([past?.code, past?.field], ['in_the_past', 'allocation_schedule_delta.0.start_at'])
  const beyond = refuseTimes({ start_minute: 10, end_minute: last }, 10 * 60 - 1)
  assert.deepEqual([beyond?.code, beyond?.field], ['beyond_horizon', 'allocation_schedule_delta.0.end_at'])
  assert.equal(refuseTimes({ start_minute: 10, end_minute: last }, 10 * 60), undefined)
  const fields = { start: 'start_at', end: 'end_at' }
  assert.equal(refuseTimes({ start_minute: 9, end_minute: last }, now, fields)?.field, 'start_at')
  assert.equal(refuseTimes({ start_minute: 10, end_minute: last }, 10 * 60 - 1, fields)?.field, 'end_at')
})

test('a price has the step of its SKU, and is judged before the window', () => {
  const terms = (price_step_micros: bigint, now = 0) => refuseTerms(order, { row: { price_step_micros }, now })?.code
  assert.equal(terms(500_000n), undefined)
  assert.ok(![undefined, 'in_the_past'].includes(terms(1_000_000n, 3_600)))
  assert.equal(terms(500_000n, 3_600), 'in_the_past')
})

test('a pool trades the sides of its kind', () => {
  assert.equal(refusePoolKind('market', 'buy'), undefined)
  assert.equal(refusePoolKind('originating', 'sell'), undefined)
  const refusal = refusePoolKind('originating', 'buy')
  assert.deepEqual([refusal?.code, refusal?.field], ['pool_kind_not_allowed', 'pool'])
  assert.equal(refusePoolKind('read_only', 'sell')?.code, 'pool_kind_not_allowed')
})

test('a sell needs as many free nodes in each minute, and a refusal says how many there are', () => {
  const free = (owned: readonly number[], promised: readonly number[] = []) => {
    const refusal = refuseCapacity(order, { owned, promised })
    if (!refusal) return undefined
    assert.deepEqual([refusal.code, refusal.field], ['insufficient_allocation', 'allocation_schedule_delta'])
    return Number(/only (-?\d+) nodes/.exec(refusal.message)?.[1])
  }
  assert.equal(free([10, 3, 70, 0]), undefined)
  assert.equal(free([0, 3]), undefined)
  assert.equal(free([0, 5], [20, 2, 30, 0]), undefined)
  assert.equal(free([10, 2, 70, 0]), 2)
  assert.equal(free([11, 3, 70, 0]), 0)
  assert.equal(free([10, 3, 69, 0]), 0)
  assert.equal(free([0, 5], [20, 4, 30, 0]), 1)
  assert.equal(free([0, 2], [20, 3, 30, 0]), 0)
  // What is outside of the window does not count.
  assert.equal(free([0, 1, 10, 2, 70, 1, 80, 0]), 2)
})

test('an order that exceeds a limit of its account is refused, one that reaches it is not', () => {
  const used = { open_orders: 4, reserved_node_minutes: 120 }
  const refusal = (limits: Parameters<typeof refuseLimits>[2], changes: Partial<ReadOrder> = {}, more = used) =>
    refuseLimits({ ...order, ...changes }, more, limits)?.message
  const none = { open_orders: null, reserved_node_hours: null }
  assert.equal(refusal(none), undefined)
  assert.equal(refusal({ ...none, open_orders: 5 }), undefined)
  assert.equal(refusal({ ...none, open_orders: 4 }), 'The limit open_orders allows 4.')
  assert.equal(refusal({ ...none, reserved_node_hours: 5 }), undefined)
  assert.equal(refusal({ ...none, reserved_node_hours: 4 }), 'The limit reserved_node_hours allows 4.')
  assert.equal(refusal({ ...none, reserved_node_hours: 4 }, { side: 'sell' }), undefined)
  const begun = { ...used, reserved_node_minutes: 121 }
  assert.equal(refusal({ ...none, reserved_node_hours: 5 }, {}, begun), 'The limit reserved_node_hours allows 5.')
  assert.equal(refuseLimits(order, used, { ...none, open_orders: 4 })?.code, 'limit_exceeded')
  assert.equal(refuseLimits(order, used, { ...none, reserved_node_hours: 4 })?.code, 'limit_exceeded')
})
