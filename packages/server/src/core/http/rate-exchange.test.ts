import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { createRateExchange, type Draw, type Untold } from './rate-exchange.ts'
import { createRateLimits, type RateLimits, type RateRequest } from './rate-limits.ts'

const caller = { token_id: 'tokn_a', account_id: 'acme' }
const classes: [RateRequest['rate'], number, number][] = [
  ['read', 200, 50],
  ['write', 50, 10],
  ['events', 60, 10],
]
/** The longest time in which a message reaches another worker: the parent passes several on at once. */
const transitMilliseconds = 15
/** By then everybody has heard of everything. */
const settledMilliseconds = 250

/** Timers that fire as the clock is moved. */
function createTimers() {
  const due: { at: number; work: () => unknown }[] = []
  const clock = { milliseconds: 1_000 }
  return {
    now: () => clock.milliseconds,
    later: (milliseconds: number, work: () => unknown) => {
      const at = clock.milliseconds + milliseconds
      due.splice(due.findLastIndex((timer) => timer.at <= at) + 1, 0, { at, work })
    },
    advance: (milliseconds: number) => {
      const end = clock.milliseconds + milliseconds
      for (let next = due[0]; next !== undefined && next.at <= end; next = due[0]) {
        due.shift()
        clock.milliseconds = next.at
        next.work()
      }
      clock.milliseconds = end
    },
  }
}

/** The workers of a replica, whose clocks differ. A message takes one of the transits after the other. */
function openReplica(workers: number, { transits = [0.5], multiplier = 1 } = {}) {
  const { now, later, advance } = createTimers()
  const applies: ((draws: readonly Draw[]) => void)[] = []
  const told: (readonly Draw[])[] = []
  const all = Array.from({ length: workers }, (_, number): RateLimits => {
    const tell = (draws: readonly Draw[], sent: () => void) => {
      told.push(draws)
      const wait = () => transits[told.length % transits.length] as number
      for (const [other, apply] of applies.entries()) if (other !== number) later(wait(), () => apply(draws))
      later(wait(), sent)
    }
    const hear = (apply: (draws: readonly Draw[]) => void) => void applies.push(apply)
    const siblings = { workers, tell, hear }
    return createRateLimits({ multiplier, replicas: 1, now: () => now() + number * 1e6, later, siblings })
  })
  return { at: (number: number) => all[number % workers] as RateLimits, now, advance, told, applies }
}

/** The most moments within ten seconds. */
function mostInTenSeconds(moments: readonly number[]): number {
  let first = 0
  let most = 0
  for (const [last, moment] of moments.entries()) {
    while (moment - (moments[first] as number) > 10_000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

const transits = fc.array(fc.double({ min: 0, max: transitMilliseconds, noNaN: true }), { minLength: 1, maxLength: 7 })

for (const [rate, burst, perSecond] of classes) {
  test(`${rate}: 1,000 requests a second at all workers get the whole rate, at most 110 % in any 10 s`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2, 3, 8, 8, 64),
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.nat(63), { minLength: 1, maxLength: 40 }),
        transits,
        (workers, gap, order, transits) => {
          const { at, now, advance } = openReplica(workers, { transits })
          const allowed: number[] = []
          for (let sent = 0; sent * gap < 15_000; sent++) {
            advance(gap)
            if (at(order[sent % order.length] as number).take({ ...caller, rate }).allowed) allowed.push(now())
          }
          assert.ok(mostInTenSeconds(allowed) <= 1.1 * (burst + perSecond * 10), `${mostInTenSeconds(allowed)}`)
          assert.ok(allowed.length >= 0.95 * Math.min(15_000 / gap, burst + perSecond * 15), `${allowed.length}`)
        },
      ),
      { numRuns: sized(30) },
    )
  })
}

