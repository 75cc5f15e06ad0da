import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { add, at, clip, empty, min, rectangle, type Schedule, subtract, sum } from '../schedule/schedule.rules.ts'
import { type CoverageGoal, type CoverageView, extensionStep, type OwnOrder, planCoverage } from './coverage.rules.ts'

const minuteNow = 100
const buyMicros = 30_000n
const sellMicros = 40_000n

const plain: CoverageGoal = {
  target: 2,
  window_minutes: 60,
  step_minutes: 15,
  max_buy_hourly_micros: buyMicros,
  min_sell_hourly_micros: sellMicros,
  replaces_offered: true,
}

function viewOf(fields: Partial<CoverageView> = {}, goal: Partial<CoverageGoal> = {}): CoverageView {
  const none = { minute: minuteNow, owned: empty, other_buys: empty, other_sells: empty, orders: [] }
  return { ...none, ...fields, goal: { ...plain, ...goal } }
}

function order(side: 'buy' | 'sell', remaining: Schedule, id = 'a'): OwnOrder {
  return { id: `ordr_${id}`, side, price_micros: side === 'buy' ? buyMicros : sellMicros, remaining }
}

const buy = (start_minute: number, end_minute: number, node_count: number) => {
  return { side: 'buy', price_micros: buyMicros, start_minute, end_minute, node_count }
}
const sell = (start_minute: number, end_minute: number, node_count: number) => {
  return { side: 'sell', price_micros: sellMicros, start_minute, end_minute, node_count }
}

describe('planCoverage', () => {
  const cases: [string, CoverageView, { cancels?: string[]; places?: unknown[]; next_minute?: number | null }][] = [
    ['an empty pool is bought full for the whole window', viewOf(), { places: [buy(101, 161, 2)], next_minute: 115 }],
    [
      'what is missing is bought range by range',
      viewOf({ owned: sum([rectangle(0, 120, 1), rectangle(130, 140, 3)]) }),
      { places: [buy(101, 120, 1), buy(120, 130, 2), sell(130, 140, 1), buy(140, 161, 2)] },
    ],
    ['without a price to buy nothing is bought', viewOf({}, { max_buy_hourly_micros: null }), { next_minute: null }],
    [
      'without a price to sell the surplus stays',
      viewOf({ owned: rectangle(0, 500, 5) }, { min_sell_hourly_micros: null }),
      { next_minute: 454 },
    ],
    [
      'open buys of others count as bought, and are not sold on',
      viewOf({ other_buys: rectangle(90, 200, 5) }),
      { next_minute: 154 },
    ],
    [
      'what others have promised has to be bought again, and is not sold twice',
      viewOf({ owned: rectangle(0, 161, 3), other_sells: sum([rectangle(110, 120, 3), rectangle(120, 130, 1)]) }),
      { places: [sell(101, 110, 1), buy(110, 120, 2), sell(130, 161, 1)] },
    ],
    [
      'where offers count only once they are sold, what others offer is not bought again',
      viewOf(
        { owned: rectangle(0, 161, 3), other_sells: rectangle(110, 130, 3) },
        { min_sell_hourly_micros: null, replaces_offered: false },
      ),
      { places: [] },
    ],
    [
      'and what they have sold is',
      viewOf(
        { owned: sum([rectangle(0, 110, 3), rectangle(110, 130, 1), rectangle(130, 161, 3)]) },
        { min_sell_hourly_micros: null, replaces_offered: false },
      ),
      { places: [buy(110, 130, 1)] },
    ],
    ['an order that fits stays', viewOf({ orders: [order('buy', [100, 2, 161, 0])] }), { next_minute: 115 }],
    [
      'a partly filled order fits what is left',
      viewOf({ owned: rectangle(110, 120, 2), orders: [order('buy', [101, 2, 110, 0, 120, 2, 161, 0])] }),
      { next_minute: 115 },
    ],
    [
      'a raised target cancels the order that is too small and takes its minutes again, also near the end',
      viewOf({ owned: rectangle(0, 150, 2), orders: [order('buy', [150, 1, 155, 0])] }),
      { cancels: ['ordr_a'], places: [buy(150, 155, 2)] },
    ],
    [
      'orders at another price, on the wrong side and past the window go',
      viewOf({
        owned: rectangle(0, 161, 2),
        orders: [{ ...order('buy', [101, 2, 102, 0]), price_micros: 1n }, order('sell', [150, 1, 170, 0], 'b')],
      }),
      { cancels: ['ordr_a', 'ordr_b'] },
    ],
    [
      'an order at a price that is no longer paid goes, even if only the running minute is left of it',
      viewOf({ owned: rectangle(0, 161, 2), orders: [{ ...order('buy', [100, 2, 101, 0]), price_micros: 31_000n }] }),
      { cancels: ['ordr_a'] },
    ],
    [
      'of two orders for one minute the older stays',
      viewOf({ orders: [order('buy', [101, 2, 161, 0]), order('buy', [120, 2, 121, 0], 'b')] }),
      { cancels: ['ordr_b'] },
    ],
    [
      'the far end waits until it is a step long',
      viewOf({ minute: 114, orders: [order('buy', [114, 2, 161, 0])] }),
      { next_minute: 115 },
    ],
    [
      'and is extended then',
      viewOf({ minute: 115, orders: [order('buy', [115, 2, 161, 0])] }),
      { places: [buy(161, 176, 2)], next_minute: 130 },
    ],
    [
      'a gap that the window has gone past is closed at once',
      viewOf({ minute: 104, owned: sum([rectangle(0, 161, 2), rectangle(164, 900, 2)]) }),
      { places: [buy(161, 164, 2)] },
    ],
    [
      'and before that the next look is when it has',
      viewOf({ minute: 103, owned: sum([rectangle(0, 161, 2), rectangle(164, 900, 2)]) }),
      { next_minute: 104 },
    ],
    ['covered for ever there is no next look', viewOf({ owned: [0, 2] }), { next_minute: null }],
    [
      'a window of one minute is extended by one',
      viewOf({}, { window_minutes: 1, step_minutes: 1 }),
      { places: [buy(101, 102, 2)], next_minute: 101 },
    ],
  ]
  for (const [what, view, wanted] of cases) {
    test(what, () => {
      const plan = planCoverage(view)
      assert.deepEqual(plan.cancels, wanted.cancels ?? [])
      assert.deepEqual(plan.places, wanted.places ?? [])
      if (wanted.next_minute !== undefined) assert.equal(plan.next_minute, wanted.next_minute)
    })
  }

  test('the far end moves in steps of a quarter of the window, of one to fifteen minutes', () => {
    const steps = [1, 3, 4, 7, 8, 59, 60, 61, 129_600].map(extensionStep)
    assert.deepEqual(steps, [1, 1, 1, 1, 2, 14, 15, 15, 15])
  })
})

