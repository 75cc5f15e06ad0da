import assert from 'node:assert/strict'
import { test } from 'vitest'
import { dualControlMicros, pendingSeconds, refuseAlone, refuseEnded } from './pending-credits.rules.ts'

test('a credit above the limit needs a second operator, one at the limit and one without a limit do not', () => {
  assert.equal(dualControlMicros(undefined), undefined)
  assert.equal(dualControlMicros(3), 3_000_000n)
  assert.equal(refuseAlone(3_000_001n, undefined), undefined)
  assert.equal(refuseAlone(3_000_000n, 3_000_000n), undefined)
  const refusal = refuseAlone(3_000_001n, 3_000_000n)
  assert.deepEqual([refusal?.code, refusal?.field], ['second_operator_required', 'amount_dollars'])
  assert.match(refusal?.message ?? '', /above 3 dollars/)
})

test('a pending credit can be decided until its last second, and an ended one never', () => {
  assert.equal(pendingSeconds, 604_800)
  assert.equal(refuseEnded({ state: 'pending', expires_at: 100 }, 99), undefined)
  const cases = [
    ['pending', 100, 'expired'],
    ['pending', 101, 'expired'],
    ['refused', 99, 'refused'],
    ['refused', 100, 'refused'],
  ] as const
  for (const [state, now, shown] of cases) {
    const refusal = refuseEnded({ state, expires_at: 100 }, now)
    assert.equal(refusal?.code, 'invalid_state')
    assert.match(refusal?.message ?? '', new RegExp(`The credit is ${shown},`))
  }
})