test('requests that reach all workers at once get a burst of each, and what is beyond the limit is owed', () => {
  const step = fc.record({
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
    worker: fc.nat(7),
    times: fc.integer({ min: 1, max: 60 }),
  })
  const property = fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 2, max: 8 }), (steps, workers) => {
    const { at, now, advance } = openReplica(workers)
    const allowed: number[] = []
    for (const { wait, worker, times } of steps) {
      advance(wait)
      for (let sent = 0; sent < times; sent++)
        if (at(worker).take({ ...caller, rate: 'write' }).allowed) allowed.push(now())
    }
    // In an exchange at most two requests flow into each bucket.
    assert.ok(mostInTenSeconds(allowed) <= workers * (50 + 2) + 100)
  })
  fc.assert(property, { numRuns: sized(200) })
  const { at, advance } = openReplica(8)
  const takeAll = (number: number) => {
    let passed = 0
    while (at(number).take({ ...caller, rate: 'write' }).allowed) passed++
    return passed
  }
  assert.equal(
    [0, 1, 2, 3, 4, 5, 6, 7].reduce((all, number) => all + takeAll(number), 0),
    400,
  )
  // 35 s are owed, of which 10 count.
  advance(9_900)
  const [refused] = [at(3).take({ ...caller, rate: 'write' })]
  assert.deepEqual([refused?.allowed, refused?.remaining], [false, 0])
  advance(5_000)
  assert.ok(at(3).take({ ...caller, rate: 'write' }).allowed)
})

test('one connection gets the whole limit, and the other workers hear of it', () => {
  const { at, advance, told } = openReplica(8)
  const passed = Array.from({ length: 60 }, () => at(0).take({ ...caller, rate: 'write' })).filter((v) => v.allowed)
  assert.equal(passed.length, 50)
  assert.equal(passed[0]?.policy, '"write";q=50;w=5')
  advance(20)
  for (let other = 1; other < 8; other++) assert.equal(at(other).peek({ ...caller, rate: 'write' }).remaining, 0)
  advance(2_000)
  assert.equal(at(0).peek({ ...caller, rate: 'write' }).remaining, 20)
  assert.equal(told.length, 1)
  for (let polls = 0; polls < 40; polls++) {
    at(0).take({ ...caller, rate: 'events' })
    at(0).refundHalf(caller)
  }
  advance(200)
  const { remaining } = at(7).peek({ ...caller, rate: 'events' })
  assert.ok(remaining >= 40 && remaining <= 42, `${remaining}`)
})

test('a moment after the last request all workers see the same room, with refunds, units and delays', () => {
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 300 }),
    worker: fc.nat(7),
    what: fc.constantFrom('read', 'events', 'open'),
  })
  const property = fc.property(
    fc.array(step, { maxLength: 200 }),
    fc.integer({ min: 2, max: 8 }),
    transits,
    (steps, workers, transits) => {
      const { at, advance } = openReplica(workers, { transits })
      for (const { wait, worker, what } of steps) {
        advance(wait)
        const limits = at(worker)
        if (what === 'read') limits.take({ ...caller, rate: 'read' })
        else if (what === 'open') limits.chargeResponse('192.0.2.1', 40 * 16_384)
        else if (limits.take({ ...caller, rate: 'events' }).allowed) limits.refundHalf(caller)
      }
      advance(settledMilliseconds)
      const views = Array.from({ length: workers }, (_, number) => [
        at(number).peek({ ...caller, rate: 'read' }).remaining,
        at(number).peek({ ...caller, rate: 'events' }).remaining,
        at(number).peekOpen('192.0.2.1').remaining,
      ])
      for (const [kind, perSecond] of [50, 10, 100].entries()) {
        const seen = views.map((view) => view[kind] as number)
        // What flows in during an exchange.
        const apart = Math.ceil((perSecond * (100 + transitMilliseconds)) / 1000) + 1
        assert.ok(Math.max(...seen) - Math.min(...seen) <= apart, `${kind}: ${seen}`)
      }
    },
  )
  fc.assert(property, { numRuns: sized(100) })
})

