import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { createRateLimits, networkOf, networksOf, type RateRequest, type RateVerdict } from './rate-limits.ts'

const caller = { token_id: 'tokn_a', account_id: 'acme' }
const write: RateRequest = { ...caller, rate: 'write' }

// A clock that changes only when the test sets it.
function create({ multiplier = 1, replicas = 1 } = {}) {
  const clock = { milliseconds: 5_000_000.25 }
  const limits = createRateLimits({ multiplier, replicas, now: () => clock.milliseconds })
  return { clock, limits }
}

function takeMany(take: () => RateVerdict, times: number): number {
  let passed = 0
  for (let i = 0; i < times; i++) if (take().allowed) passed++
  return passed
}

const classes: [RateRequest['rate'], number, number][] = [
  ['read', 200, 50],
  ['write', 50, 10],
  ['events', 60, 10],
]
for (const [rate, burst, perSecond] of classes) {
  test(`${rate}: a token gets ${burst} at once and ${perSecond} a second, an account four times that`, () => {
    const { clock, limits } = create()
    assert.equal(
      takeMany(() => limits.take({ ...caller, rate }), 1000),
      burst,
    )
    clock.milliseconds += 1000
    assert.equal(
      takeMany(() => limits.take({ ...caller, rate }), 1000),
      perSecond,
    )
    let passed = burst + perSecond
    for (let i = 0; i < 20; i++)
      passed += takeMany(() => limits.take({ rate, account_id: 'acme', token_id: `t${i}` }), 1000)
    assert.equal(passed, burst + Math.min(4 * burst, 3 * burst + 4 * perSecond))
    assert.equal(
      takeMany(() => limits.take({ ...caller, account_id: 'other', token_id: 'x', rate }), 1000),
      burst,
    )
  })
}

test('rate classes have separate buckets', () => {
  const { limits } = create()
  takeMany(() => limits.take(write), 100)
  assert.ok(limits.take({ ...caller, rate: 'read' }).allowed)
  assert.ok(limits.take({ ...caller, rate: 'events' }).allowed)
})

test('the verdict contains burst, remaining requests, time until full and policy', () => {
  const { clock, limits } = create()
  const first = limits.take(write)
  const expected = { allowed: true, limit: 50, remaining: 49, reset_seconds: 1, policy: '"write";q=50;w=5' }
  assert.deepEqual(first, { ...expected, retry_after_seconds: 0 })
  takeMany(() => limits.take(write), 49)
  const none = limits.take(write)
  assert.deepEqual(none, { ...expected, allowed: false, remaining: 0, reset_seconds: 5, retry_after_seconds: 1 })
  clock.milliseconds += 2500
  assert.equal(limits.peek(write).remaining, 25)
  assert.equal(limits.peek(write).reset_seconds, 3)
})

test('reading the state draws nothing', () => {
  const { limits } = create()
  for (let i = 0; i < 100; i++) assert.equal(limits.peek(write).remaining, 50)
  assert.equal(limits.take(write).remaining, 49)
})

test('the tighter bucket is shown, and a refusal by one draws nothing from the other', () => {
  const { clock, limits } = create()
  for (let i = 0; i < 4; i++) takeMany(() => limits.take({ ...write, token_id: `tokn_${i}` }), 50)
  const refused = limits.take({ ...write, token_id: 'tokn_fresh' })
  assert.deepEqual([refused.allowed, refused.limit, refused.policy], [false, 200, '"write";q=200;w=5'])
  takeMany(() => limits.take({ ...write, token_id: 'tokn_fresh' }), 500)
  clock.milliseconds += 60_000
  assert.deepEqual([limits.take({ ...write, token_id: 'tokn_fresh' }).remaining, limits.peek(write).limit], [49, 50])
})

test('an empty page of events costs half', () => {
  const { limits } = create()
  const poll = () => {
    const verdict = limits.take({ ...caller, rate: 'events' })
    if (verdict.allowed) limits.refundHalf(caller)
    return verdict
  }
  assert.equal(takeMany(poll, 1000), 119)
  const full = create().limits
  full.take({ ...caller, rate: 'events' })
  assert.equal(full.refundHalf(caller).remaining, 59)
  full.take({ ...caller, rate: 'events' })
  assert.equal(full.refundHalf(caller).remaining, 59)
})

test('a refund never fills a bucket beyond its burst', () => {
  const { clock, limits } = create()
  for (let i = 0; i < 100; i++) limits.refundHalf(caller)
  clock.milliseconds += 10
  assert.equal(limits.peek({ ...caller, rate: 'events' }).remaining, 60)
  assert.ok(takeMany(() => limits.take({ ...caller, rate: 'events' }), 1000) <= 60)
})

