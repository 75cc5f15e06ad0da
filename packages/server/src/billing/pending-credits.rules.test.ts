import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  dualControlMicros,
  pendingSeconds,
  refuseAlone,
  refuseChangedLimit,
  refuseEnded,
  refuseLimitAlone,
  refuseNewRight,
  refuseNoRaise,
} from './pending-credits.rules.ts'

test('a credit above the limit needs a second operator, one at the limit and one without a limit do not', () => {
  assert.equal(dualControlMicros(undefined), undefined)
  assert.equal(dualControlMicros(3), 3_000_000n)
  const refuse = (amount: bigint, limit?: bigint, alone = 0n) => refuseAlone({ amount, alone }, limit)
  assert.equal(refuse(3_000_001n), undefined)
  assert.equal(refuse(3_000_000n, 3_000_000n), undefined)
  assert.equal(refuse(1_000_000n, 3_000_000n, 2_000_000n), undefined)
  assert.equal(refuse(-1n, 3_000_000n, 9_000_000n), undefined)
  assert.match(refuse(1_000_001n, 3_000_000n, 2_000_000n)?.message ?? '', /credited 2\.000000 dollars alone/)
  const refusal = refuse(3_000_001n, 3_000_000n)
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

test('a credit limit above the limit needs a second operator, unless it lowers the one that there is', () => {
  const codeOf = (wanted: bigint, present = 0n, limit?: bigint) => refuseLimitAlone({ present, wanted }, limit)?.code
  assert.equal(codeOf(3_000_001n), undefined)
  assert.equal(codeOf(3_000_000n, 0n, 3_000_000n), undefined)
  assert.equal(codeOf(3_000_001n, 0n, 3_000_000n), 'second_operator_required')
  assert.equal(codeOf(4_000_000n, 4_000_000n, 3_000_000n), undefined)
  assert.equal(codeOf(4_000_001n, 4_000_000n, 3_000_000n), 'second_operator_required')
  const refusal = refuseLimitAlone({ present: 0n, wanted: 3_000_001n }, 3_000_000n)
  assert.equal(refusal?.field, 'credit_limit_dollars')
  assert.match(refusal?.message ?? '', /above 3 dollars.*create_pending_credit/)
})

test('a second operator is asked only for a higher credit limit, and approves it while the one before stands', () => {
  assert.equal(refuseNoRaise({ present: 5n, wanted: 6n }), undefined)
  for (const wanted of [5n, 4n]) assert.equal(refuseNoRaise({ present: 5n, wanted })?.code, 'not_applicable')
  assert.equal(refuseChangedLimit({ before: 5n, present: 5n }), undefined)
  for (const present of [4n, 6n]) {
    assert.equal(refuseChangedLimit({ before: 5n, present })?.code, 'credit_limit_changed')
  }
})

test('an approval waits until both operators have had the right for a day', () => {
  const day = 86_400
  assert.equal(refuseNewRight({ requester: 0, approver: 0 }, day), undefined)
  const late = refuseNewRight({ requester: 0, approver: 1 }, day)
  assert.deepEqual([late?.code, late?.message.startsWith('You have had')], ['right_too_new', true])
  assert.match(late?.message ?? '', /in 1 h\.$/)
  assert.match(refuseNewRight({ requester: 5, approver: 0 }, 5)?.message ?? '', /^Who requested it has .* in 24 h\.$/)
})