test('of clients that any workers refuse one after the other and that obey, none is refused again', () => {
  const property = fc.property(
    fc.integer({ min: 2, max: 64 }),
    fc.array(fc.tuple(fc.nat(63), fc.nat(63)), { minLength: 1, maxLength: 4 }),
    transits,
    (workers, clients, transits) => {
      const { at, now, advance } = openReplica(workers, { transits, multiplier: 0.1 })
      const take = (worker: number) => at(worker).take({ ...caller, rate: 'write' })
      while (take(0).allowed);
      advance(settledMilliseconds)
      const back = clients.map(([first, second]) => {
        advance(40)
        return { second, due: now() + take(first).retry_after_seconds * 1000 }
      })
      for (const { second, due } of back.toSorted((a, b) => a.due - b.due)) {
        advance(Math.max(0, due - now()))
        assert.ok(take(second).allowed)
      }
    },
  )
  fc.assert(property, { numRuns: sized(200) })
})

test('draws of buckets that a worker does not know are left out', () => {
  const { at, applies } = openReplica(2)
  applies[0]?.([
    ['of a later version', 'tokn_a', 1e6, 0],
    ['write', 'tokn_a', 1e6, 0],
  ])
  assert.equal(at(0).peek({ ...caller, rate: 'write' }).remaining, 40)
})

function openExchange() {
  const timers = createTimers()
  const told: { draws: readonly Draw[]; sent: () => void }[] = []
  const tell = (draws: readonly Draw[], sent: () => void) => void told.push({ draws, sent })
  const exchange = createRateExchange({ siblings: { workers: 4, tell }, ...timers })
  return { ...timers, told, exchange }
}

function bucket(key: string): Untold {
  return { buckets: 'read', key, drawn: 0, promised: 0, is_waiting: false }
}

test('draws from buckets with much room are told every 100 ms as one, others and promises at once', () => {
  const { exchange, told, advance } = openExchange()
  const one = bucket('a')
  for (let drawn = 0; drawn < 3; drawn++) exchange.note(one, 1_000, 10, 0)
  advance(99)
  assert.equal(told.length, 0)
  advance(1)
  assert.deepEqual(told[0]?.draws, [['read', 'a', 30, 0]])
  told[0]?.sent()
  advance(1_000)
  assert.equal(told.length, 1)
  exchange.note(one, 39, 10, 0)
  advance(0)
  assert.deepEqual(told[1]?.draws, [['read', 'a', 10, 0]])
  told[1]?.sent()
  exchange.note(one, 1_000, 0, 10)
  advance(9)
  assert.equal(told.length, 2)
  advance(1)
  assert.deepEqual(told[2]?.draws, [['read', 'a', 0, 10]])
})

test('a message has 1,000 draws, one is on its way at a time, and 10,000 wait at most', () => {
  const { exchange, told, advance } = openExchange()
  for (let key = 0; key < 10_500; key++) exchange.note(bucket(`${key}`), 1_000, 10, 0)
  advance(100)
  assert.deepEqual([told.length, told[0]?.draws.length], [1, 1_000])
  advance(10_000)
  assert.equal(told.length, 1)
  for (let message = 0; message < 12; message++) {
    told[message]?.sent()
    advance(10)
  }
  assert.equal(told.length, 10)
  assert.equal(new Set(told.flatMap(({ draws }) => draws.map(([, key]) => key))).size, 10_000)
})

test('what is drawn while a message is on its way is told when that has been sent', () => {
  const { exchange, told, advance } = openExchange()
  const one = bucket('a')
  exchange.note(one, 10, 10, 0)
  advance(0)
  exchange.note(one, 10, 20, 0)
  advance(500)
  assert.equal(told.length, 1)
  told[0]?.sent()
  advance(0)
  assert.deepEqual(told[1]?.draws, [['read', 'a', 20, 0]])
})
