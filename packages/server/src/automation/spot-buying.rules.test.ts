import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeploymentStatus, RetryState } from './deployments.rules.ts'
import { evaluateBuying, joinStatus } from './spot-buying.rules.ts'

const bought = { now: 1_000, before: null, refusals: [], waiting: 0, wanted: undefined, price: '2.400000' }
const resting = { ...bought, wanted: { node_minutes: 95n } }
const unpaid = { code: 'payment_required', message: 'The order needs $3.00 more.' } as const

test('when all is bought the status is ok and nothing is tried again', () => {
  const { status, retry } = evaluateBuying(bought)
  assert.deepEqual([status.state, status.code, retry], ['info', 'ok', null])
})

test('orders that rest are a warning that names the price, and no trouble', () => {
  const { status, retry } = evaluateBuying(resting)
  assert.deepEqual([status.state, status.code, retry], ['warning', 'no_offer_at_price', null])
  assert.match(status.message, /95 node-minutes .*\$2\.400000/)
})

test('a refusal shows before orders that rest, and is tried again after 30 s, then later, 600 s at most', () => {
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

test('while what was refused waits it goes on being said, and is forgotten when nothing waits', () => {
  const { retry } = evaluateBuying({ ...bought, refusals: [unpaid] })
  const later = { ...resting, now: 1_010, before: retry }
  assert.deepEqual(evaluateBuying({ ...later, waiting: 1 }), { retry, status: { state: 'error', ...unpaid } })
  assert.deepEqual([evaluateBuying(later).retry, evaluateBuying(later).status.code], [null, 'no_offer_at_price'])
})

test('a halted market is waited for, and no error', () => {
  const refusal = { code: 'unavailable', message: 'The market is halted.', retry_after_seconds: 60 } as const
  const { status, retry } = evaluateBuying({ ...bought, refusals: [refusal] })
  assert.deepEqual([status.state, status.code, retry?.retry_at], ['info', 'waiting_for_allocation', 1_030])
})

test('of fleet and buying the worse is shown, and the fleet where both are alike', () => {
  const say = (state: DeploymentStatus['state'], code: string) => ({ state, code, message: code })
  const good = say('info', 'ok')
  const waiting = say('info', 'waiting_for_allocation')
  const dear = say('warning', 'no_offer_at_price')
  const refused = say('error', 'payment_required')
  const limited = say('error', 'limit_exceeded')
  for (const [fleet, buying, shown] of [
    [waiting, good, waiting],
    [waiting, dear, dear],
    [waiting, refused, refused],
    [limited, refused, limited],
    [limited, dear, limited],
  ] as const) {
    assert.equal(joinStatus(fleet, buying), shown)
  }
})
