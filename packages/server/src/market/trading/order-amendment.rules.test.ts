import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { rectangle } from '../schedule/schedule.rules.ts'
import type { ReadOrder } from './order-admission.rules.ts'
import { type AmendedOrder, type AmendmentRequest, amendmentOf, amendmentRefusal } from './order-amendment.rules.ts'

const open: AmendedOrder = {
  price_micros: 2_000_000n,
  seq: 7,
  allow_partial: true,
  filled_before: [],
  record: { filled: rectangle(10, 70, 1), remaining: rectangle(10, 70, 3) },
}
const order: ReadOrder = {
  side: 'buy',
  start_minute: 10,
  end_minute: 70,
  node_count: 4,
  price_micros: 2_000_000n,
  value_micros: 8_000_000n,
}
const minute = (number: number) => number * 60

function amended(
  changes: Partial<ReadOrder>,
  {
    before = {},
    now = minute(5),
    ...flags
  }: { before?: Partial<AmendedOrder>; now?: number } & Partial<AmendmentRequest> = {},
) {
  const request = { order: { ...order, ...changes }, keeps_start: true, allow_standing: true, allow_partial: true }
  return amendmentOf({ ...open, ...before }, { ...request, ...flags }, now)
}

function made(...args: Parameters<typeof amended>) {
  const amendment = amended(...args)
  assert.ok(!('refusal' in amendment))
  return amendment
}

describe('what is asked for', () => {
  test('the total less what is filled, and its money', () => {
    const { requested, is_whole, filled_before, order: entering } = made({ node_count: 6 })
    assert.deepEqual(requested, [10, 5, 70, 0])
    assert.equal(is_whole, false)
    assert.deepEqual(filled_before, [10, 1, 70, 0])
    assert.equal(entering.value_micros, 10_000_000n)
  })

  test('what the orders before had filled counts too, also where a smaller total hid it', () => {
    const before = { filled_before: rectangle(10, 40, 4), record: { filled: [], remaining: rectangle(40, 70, 2) } }
    assert.deepEqual(made({ node_count: 5 }, { before }).requested, [10, 1, 40, 5, 70, 0])
    assert.deepEqual(made({ node_count: 2 }, { before }).requested, [40, 2, 70, 0])
  })

  test('nothing filled inside of the new window leaves all of it', () => {
    const { requested, is_whole } = made({ start_minute: 100, end_minute: 130 })
    assert.deepEqual([requested, is_whole], [[100, 4, 130, 0], true])
  })

  test('of a window that has begun only the minutes from the running one on', () => {
    assert.deepEqual(made({}, { now: minute(20) + 59 }).requested, [20, 3, 70, 0])
    // A start that the caller has chosen stays, and is refused later where it has passed.
    assert.equal(made({}, { now: minute(20), keeps_start: false }).order.start_minute, 10)
  })

  test('a total that is filled, and a window that has passed, are refused', () => {
    const code = (amendment: ReturnType<typeof amended>) =>
      'refusal' in amendment ? [amendment.refusal.code, amendment.refusal.field] : undefined
    assert.deepEqual(code(amended({ node_count: 1 })), ['already_filled', 'node_count'])
    assert.deepEqual(code(amended({ end_minute: 20 }, { now: minute(20) })), ['in_the_past', 'end_at'])
    assert.equal(code(amended({ end_minute: 21 }, { now: minute(20) })), undefined)
  })
})

describe('the place in the queue', () => {
  const place = (...args: Parameters<typeof amended>) => made(...args).priority_seq

  test('is kept where no minute asks for more at the same price', () => {
    assert.equal(place({}), 7)
    assert.equal(place({ node_count: 2 }), 7)
    assert.equal(place({ start_minute: 20, end_minute: 60 }), 7)
    assert.equal(place({ node_count: 2 }, { allow_partial: false, before: { allow_partial: false } }), 7)
  })

  test('is lost with more nodes, more time, another price or another rule', () => {
    assert.equal(place({ node_count: 5 }), null)
    assert.equal(place({ end_minute: 71, node_count: 2 }), null)
    assert.equal(place({ node_count: 2, price_micros: 2_000_001n }), null)
    assert.equal(place({ node_count: 2, price_micros: 1_999_999n }), null)
    assert.equal(place({ node_count: 2 }, { allow_partial: false }), null)
    assert.equal(place({ node_count: 2 }, { allow_standing: false }), null)
  })
})

test('a refusal has the names of the fields of an amendment', () => {
  const fieldOf = (field?: string | null) =>
    amendmentRefusal({ code: 'in_the_past', message: '', ...(field === undefined ? {} : { field }) }).field
  assert.deepEqual(
    ['allocation_schedule_delta.0.start_at', 'allocation_schedule_delta.0.end_at', 'pool', null, undefined].map(
      fieldOf,
    ),
    ['start_at', 'end_at', 'pool', null, undefined],
  )
  assert.equal(fieldOf('allocation_schedule_delta'), 'node_count')
})
