import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { AutomationStatus, RetryState } from './automation-status.rules.ts'
import { evaluateBuying, joinStatus } from './spot-buying.rules.ts'

const bought = { now: 1_000, before: null, refusals: [], waiting: 0, wanted: undefined, price: '2.400000' }
const resting = { ...bought, wanted: { node_minutes: 95n } }
const unpaid = { code: 'payment_required', message: 'The order needs $3.00 more.' } as const

test('if everything is bought, the status is ok and there is no retry', () => {
  const { status, retry } = evaluateBuying(bought)
  assert.deepEqual([status.state, status.code, retry], ['info', 'ok', null])
})

test('resting orders are a warning with the price, without a retry', () => {
  const { status, retry } = evaluateBuying(resting)
  assert.deepEqual([status.state, status.code, retry], ['warning', 'no_offer_at_price', null])
  assert.match(status.message, /95 node-minutes .*\$2\.400000/)
})

test('a refusal takes precedence over resting orders and is tried again after 30 s, then later, at most 600 s', () => {
  const waits: number[] = []
  let before: RetryState | null = null
  for (let now = 1_000; waits.length < 7; now += waits.at(-1) as number) {
    before = evaluateBuying({ ...resting, refusals: [unpaid], now, before }).retry
    waits.push((before?.retry_at as number) - now)
  }
  const shown = evaluateBuying({ ...resting, refusals: [unpaid] }).status
  assert.deepEqual(shown, { state: 'error', ...unpaid })
  assert.deepEqual(waits, [30, 60, 120, 240, 480, 600, 600])
  assert.equal(evaluateBuying({ ...bought, before }).retry, null)
})

test('the refusal stays while orders wait, and ends if none waits', () => {
  const { retry } = evaluateBuying({ ...bought, refusals: [unpaid] })
  const later = { ...resting, now: 1_010, before: retry }
  assert.deepEqual(evaluateBuying({ ...later, waiting: 1 }), { retry, status: { state: 'error', ...unpaid } })
  assert.deepEqual([evaluateBuying(later).retry, evaluateBuying(later).status.code], [null, 'no_offer_at_price'])
})

test('a halted market is shown as waiting, not as an error', () => {
  const refusal = { code: 'unavailable', message: 'The market is halted.', retry_after_seconds: 300 } as const
  const { status, retry } = evaluateBuying({ ...bought, refusals: [refusal] })
  assert.deepEqual([status.state, status.code, retry?.retry_at], ['info', 'waiting_for_allocation', 1_030])
})

test('a budget that stops it is named, also while its orders wait', () => {
  const refusal = { code: 'budget_exceeded', message: 'The budget has nothing left.' } as const
  const { status, retry } = evaluateBuying({ ...bought, refusals: [refusal] })
  assert.deepEqual(status, { state: 'error', code: 'budget_exhausted', message: refusal.message })
  assert.deepEqual(evaluateBuying({ ...resting, now: 1_010, before: retry, waiting: 1 }).status, status)
})

test('the status shows the more severe of fleet and buying, and the fleet if both are equal', () => {
  const status = (state: AutomationStatus['state'], code: string) => ({ state, code, message: code })
  const good = status('info', 'ok')
  const waiting = status('info', 'waiting_for_allocation')
  const unavailable = status('warning', 'no_offer_at_price')
  const refused = status('error', 'payment_required')
  const limited = status('error', 'limit_exceeded')
  for (const [fleet, buying, shown] of [
    [waiting, good, waiting],
    [waiting, unavailable, unavailable],
    [waiting, refused, refused],
    [limited, refused, limited],
    [limited, unavailable, limited],
  ] as const) {
    assert.equal(joinStatus(fleet, buying), shown)
  }
})