/** The state of a pool minute by minute, for the laws. */
const windowMax = 40
const anyMinute = fc.integer({ min: minuteNow - 5, max: minuteNow + windowMax + 20 })
const anyRectangle = fc
  .tuple(anyMinute, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4 }))
  .map(([from, minutes, count]) => rectangle(from, from + minutes, count))
const anySchedule = fc.array(anyRectangle, { maxLength: 4 }).map(sum)
const anyPrice = (price: bigint) => fc.option(fc.constant(price), { nil: null, freq: 4 })

const anyGoal: fc.Arbitrary<CoverageGoal> = fc
  .tuple(
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 1, max: windowMax }),
    anyPrice(buyMicros),
    anyPrice(sellMicros),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([target, window_minutes, max_buy_hourly_micros, min_sell_hourly_micros, isLong, replaces_offered]) => {
    const step_minutes = isLong ? Math.min(15, window_minutes) : extensionStep(window_minutes)
    return { target, window_minutes, step_minutes, max_buy_hourly_micros, min_sell_hourly_micros, replaces_offered }
  })

/** A possible view: promised nodes are owned, including those of the automation's own sells. */
const anyView: fc.Arbitrary<CoverageView> = fc
  .record({
    goal: anyGoal,
    owned: anySchedule,
    other_buys: anySchedule,
    offered: anySchedule,
    orders: fc.array(fc.tuple(fc.constantFrom('buy', 'sell'), anyRectangle, fc.constantFrom(buyMicros, sellMicros)), {
      maxLength: 4,
    }),
  })
  .map(({ goal, owned, other_buys, offered, orders }) => {
    const other_sells = min(offered, owned)
    let free = subtract(owned, other_sells)
    const own = orders.map(([side, requested, price_micros], index): OwnOrder => {
      const remaining = side === 'buy' ? requested : min(requested, free)
      if (side === 'sell') free = subtract(free, remaining)
      return { id: `ordr_${index}`, side: side as 'buy' | 'sell', price_micros, remaining }
    })
    const open = own.filter(({ remaining }) => remaining.length > 0)
    return { minute: minuteNow, goal, owned, other_buys, other_sells, orders: open }
  })

/** The view after a plan was applied: its orders rest. */
function carriedOut(view: CoverageView): CoverageView {
  const { cancels, places } = planCoverage(view)
  const kept = view.orders.filter(({ id }) => !cancels.includes(id))
  const placed = places.map(({ side, price_micros, start_minute, end_minute, node_count }, index): OwnOrder => {
    const id: Id<'order'> = `ordr_new${view.minute}x${index}`
    return { id, side, price_micros, remaining: rectangle(start_minute, end_minute, node_count) }
  })
  return { ...view, orders: [...kept, ...placed] }
}

