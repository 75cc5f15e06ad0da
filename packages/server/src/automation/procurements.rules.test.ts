import assert from 'node:assert/strict'
import { procurementStatusCodes } from '@bourse/api/automation/procurements.ts'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { RefusalData } from '../core/base/refusal.ts'
import type { RetryState } from './automation-status.rules.ts'
import { afterTrading, idleStatus, ordersMore, refuseTerms, type TradedView } from './procurements.rules.ts'

const now = 1_800_000_000

function viewOf(fields: Partial<TradedView> = {}): TradedView {
  const plain = { now, before: null, refusals: [], waiting: 0, target: 2, managed_window_minutes: 60 }
  return { ...plain, is_crossed: false, wanted: undefined, ...fields }
}

const unpaid: RefusalData = { code: 'payment_required', message: '1.000000 are missing.' }
const retry: RetryState = { code: 'limit_exceeded', message: 'Full.', tries: 3, retry_at: now + 50 }

describe('refuseTerms', () => {
  const cases: [string, Parameters<typeof refuseTerms>, [string, string] | undefined][] = [
    ['a market pool accepts any target', ['market', { target: 'node_count', max_buy_price: '1.0' }], undefined],
    [
      'a market pool requires a maximum price',
      ['market', { target: 1, max_buy_price: undefined }],
      ['required', 'max_buy_price_dollars_per_node_hour'],
    ],
    ['an originating pool accepts a number', ['originating', { target: 0, max_buy_price: undefined }], undefined],
    [
      'an originating pool does not buy',
      ['originating', { target: 0, max_buy_price: '1.0' }],
      ['not_applicable', 'max_buy_price_dollars_per_node_hour'],
    ],
    [
      'an originating pool has no instances',
      ['originating', { target: 'node_count', max_buy_price: undefined }],
      ['not_applicable', 'target'],
    ],
    [
      'a read-only pool has no orders',
      ['read_only', { target: 0, max_buy_price: '1.0' }],
      ['pool_kind_not_allowed', 'pool'],
    ],
  ]
  for (const [what, [kind, terms], wanted] of cases) {
    test(what, () => {
      const refusal = refuseTerms(kind, terms)
      assert.deepEqual(refusal && [refusal.code, refusal.field], wanted)
    })
  }
})

describe('idleStatus', () => {
  const works = { is_enabled: true, is_frozen: false, is_sku_retired: false }
  const codeOf = (fields: Partial<typeof works>) => idleStatus({ ...works, ...fields })?.code

  test('an enabled procurement with an active account and SKU is not idle', () =>
    assert.equal(idleStatus(works), undefined))
  test('disabled takes precedence over frozen, and frozen over retired', () => {
    assert.equal(codeOf({ is_enabled: false, is_frozen: true, is_sku_retired: true }), 'ok')
    assert.equal(codeOf({ is_frozen: true, is_sku_retired: true }), 'account_frozen')
    assert.equal(codeOf({ is_frozen: true }), 'account_frozen')
    assert.equal(codeOf({ is_sku_retired: true }), 'sku_not_available')
  })
})