test('the sandbox multiplies limits, replicas divide them, and no limit falls below one', () => {
  const { limits: generous } = create({ multiplier: 100 })
  assert.equal(
    takeMany(() => generous.take(write), 10_000),
    5000,
  )
  assert.equal(generous.peek(write).policy, '"write";q=5000;w=5')
  const third = create({ replicas: 3 })
  assert.equal(
    takeMany(() => third.limits.take(write), 1000),
    16,
  )
  third.clock.milliseconds += 3000
  assert.equal(
    takeMany(() => third.limits.take(write), 1000),
    10,
  )
  const tiny = create({ multiplier: 0.001 })
  assert.equal(
    takeMany(() => tiny.limits.take(write), 1000),
    1,
  )
  assert.equal(tiny.limits.take(write).retry_after_seconds, 100)
})

test('no bucket ever gives more than its burst and its refill', () => {
  const step = fc.record({
    wait: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 30, noNaN: true }), fc.integer({ min: 0, max: 20_000 })),
    token: fc.integer({ min: 0, max: 5 }),
    times: fc.integer({ min: 1, max: 120 }),
    rate: fc.constantFrom('read' as const, 'write' as const, 'events' as const),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(1, 2, 3, 7), (steps, replicas) => {
      const { clock, limits } = create({ replicas })
      const begun = clock.milliseconds
      const passed = new Map<string, number>()
      for (const { wait, token, times, rate } of steps) {
        clock.milliseconds += wait
        const request = { rate, token_id: `tokn_${token}`, account_id: 'acme' }
        const count = takeMany(() => limits.take(request), times)
        for (const name of [`${rate} ${token}`, `${rate} account`]) passed.set(name, (passed.get(name) ?? 0) + count)
      }
      const seconds = (clock.milliseconds - begun) / 1000
      for (const [rate, burst, perSecond] of classes) {
        const most = Math.floor(burst / replicas) + (perSecond / replicas) * seconds + 1e-3
        for (let token = 0; token < 6; token++) assert.ok((passed.get(`${rate} ${token}`) ?? 0) <= most)
        assert.ok(
          (passed.get(`${rate} account`) ?? 0) <=
            Math.floor((4 * burst) / replicas) + 4 * (perSecond / replicas) * seconds + 1e-3,
        )
      }
    }),
    { numRuns: sized(200) },
  )
})

test('an empty bucket refills at its full rate, in whatever steps the time passes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 100 }), (waits) => {
      const { clock, limits } = create()
      takeMany(() => limits.take(write), 50)
      let passed = 0
      let waited = 0
      for (const wait of waits) {
        clock.milliseconds += wait
        waited += wait
        passed += takeMany(() => limits.take(write), 3)
      }
      assert.equal(passed, Math.floor(waited / 100))
    }),
  )
})

test('a client that obeys Retry-After is not refused again', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('read' as const, 'write' as const, 'events' as const),
      fc.integer({ min: 0, max: 900 }),
      fc.constantFrom(0.01, 0.1, 1, 100),
      (rate, part, multiplier) => {
        const { clock, limits } = create({ multiplier })
        const take = () => limits.take({ ...caller, rate })
        let verdict = take()
        while (verdict.allowed) verdict = take()
        clock.milliseconds += part
        verdict = take()
        if (verdict.allowed) return
        clock.milliseconds += verdict.retry_after_seconds * 1000
        assert.ok(take().allowed)
      },
    ),
  )
})

test('of many clients that are refused together and obey Retry-After, none is refused again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 4 }), (callers, tokens) => {
      const { clock, limits } = create()
      const take = (i: number) => limits.take({ ...write, token_id: `tokn_${i % tokens}` })
      for (let i = 0; i < tokens; i++) while (take(i).allowed);
      clock.milliseconds += 10_000
      for (let i = 0; i < tokens; i++) while (take(i).allowed);
      const back = Array.from({ length: callers }, (_, i) => ({ i, at: take(i).retry_after_seconds }))
      back.sort((a, b) => a.at - b.at)
      const begun = clock.milliseconds
      for (const { i, at } of back.filter(({ at }) => at <= 4)) {
        clock.milliseconds = begun + at * 1000
        assert.ok(take(i).allowed, `${i} after ${at} s`)
      }
    }),
  )
})

test('a client that ignores Retry-After delays others by at most one window', () => {
  const { limits } = create()
  takeMany(() => limits.take(write), 10_000)
  assert.equal(limits.take(write).retry_after_seconds, 5)
})