/** The view after others filled a part of each open order. */
function filled(view: CoverageView, part: Schedule): CoverageView {
  let { owned } = view
  const orders = view.orders.map((open) => {
    const sold = min(clip(open.remaining, view.minute), part)
    owned = open.side === 'buy' ? add(owned, sold) : subtract(owned, sold)
    return { ...open, remaining: subtract(open.remaining, sold) }
  })
  return { ...view, owned, orders: orders.filter(({ remaining }) => remaining.length > 0) }
}

function later(view: CoverageView, minute: number): CoverageView {
  const orders = view.orders.map((open) => ({ ...open, remaining: clip(open.remaining, minute) }))
  return { ...view, minute, orders: orders.filter(({ remaining }) => remaining.length > 0) }
}

const whole = rectangle(0, 10_000, 1_000)
const windowOf = ({ minute, goal }: CoverageView) => {
  return Array.from({ length: goal.window_minutes }, (_, index) => minute + 1 + index)
}
const nothing = { cancels: [], places: [] }
const requestsOf = (view: CoverageView) => {
  const { cancels, places } = planCoverage(view)
  return { cancels, places }
}
const law = <T>(name: string, arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) =>
  test(name, () => fc.assert(fc.property(arbitrary, holds), { numRuns: sized(3_000) }))

describe('planCoverage keeps its laws', () => {
  law(
    'filled in full, each minute of the window has the target, but for a far end shorter than a step',
    anyView,
    (view) => {
      const after = filled(carriedOut(view), whole)
      const { target, step_minutes, max_buy_hourly_micros, min_sell_hourly_micros, replaces_offered } = view.goal
      const off = windowOf(view).filter((minute) => {
        const free = at(after.owned, minute) - at(view.other_sells, minute)
        const there = replaces_offered ? free : at(after.owned, minute)
        const isShort = max_buy_hourly_micros !== null && there + at(view.other_buys, minute) < target
        const isOver = min_sell_hourly_micros !== null && free > target
        return isShort || isOver
      })
      const end = view.minute + 1 + view.goal.window_minutes
      assert.ok(off.length < step_minutes, `${off.length} minutes wait`)
      assert.deepEqual(
        off,
        off.map((_, index) => end - off.length + index),
      )
      for (const minute of windowOf(view)) {
        const before = at(view.owned, minute) - at(view.other_sells, minute)
        const free = at(after.owned, minute) - at(view.other_sells, minute)
        if (before <= target) assert.ok(free <= target, 'bought past the target')
        else assert.ok(free >= target, 'sold below the target')
      }
    },
  )

  law(
    'planning again wants nothing, whatever part of the orders was filled',
    fc.tuple(anyView, anySchedule),
    ([view, part]) => {
      const resting = carriedOut(view)
      assert.deepEqual(requestsOf(resting), nothing)
      assert.deepEqual(requestsOf(filled(resting, part)), nothing)
      assert.deepEqual(requestsOf(filled(resting, whole)), nothing)
    },
  )

  law('no minute has two open orders, and no order is empty or outside the window', anyView, (view) => {
    const { orders } = carriedOut(view)
    for (const minute of [view.minute, ...windowOf(view)]) {
      assert.ok(orders.filter(({ remaining }) => at(remaining, minute) > 0).length <= 1)
    }
    for (const { start_minute, end_minute, node_count } of planCoverage(view).places) {
      assert.ok(start_minute > view.minute && start_minute < end_minute && node_count > 0)
      assert.ok(end_minute <= view.minute + 1 + view.goal.window_minutes)
    }
  })

  law('there are never more orders than ranges of equal count', anyView, (view) => {
    const { places } = planCoverage(view)
    for (const [index, place] of places.entries()) {
      const next = places[index + 1]
      const isSame = next && next.side === place.side && next.node_count === place.node_count
      assert.ok(!isSame || next.start_minute > place.end_minute, 'two neighbours could be one')
    }
  })

  law('what is offered is free', anyView, (view) => {
    const offered = carriedOut(view).orders.filter(({ side }) => side === 'sell')
    for (const minute of windowOf(view)) {
      const promised = sum(offered.map(({ remaining }) => remaining))
      assert.ok(at(promised, minute) <= Math.max(0, at(view.owned, minute) - at(view.other_sells, minute)))
    }
  })

  law('time alone makes nothing due before the next minute that is named, and something then', anyView, (view) => {
    const resting = carriedOut(view)
    const { next_minute } = planCoverage(resting)
    const until = next_minute ?? minuteNow + 200
    for (let minute = minuteNow + 1; minute < until; minute++)
      assert.deepEqual(requestsOf(later(resting, minute)), nothing)
    if (next_minute === null) return
    assert.ok(next_minute > minuteNow)
    assert.ok(planCoverage(later(resting, next_minute)).places.length > 0)
  })
})