describe('afterTrading', () => {
  test('a refusal is an error until the next try: first 30 s, then twice as long each time, at most 10 min', () => {
    let before: RetryState | null = null
    const waits: number[] = []
    for (let tries = 0; tries < 7; tries++) {
      const done = afterTrading(viewOf({ before, refusals: [unpaid] }))
      assert.deepEqual([done.status.state, done.status.code], ['error', 'payment_required'])
      before = done.retry
      waits.push((before?.retry_at ?? 0) - now)
    }
    assert.deepEqual(waits, [30, 60, 120, 240, 480, 600, 600])
  })

  test('the status shows the first of several refusals', () => {
    const { status } = afterTrading(viewOf({ refusals: [unpaid, { code: 'limit_exceeded', message: 'Full.' }] }))
    assert.equal(status.code, 'payment_required')
  })

  test('the refusal stays while orders wait for the next try, and ends if none waits', () => {
    assert.deepEqual(afterTrading(viewOf({ before: retry, waiting: 1 })), {
      retry,
      status: { state: 'error', code: 'limit_exceeded', message: 'Full.' },
    })
    assert.equal(afterTrading(viewOf({ before: retry })).retry, null)
  })

  test('a halted market is a warning with its own code', () => {
    const { status } = afterTrading(viewOf({ refusals: [{ code: 'unavailable', message: 'The market is halted.' }] }))
    assert.deepEqual([status.state, status.code], ['warning', 'market_halted'])
    const again = afterTrading(viewOf({ before: { ...retry, code: 'market_halted' as 'unavailable' }, waiting: 1 }))
    assert.deepEqual([again.status.state, again.status.code], ['warning', 'market_halted'])
  })

  test('crossed prices take precedence over missing offers, but not over refusals', () => {
    const wanted = { node_minutes: 60n, from: now }
    assert.equal(afterTrading(viewOf({ is_crossed: true, wanted })).status.code, 'prices_crossed')
    assert.equal(afterTrading(viewOf({ is_crossed: true, refusals: [unpaid] })).status.code, 'payment_required')
  })

  test('open buys wait for an offer, and the message shows from when on', () => {
    const { status } = afterTrading(viewOf({ wanted: { node_minutes: 60n, from: now } }))
    assert.equal(status.code, 'no_offer_at_price')
    assert.match(status.message, /^60 node-minutes .* from 2027-01-15T08:00:00Z on\.$/)
    assert.equal(afterTrading(viewOf()).status.code, 'ok')
  })

  test('the state belongs to the code, and there is a retry exactly if an order is refused or waits', () => {
    const anyRefusal = fc.constantFrom('payment_required', 'limit_exceeded', 'unavailable', 'out_of_range' as const)
    const anyView = fc
      .record({
        before: fc.constantFrom(null, retry),
        codes: fc.array(anyRefusal, { maxLength: 2 }),
        waiting: fc.nat(2),
        is_crossed: fc.boolean(),
      })
      .map(({ codes, ...rest }) => {
        return viewOf({ ...rest, refusals: codes.map((code) => ({ code: code as 'unavailable', message: code })) })
      })
    fc.assert(
      fc.property(anyView, (view) => {
        const done = afterTrading(view)
        const states: Record<string, string> = procurementStatusCodes
        assert.equal(done.status.state, states[done.status.code])
        const isRefused = view.refusals.length > 0 || (view.before !== null && view.waiting > 0)
        assert.equal(done.retry !== null, isRefused)
        assert.ok(view.refusals.length === 0 || (done.retry?.retry_at ?? 0) > now)
      }),
    )
  })
})

test('a change that can lead to other orders is told from one that only leads to fewer', () => {
  const terms = {
    sku_id: 'sku_one',
    target: 4,
    min_sell_hourly_micros: 9n,
    max_buy_hourly_micros: 5n,
    managed_window_minutes: 60,
    enabled: true,
  } as const
  for (const [change, wanted] of [
    [{}, false],
    [{ sku_id: 'sku_two' }, true],
    [{ target: 5 }, true],
    [{ target: 3 }, true],
    [{ target: null }, true],
    [{ min_sell_hourly_micros: 8n }, true],
    [{ min_sell_hourly_micros: 10n }, false],
    [{ max_buy_hourly_micros: 6n }, true],
    [{ max_buy_hourly_micros: 4n }, false],
    [{ managed_window_minutes: 61 }, true],
    [{ managed_window_minutes: 59 }, false],
    [{ enabled: false }, false],
  ] as const) {
    assert.equal(ordersMore(terms, { ...terms, ...change }), wanted, Object.keys(change).join())
  }
  assert.ok(ordersMore({ ...terms, enabled: false }, terms))
  assert.ok(!ordersMore({ ...terms, max_buy_hourly_micros: null }, { ...terms, max_buy_hourly_micros: null }))
})