test('buckets in use are never dropped, however many others there are', () => {
  const { clock, limits } = create()
  let passed = takeMany(() => limits.take(write), 50)
  for (let i = 0; i < 200; i++) {
    clock.milliseconds += 130
    for (let k = 0; k < 20; k++) limits.take({ ...write, token_id: `tokn_${i}_${k}`, account_id: `acct-${i}-${k}` })
    passed += takeMany(() => limits.take(write), 3)
  }
  assert.equal(passed, 50 + (200 * 130) / 100)
})

test('failed authentications: ten for an address, then one in five seconds', () => {
  const { clock, limits } = create()
  const fail = (address = '192.0.2.1') => limits.takeFailedAuthentication(address)
  assert.equal(takeMany(fail, 100), 10)
  assert.ok(fail('192.0.2.2').allowed)
  const first = create()
  takeMany(() => first.limits.takeFailedAuthentication('a'), 10)
  assert.equal(first.limits.takeFailedAuthentication('a').retry_after_seconds, 5)
  clock.milliseconds += 5000
  assert.equal(takeMany(fail, 100), 1)
  assert.ok(limits.take(write).allowed)
})

test('an IPv6 network of 64 bits counts as one address, a mapped IPv4 address as the IPv4 address', () => {
  const networks: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unknown', 'unknown'],
  ]
  for (const [address, network] of networks) assert.equal(networkOf(address), network)
})

test('failed authentications of many IPv6 networks of one /48 are those of one customer', () => {
  const { limits } = create()
  const fail = (network: number) => limits.takeFailedAuthentication(`2001:db8:1:${network.toString(16)}::1`)
  const passed = Array.from({ length: 1_000 }, (_, network) => fail(network)).filter(({ allowed }) => allowed)
  assert.equal(passed.length, 160)
  // One network that is refused by its own bucket takes nothing from the others.
  const other = create()
  takeMany(() => other.limits.takeFailedAuthentication('2001:db8:1::1'), 1_000)
  assert.ok(other.limits.takeFailedAuthentication('2001:db8:1:2::1').allowed)
  assert.deepEqual(networksOf('2001:db8:1:2::9'), ['2001:db8:1:2', '2001:db8:1'])
  assert.deepEqual(networksOf('192.0.2.1'), ['192.0.2.1'])
})

test('the buckets of a flood of invented addresses are dropped in time', () => {
  const { limits } = create()
  for (let i = 0; i < 201_000; i++) limits.takeFailedAuthentication(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
  assert.ok(limits.takeFailedAuthentication('192.0.2.1').allowed)
})

test('requests beyond the burst are held one interval longer each, and at most 5 s', () => {
  const { clock, limits } = create()
  const delays = Array.from({ length: 1_000 }, () => limits.delayOf('open', 'a'))
  assert.deepEqual(new Set(delays.slice(0, 100)), new Set([0]))
  assert.deepEqual(delays.slice(100, 104), [10, 20, 30, 40])
  assert.equal(delays.at(-1), 5_000)
  const { remaining, reset_seconds, allowed } = limits.peekOpen('a')
  assert.deepEqual([remaining, reset_seconds, allowed], [0, 6, true])
  assert.equal(limits.delayOf('open', 'b'), 0)
  assert.equal(limits.peekOpen('b').remaining, 99)
  assert.equal(limits.delayOf('refused', 'a'), 0)
  clock.milliseconds += 5_000
  assert.equal(limits.delayOf('open', 'a'), 10)
  clock.milliseconds += 6_000
  assert.equal(limits.delayOf('open', 'a'), 0)
})

test('a large response without a token counts as one request more for each 16 KiB', () => {
  const { limits } = create()
  limits.chargeResponse('::ffff:10.0.0.1', 99 * 16_384)
  assert.equal(limits.delayOf('open', '10.0.0.1'), 0)
  assert.equal(limits.delayOf('open', '10.0.0.1'), 10)
  limits.chargeResponse('10.0.0.2', 16_383)
  for (let sent = 0; sent < 100; sent++) assert.equal(limits.delayOf('open', '10.0.0.2'), 0)
})

test('bodies of one sender take 2 MiB a second, short ones are free', () => {
  const { clock, limits } = create()
  const bytes = 128 * 1024
  assert.deepEqual(
    Array.from({ length: 10 }, () => Math.round(limits.delayOfBody('a', bytes))),
    [0, 0, 0, 0, 0, 0, 0, 0, 2, 64],
  )
  assert.equal(limits.delayOfBody('b', bytes), 0)
  assert.equal(limits.delayOfBody('a', 4_095), 0)
  clock.milliseconds += 60_000
  assert.equal(limits.delayOfBody('a', bytes), 0)
})
